import { afterAll, beforeAll, expect, test } from 'vitest';
import { redeliverFailed } from '#src/server/redeliver-failed.ts';
import type { GitHubFront } from '../../scripts/github-front/github-front.ts';
import { startGitHubFront } from '../../scripts/github-front/start-github-front.ts';
import { type AppServer, startAppServer } from '../github/app-server.ts';
import { forgeOn } from '../github/forge-on-front.ts';

let front: GitHubFront;
let app: AppServer;

beforeAll(async () => {
  front = await startGitHubFront({
    repositories: [
      {
        owner: 'acme',
        name: 'widget',
        content: { commits: [{ message: 'Start', files: { 'README.md': '# widget\n' } }] },
        roles: { maria: 'write' },
        labels: ['auto-triage'],
      },
    ],
  });
  app = await startAppServer(front);
});
afterAll(async () => {
  await front.stop();
  await app.stop();
});

test('what arrived while nobody listened is asked for again, once, as we believe GitHub lists deliveries', async () => {
  const before = new Date();
  const { installations } = forgeOn(front);
  front.deliveries.setUrl('http://127.0.0.1:1/nobody');
  const maria = front.as('maria');
  const { number } = await maria.open('acme/widget', { title: 'It breaks', body: 'Like this.' });
  await maria.label('acme/widget', number, 'auto-triage');
  for (const action of ['opened', 'labeled']) await front.deliveries.arrived((delivery) => delivery.action === action);
  front.deliveries.setUrl(app.url);
  expect(app.inbox.entries).toEqual([]);
  expect(await redeliverFailed(installations.app, before)).toBe(2);
  expect(app.inbox.entries).toMatchObject([{ kind: 'labeled', issue: { number } }]);
  expect(await redeliverFailed(installations.app, before)).toBe(0);
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ForgeError } from '#src/domain/errors.ts';
import type { Installations } from '#src/github/installations.ts';
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
  expect(await redeliverFailed(installations.app, before, new Date())).toBe(2);
  expect(app.inbox.entries).toMatchObject([{ kind: 'labeled', issue: { number } }]);
  expect(await redeliverFailed(installations.app, before, new Date())).toBe(0);
});

const now = new Date('2026-11-30T12:00:00.000Z');
const since = new Date('2026-11-27T12:00:00.000Z');
const failed = (id: number, minutesAgo: number, guid = `guid-${id}`) => ({
  id,
  guid,
  event: 'issues',
  status_code: 502,
  delivered_at: new Date(now.getTime() - minutesAgo * 60_000).toISOString(),
});

/** GitHub that keeps these attempts, the newest first, and cannot send one of them. */
function keeping(attempts: ReturnType<typeof failed>[], broken?: number) {
  const sent: number[] = [];
  const apps = {
    listWebhookDeliveries: async () => ({ data: attempts, headers: {} }),
    redeliverWebhookDelivery: async ({ delivery_id: id }: { delivery_id: number }) => {
      if (id === broken) throw new ForgeError('unprocessable', 'no', 'none');
      sent.push(id);
    },
  };
  return { app: { rest: { apps } } as unknown as Installations['app'], sent };
}

describe('a delivery that fails again', () => {
  test.each([
    [1, 0, true],
    [2, 8, false],
    [2, 9.9, true],
    [3, 15, false],
    [3, 20, true],
    [4, 40, true],
    [12, 50, false],
    [12, 60, true],
  ])('after %i attempts and %f minutes is asked for again: %s', async (attempts, minutes, due) => {
    const tried = Array.from({ length: attempts }, (_, index) => failed(attempts - index, minutes + index * 60, 'one'));
    const { app, sent } = keeping(tried);
    await redeliverFailed(app, since, now);
    expect(sent).toEqual(due ? [attempts] : []);
  });

  test('and that GitHub cannot send keeps none of the others waiting, the oldest of which comes first', async () => {
    const { app, sent } = keeping([failed(4, 1), failed(3, 2), failed(2, 3), failed(1, 4)], 2);
    expect(await redeliverFailed(app, since, now)).toBe(3);
    expect(sent).toEqual([1, 3, 4]);
  });
});

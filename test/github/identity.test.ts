import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createInstallations } from '#src/github/installations.ts';
import type { GitHubFront } from '../../scripts/github-front/github-front.ts';
import { startGitHubFront } from '../../scripts/github-front/start-github-front.ts';
import { silent, stillClock } from './forge-on-front.ts';

let front: GitHubFront;
beforeAll(async () => {
  const content = { commits: [{ message: 'Start', files: { 'README.md': '# widget\n' } }] };
  front = await startGitHubFront({ repositories: [{ owner: 'acme', name: 'widget', content }] });
});
beforeEach(() => {
  front.faults.clear();
  front.requests.length = 0;
});
afterAll(() => front.stop());

function ask(pauses?: number[]) {
  const { appId, privateKey, url: baseUrl } = front;
  const clock = stillClock();
  const installations = createInstallations({
    ...{ appId, privateKey, baseUrl, clock, log: silent },
    ...(pauses && { pauses }),
  });
  return { clock, identity: installations.identity };
}

const user = () => `/users/${front.slug}[bot]`;

describe('who the App is', () => {
  test('is asked of an installation that works, not of one that is suspended', async () => {
    const suspended = { id: 1, suspended_at: '2026-01-01T00:00:00Z' };
    const body = [suspended, { id: front.installationId, suspended_at: null }];
    front.faults.add({ method: 'GET', path: '/app/installations', fault: { status: 200, body }, times: 1 });
    expect(await ask().identity()).toMatchObject({ slug: front.slug, bot: { id: front.bot.id } });
    expect(front.requests).toContain(`POST /app/installations/${front.installationId}/access_tokens`);
  });

  test.each([401, 404])(
    'an App that GitHub answers with %i is unknown there, and no other failure is',
    async (status) => {
      front.faults.add({ method: 'GET', path: '/app', fault: { status } });
      await expect(ask().identity()).rejects.toMatchObject({ failure: 'unauthorized' });
      front.faults.clear();
      front.faults.add({ method: 'GET', path: user(), fault: { status } });
      await expect(ask().identity()).rejects.not.toMatchObject({ failure: 'unauthorized' });
    },
  );

  test('who tries again themselves gets one answer for one request', async () => {
    front.faults.add({ method: 'GET', path: '/app', fault: { status: 502 } });
    const { clock, identity } = ask([]);
    await expect(identity()).rejects.toMatchObject({ failure: 'unreachable' });
    expect(clock.slept).toEqual([]);
    expect(front.requests.filter((request) => request === 'GET /app')).toHaveLength(1);
  });
});

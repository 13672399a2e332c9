import { getEventListeners, once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Octokit } from '@octokit/rest';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createForge } from '#src/github/create-forge.ts';
import { octokitLog } from '#src/github/github-log.ts';
import { createInstallations } from '#src/github/installations.ts';
import { makePatient } from '#src/github/patient-requests.ts';
import type { GitHubFront } from '../../scripts/github-front/github-front.ts';
import { startGitHubFront } from '../../scripts/github-front/start-github-front.ts';
import { forgeOn, silent, stillClock } from './forge-on-front.ts';

const issue = { owner: 'acme', repo: 'widget', number: 1 };
const readIssue = '/repos/acme/widget/issues/1';
const comments = `${readIssue}/comments`;
const tokens = '/app/installations/777/access_tokens';
let front: GitHubFront;
let made: ReturnType<typeof forgeOn>;

beforeAll(async () => {
  front = await startGitHubFront({
    repositories: [
      {
        owner: 'acme',
        name: 'widget',
        private: true,
        content: { commits: [{ message: 'Start', files: { 'README.md': '# widget\n' } }] },
        roles: { rita: 'read' },
        issues: [{ title: 'It breaks', body: 'Like this.', author: 'rita' }],
      },
      {
        owner: 'acme',
        name: 'other',
        private: true,
        content: { commits: [{ message: 'Start', files: { a: 'a' } }] },
      },
      {
        owner: 'elsewhere',
        name: 'secret',
        private: true,
        content: { commits: [{ message: 'Start', files: { a: 'a' } }] },
      },
    ],
  });
});
beforeEach(async () => {
  front.faults.clear();
  made = forgeOn(front);
  await made.forge.comment(issue, 'warm:up', undefined);
  front.requests.length = 0;
});
afterAll(() => front.stop());

const count = (request: string) => front.requests.filter((entry) => entry === request).length;

describe('limits, as we believe GitHub announces them', () => {
  test('a secondary limit is waited out for as long as GitHub says, and the comment is posted once', async () => {
    const fault = { status: 403, headers: { 'retry-after': '37' } };
    front.faults.add({ method: 'POST', path: comments, fault, times: 2 });
    expect(await made.forge.comment(issue, 'result:limit', 'x')).toBeDefined();
    expect(made.clock.slept).toEqual([37, 37]);
    expect(count(`POST ${comments}`)).toBe(3);
    await made.forge.comment(issue, 'result:limit', undefined);
  });

  test('429 without a word about when is waited out for a minute', async () => {
    front.faults.add({ method: 'GET', path: readIssue, fault: { status: 429 }, times: 1 });
    await made.forge.issueState(issue);
    expect(made.clock.slept).toEqual([60]);
  });

  test('a secondary limit without a word about when is known by the page that it names', async () => {
    const page =
      'https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits';
    const fault = { status: 403, body: { message: 'Slow down.', documentation_url: page } };
    front.faults.add({ method: 'GET', path: readIssue, fault, times: 1 });
    await made.forge.issueState(issue);
    expect(made.clock.slept).toEqual([60]);
  });

  test('an exhausted quota is waited out until it is renewed', async () => {
    const reset = Math.floor(Date.now() / 1000) + 1200;
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(reset) };
    front.faults.add({ method: 'GET', path: readIssue, fault: { status: 403, headers }, times: 1 });
    await made.forge.issueState(issue);
    expect(made.clock.slept[0]).toBeGreaterThan(1190);
    expect(made.clock.slept[0]).toBeLessThan(1203);
  });

  test('a limit that does not lift ends as such, after a bounded time', async () => {
    const fault = { status: 429, headers: { 'retry-after': '1000' } };
    front.faults.add({ method: 'GET', path: readIssue, fault });
    await expect(made.forge.issueState(issue)).rejects.toMatchObject({ failure: 'rate-limited' });
    expect(made.clock.slept).toEqual([1000, 1000, 1000, 1000]);
  });

  test('a question does not wait longer than is told, where whoever asks can come again', async () => {
    const { appId, privateKey, url: baseUrl } = front;
    const clock = stillClock();
    const installations = createInstallations({ appId, privateKey, baseUrl, clock, log: silent });
    const forge = createForge(installations, { questionSeconds: 30 });
    const headers = { 'retry-after': '20' };
    front.faults.add({ method: 'GET', path: readIssue, fault: { status: 429, headers }, times: 3 });
    await expect(forge.issueState(issue)).rejects.toMatchObject({ failure: 'rate-limited' });
    expect(clock.slept).toEqual([20]);
    await forge.issueState(issue);
    expect(clock.slept).toEqual([20, 20]);
  });

  test('a refusal without any word about limits is not mistaken for one', async () => {
    front.faults.add({ method: 'GET', path: readIssue, fault: { status: 403 } });
    await expect(made.forge.issueState(issue)).rejects.toMatchObject({ failure: 'forbidden' });
    expect(made.clock.slept).toEqual([]);
  });
});

test('requests leave nothing hanging on the signal that ends them all', async () => {
  const over = new AbortController();
  const { appId, privateKey, url: baseUrl } = front;
  const clock = stillClock();
  const log = silent;
  const forge = createForge(createInstallations({ appId, privateKey, baseUrl, clock, log, signal: over.signal }));
  for (let count = 0; count < 3; count++) await forge.repository(issue);
  expect(getEventListeners(over.signal, 'abort')).toEqual([]);
  over.abort(new Error('a restart'));
  await expect(forge.repository(issue)).rejects.toThrow('a restart');
});

describe('failures by chance, as we believe they look', () => {
  test('reading is repeated after 500, 502 and a broken connection', async () => {
    for (const fault of [{ status: 500 }, { status: 502 }, { drop: 'before' as const }]) {
      front.faults.add({ method: 'GET', path: readIssue, fault, times: 1 });
    }
    expect(await made.forge.issueState(issue)).toMatchObject({ open: true });
    expect(made.clock.slept).toEqual([1, 4, 16]);
  });

  test('a token is asked for again, since one too many does no harm', async () => {
    front.faults.add({ method: 'POST', path: tokens, fault: { status: 502 }, times: 1 });
    front.faults.add({ method: 'POST', path: tokens, fault: { drop: 'after' }, times: 1 });
    expect(await forgeOn(front).forge.cloneCredential(issue)).toMatchObject({
      header: expect.stringContaining('Basic'),
    });
  });

  test('GitHub that stays away ends as unreachable', async () => {
    front.faults.add({ method: 'GET', path: readIssue, fault: { status: 503 } });
    await expect(made.forge.issueState(issue)).rejects.toMatchObject({ failure: 'unreachable' });
    expect(count(`GET ${readIssue}`)).toBe(4);
  });

  test('where nothing answers, the address and the reason are said', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const address = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
    closed.close();
    const octokit = new Octokit({ baseUrl: `${address}/api/v3`, log: octokitLog(silent) });
    const waits: unknown[] = [];
    const log = { ...silent, warn: (fields: unknown) => waits.push(fields) };
    makePatient(octokit, { clock: stillClock(), log, limitSeconds: 60 });
    await expect(octokit.request('GET /app')).rejects.toMatchObject({
      failure: 'unreachable',
      message: `GET /app: GitHub could not be reached at ${address} (ECONNREFUSED).`,
    });
    expect(waits[0]).toMatchObject({ what: 'GET /app', seconds: 1, error: 'ECONNREFUSED' });
  });

  test('a permission that cannot be had lets nobody through', async () => {
    const path = '/repos/acme/widget/collaborators/rita/permission';
    front.faults.add({ method: 'GET', path, fault: { status: 500 } });
    await expect(made.forge.permission(issue, 'rita')).rejects.toMatchObject({ failure: 'unreachable' });
    front.faults.clear();
    front.faults.add({ method: 'GET', path, fault: { status: 404 } });
    expect(await made.forge.permission(issue, 'rita')).toBe('none');
  });

  test('404 and 422 are errors with a name and a remedy, and name what was asked without a token', async () => {
    for (const [status, failure] of [
      [404, 'not-found'],
      [422, 'unprocessable'],
    ] as const) {
      front.faults.add({ method: 'GET', path: '/repos/acme/widget', fault: { status }, times: 1 });
      const error = await made.forge.repository(issue).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ failure, remedy: expect.stringMatching(/\w/) });
      expect(String(error)).not.toContain('ghs_');
    }
  });
});

describe('tokens, as we believe GitHub answers dead and narrow ones', () => {
  test('a token that died is made anew once, and the comment is posted once', async () => {
    front.killInstallationTokens();
    expect(await made.forge.comment(issue, 'result:dead', 'x')).toBeDefined();
    expect(count(`POST ${tokens}`)).toBe(1);
    expect((await front.admin.comments('acme/widget', 1)).filter((entry) => entry.body.endsWith('x'))).toHaveLength(1);
  });

  test('a token that GitHub goes on refusing ends as unauthorized, after one new one', async () => {
    front.faults.add({ method: 'GET', path: readIssue, fault: { status: 401 } });
    await expect(made.forge.issueState(issue)).rejects.toMatchObject({ failure: 'unauthorized' });
    expect(count(`GET ${readIssue}`)).toBe(2);
    expect(count(`POST ${tokens}`)).toBe(1);
  });

  test('requests share a token until five minutes before it ends', async () => {
    const now = { ms: Date.now() };
    const clock = { ...stillClock(), now: () => new Date(now.ms) };
    const { appId, privateKey, url: baseUrl } = front;
    const forge = createForge(createInstallations({ appId, privateKey, baseUrl, clock, log: silent }));
    await forge.repository(issue);
    await forge.repository(issue);
    expect(count(`POST ${tokens}`)).toBe(1);
    now.ms += 56 * 60_000;
    await forge.repository(issue);
    expect(count(`POST ${tokens}`)).toBe(2);
  });

  test('the token for cloning is made for each use, reads this repository alone, and cannot push', async () => {
    const first = await made.forge.cloneCredential(issue);
    const second = await made.forge.cloneCredential(issue);
    expect(second.header).not.toBe(first.header);
    const authorization = second.header.replace('Authorization: ', '');
    const ask = async (path: string) => (await fetch(front.url + path, { headers: { authorization } })).status;
    expect(await ask('/acme/widget.git/info/refs?service=git-upload-pack')).toBe(200);
    expect(await ask('/acme/widget.git/info/refs?service=git-receive-pack')).toBe(403);
    expect(await ask('/acme/other.git/info/refs?service=git-upload-pack')).toBe(404);
    expect(await ask('/elsewhere/secret.git/info/refs?service=git-upload-pack')).toBe(404);
  });

  test('an App that was taken off and installed anew goes on with its new installation', async () => {
    front.faults.add({ method: 'POST', path: tokens, fault: { status: 404 }, times: 1 });
    expect(await made.forge.cloneCredential(issue)).toMatchObject({ header: expect.any(String) });
    front.faults.add({ method: 'POST', path: tokens, fault: { status: 404 } });
    await expect(made.forge.cloneCredential(issue)).rejects.toMatchObject({ failure: 'not-installed' });
  });

  test('a repository without the App ends as not installed', async () => {
    const ref = { owner: 'acme', repo: 'nowhere' };
    await expect(made.forge.repository(ref)).rejects.toMatchObject({ failure: 'not-installed' });
  });

  test('no log line holds a token', async () => {
    const lines: unknown[] = [];
    const keep = (...line: unknown[]) => void lines.push(line);
    const log = { info: keep, warn: keep, error: keep };
    const { appId, privateKey, url: baseUrl } = front;
    const forge = createForge(createInstallations({ appId, privateKey, baseUrl, clock: stillClock(), log }));
    front.faults.add({ method: 'GET', path: readIssue, fault: { status: 429 }, times: 1 });
    await forge.issueState(issue);
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toMatch(/ghs_|eyJ|PRIVATE/);
  });
});

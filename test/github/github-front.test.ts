import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { git } from '../../scripts/github-front/git-objects.ts';
import type { GitHubFront } from '../../scripts/github-front/github-front.ts';
import { startGitHubFront } from '../../scripts/github-front/start-github-front.ts';
import { forgeOn } from './forge-on-front.ts';

const run = promisify(execFile);
const issue = { owner: 'acme', repo: 'widget', number: 1 };
let front: GitHubFront;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fathom-test-front-'));
  await makeHistory(join(folder, 'source'));
  front = await startGitHubFront({
    repositories: [
      { owner: 'acme', name: 'widget', private: true, content: { repository: join(folder, 'source') } },
      { owner: 'acme', name: 'empty-folder', content: { folder: join(folder, 'source') } },
    ],
  });
});
afterAll(async () => {
  await front.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Three commits with a merge, another time zone, a binary file and a name that is not English. */
async function makeHistory(source: string): Promise<void> {
  const who = {
    GIT_AUTHOR_NAME: '김하나',
    GIT_AUTHOR_EMAIL: 'a@b.c',
    GIT_COMMITTER_NAME: 'C',
    GIT_COMMITTER_EMAIL: 'c@d.e',
  };
  const dates = { GIT_AUTHOR_DATE: '2026-03-01T01:02:03+09:00', GIT_COMMITTER_DATE: '2026-03-02T01:02:03-03:30' };
  const commit = (message: string) => git(source, ['commit', '-qm', message], { ...who, ...dates });
  await run('git', ['init', '-q', '-b', 'trunk', source]);
  writeFileSync(join(source, 'a.bin'), Buffer.from([0, 255, 10]));
  await git(source, ['add', '-A']);
  await commit('One');
  await git(source, ['switch', '-qc', 'side']);
  writeFileSync(join(source, '파일.txt'), 'x\n');
  await git(source, ['add', '-A']);
  await commit('Two\n\nwith a body');
  await git(source, ['switch', '-q', 'trunk']);
  await git(source, ['merge', '-q', '--no-ff', '-m', 'Three', 'side'], { ...who, ...dates });
}
const withHeader = (header: string) => ({
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: `http.${front.url}/.extraHeader`,
  GIT_CONFIG_VALUE_0: header,
});

describe('the front for GitHub', () => {
  test('a real history is imported with the commits it has, and the API and git give the same one', async () => {
    const head = (await git(join(folder, 'source'), ['rev-parse', 'HEAD'])).trim();
    const ref = await front.admin.call<{ object: { sha: string } }>('GET', '/repos/acme/widget/git/ref/heads/main');
    expect(ref.object.sha).toBe(head);
    const { header } = await forgeOn(front).forge.cloneCredential(issue);
    await git(folder, ['clone', '-q', `${front.url}/acme/widget.git`, 'clone'], withHeader(header));
    expect((await git(join(folder, 'clone'), ['rev-parse', 'HEAD'])).trim()).toBe(head);
    expect((await git(join(folder, 'clone'), ['rev-list', '--count', 'HEAD'])).trim()).toBe('3');
  });

  test('git without a token, or with an unknown one, gets nothing, as we believe GitHub refuses', async () => {
    const url = `${front.url}/acme/widget.git`;
    await expect(git(folder, ['ls-remote', url])).rejects.toThrow();
    const basic = Buffer.from('x-access-token:ghs_unknown').toString('base64');
    await expect(git(folder, ['ls-remote', url], withHeader(`Authorization: Basic ${basic}`))).rejects.toThrow();
  });

  test('a folder becomes a repository of one commit', async () => {
    const commits = await front.admin.call<unknown[]>('GET', '/repos/acme/empty-folder/commits');
    expect(commits).toHaveLength(1);
  });

  test('a branch that is pushed is seen by the API', async () => {
    const { token } = await forgeOn(front).installations.mint(issue, { contents: 'write', metadata: 'read' });
    const header = `Authorization: Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
    const clone = join(folder, 'pushing');
    await git(folder, ['clone', '-q', `${front.url}/acme/widget.git`, clone], withHeader(header));
    writeFileSync(join(clone, 'new.txt'), 'new\n');
    await git(clone, ['add', '-A']);
    const who = {
      GIT_AUTHOR_NAME: 'P',
      GIT_AUTHOR_EMAIL: 'p@q.r',
      GIT_COMMITTER_NAME: 'P',
      GIT_COMMITTER_EMAIL: 'p@q.r',
    };
    await git(clone, ['commit', '-qm', 'Pushed'], who);
    await git(clone, ['push', '-q', 'origin', 'HEAD:refs/heads/pushed'], withHeader(header));
    const file = await front.admin.call<{ content: string }>('GET', '/repos/acme/widget/contents/new.txt?ref=pushed');
    expect(Buffer.from(file.content, 'base64').toString()).toBe('new\n');
  });

  test('a fault meets the request that it was made for, by its decoded path, and is then used up', async () => {
    const path = '/repos/acme/widget/contents/a dir/ü.txt';
    front.faults.add({ method: 'GET', path, fault: { status: 418 }, times: 1 });
    const ask = () => fetch(`${front.url}/repos/acme/widget/contents/a%20dir%2F%C3%BC.txt`);
    expect([(await ask()).status, (await ask()).status]).toEqual([418, 401]);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { IssueRef } from '#src/domain/ports/forge.ts';
import type { GitHubFront } from '../../scripts/github-front/github-front.ts';
import { startGitHubFront } from '../../scripts/github-front/start-github-front.ts';
import { forgeOn } from './forge-on-front.ts';

const name = 'acme/widget';
let front: GitHubFront;
let made: ReturnType<typeof forgeOn>;
let issue: IssueRef;

beforeAll(async () => {
  front = await startGitHubFront({
    repositories: [
      {
        owner: 'acme',
        name: 'widget',
        private: true,
        content: { commits: [{ message: 'Start', files: { 'README.md': '# widget\n' } }] },
        roles: { maria: 'write', tim: 'triage', rita: 'read' },
      },
    ],
    users: ['mallory'],
  });
});
beforeEach(async () => {
  front.faults.clear();
  made = forgeOn(front);
  const { number } = await front.as('rita').open(name, { title: 'It breaks', body: 'Like this.' });
  issue = { owner: 'acme', repo: 'widget', number };
  front.requests.length = 0;
});
afterAll(() => front.stop());

const bodies = async () => (await front.admin.comments(name, issue.number)).map((comment) => comment.body);
const commentsPath = () => `/repos/acme/widget/issues/${issue.number}/comments`;

describe('one comment for each marker', () => {
  test('it is created, edited in place, and deleted; deleting it again is no error', async () => {
    const { forge } = made;
    const created = await forge.comment(issue, 'progress:r1', 'Working');
    const edited = await forge.comment(issue, 'progress:r1', '아직 작업 중');
    expect(edited).toEqual(created);
    expect(await bodies()).toEqual(['<!-- fathom:progress:r1 -->\n아직 작업 중']);
    await forge.comment(issue, 'progress:r1', undefined);
    await forge.comment(issue, 'progress:r1', undefined);
    expect(await bodies()).toEqual([]);
  });

  test('two writes at once leave one comment, and so does another process that knows nothing of the first', async () => {
    await Promise.all([1, 2, 3].map((n) => made.forge.comment(issue, 'progress:r1', `at ${n}`)));
    await forgeOn(front).forge.comment(issue, 'progress:r1', 'after a restart');
    expect(await bodies()).toEqual(['<!-- fathom:progress:r1 -->\nafter a restart']);
  });

  test('a comment whose answer was lost is found again instead of being written twice', async () => {
    front.faults.add({ method: 'POST', path: commentsPath(), fault: { drop: 'after' }, times: 1 });
    expect(await made.forge.comment(issue, 'result:r1', 'The cause')).toMatchObject({ url: expect.any(String) });
    expect(await bodies()).toHaveLength(1);
  });

  test('a list of comments that breaks off on its way does not have ours written a second time', async () => {
    await made.forge.comment(issue, 'result:r2', 'The cause');
    front.faults.add({ method: 'GET', path: commentsPath(), fault: { status: 200, body: '[{"id": 1, "bo' }, times: 1 });
    await made.forge.comment(issue, 'result:r2', 'The cause, again');
    const ours = (await bodies()).filter((body) => body.includes('result:r2'));
    expect(ours).toEqual([expect.stringContaining('again')]);
  });

  test('a comment that was never received is written by the second attempt', async () => {
    front.faults.add({ method: 'POST', path: commentsPath(), fault: { drop: 'before' }, times: 1 });
    front.faults.add({ method: 'POST', path: commentsPath(), fault: { status: 502 }, times: 1 });
    await made.forge.comment(issue, 'result:r1', 'The cause');
    expect(await bodies()).toEqual(['<!-- fathom:result:r1 -->\nThe cause']);
  });

  test('a stranger who copies the marker is neither edited nor deleted', async () => {
    const copy = '<!-- fathom:result:r1 -->\nSend money';
    await front.as('rita').comment(name, issue.number, copy);
    await made.forge.comment(issue, 'result:r1', 'The cause');
    await made.forge.comment(issue, 'result:r1', undefined);
    expect(await bodies()).toEqual([copy]);
  });

  test('60,000 characters are posted whole; what GitHub would refuse is cut at a line, and says so', async () => {
    const whole = `${'가'.repeat(59_999)}\n`;
    await made.forge.comment(issue, 'result:r1', whole);
    expect((await bodies())[0]).toBe(`<!-- fathom:result:r1 -->\n${whole}`);
    await made.forge.comment(issue, 'result:r1', `${'x'.repeat(99)}\n`.repeat(700));
    const cut = (await bodies())[0] ?? '';
    expect(cut.length).toBeLessThan(65_536);
    expect(cut).toMatch(/x\n\n\*The rest does not fit into a comment\.\*$/);
  });

  test('a marker that could end the HTML comment it stands in is refused', async () => {
    for (const marker of ['a -->', 'a--b', '', '한']) {
      await expect(made.forge.comment(issue, marker, 'x')).rejects.toMatchObject({ code: 'input' });
    }
    expect(await bodies()).toEqual([]);
  });

  test('the 101st comment of an issue does not hide an earlier one of ours', async () => {
    await made.forge.comment(issue, 'progress:r1', 'first');
    for (let n = 0; n < 100; n += 1) await front.as('maria').comment(name, issue.number, `${n}`);
    await made.forge.comment(issue, 'progress:r1', 'second');
    await made.forge.comment(issue, 'result:r1', 'late');
    await made.forge.comment(issue, 'result:r1', 'later');
    const all = await front.admin.call<{ body: string }[]>('GET', `${commentsPath()}?per_page=100&page=2`);
    expect(all.map((comment) => comment.body)).toEqual(['99', '<!-- fathom:result:r1 -->\nlater']);
  });
});

describe('earlier results', () => {
  test('they are folded away once, with their text, and the newest stays open', async () => {
    const { forge } = made;
    await forge.comment(issue, 'result:r1', 'Old cause');
    await forge.comment(issue, 'result:r2', 'New cause');
    await forge.comment(issue, 'other:r1', 'Something else');
    expect(await forge.foldComments(issue, 'result:', 'result:r2', 'An earlier diagnosis')).toBe(1);
    expect(await forge.foldComments(issue, 'result:', 'result:r2', 'An earlier diagnosis')).toBe(0);
    const [old, fresh, other] = await bodies();
    expect(old).toContain('<details><summary>An earlier diagnosis</summary>\n\nOld cause\n\n</details>');
    expect(fresh).toBe('<!-- fathom:result:r2 -->\nNew cause');
    expect(other).toBe('<!-- fathom:other:r1 -->\nSomething else');
  });
});

describe('reactions', () => {
  test('reacting twice is one reaction, as we believe GitHub counts', async () => {
    const comment = await front.as('maria').comment(name, issue.number, '/fathom retry');
    await made.forge.react(issue, 'eyes');
    await made.forge.react(issue, 'eyes');
    await made.forge.react(issue, 'rocket', comment.id);
    const on = (path: string) => front.reactions.filter((entry) => entry.on === `/repos/acme/widget/${path}`);
    expect(on(`issues/${issue.number}`)).toMatchObject([{ content: 'eyes', by: 'fathom[bot]' }]);
    expect(on(`issues/comments/${comment.id}`)).toMatchObject([{ content: 'rocket' }]);
  });

  test('a comment of another issue is not reacted to', async () => {
    const other = await front.as('rita').open(name, { title: 'Other', body: '' });
    const comment = await front.as('maria').comment(name, other.number, 'hello');
    await expect(made.forge.react(issue, 'eyes', comment.id)).rejects.toMatchObject({ code: 'input' });
  });
});

describe('an issue on which nothing can be written', () => {
  test('writing to a deleted or transferred issue is no error and writes nowhere, as we believe GitHub answers', async () => {
    const moved = await front.as('rita').open(name, { title: 'Moves', body: '' });
    const target = await front.as('rita').open(name, { title: 'Where it went', body: '' });
    const at = { ...issue, number: moved.number };
    await front.transferIssue(name, moved.number, 'maria', `${front.url}/repos/${name}/issues/${target.number}`);
    await front.deleteIssue(name, issue.number, 'maria');
    expect(await made.forge.comment(issue, 'result:r1', 'x')).toBeUndefined();
    expect(await made.forge.comment(at, 'result:r1', 'x')).toBeUndefined();
    expect(await made.forge.issueState(issue)).toBeUndefined();
    expect(await made.forge.issueState(at)).toBeUndefined();
    expect(await front.admin.comments(name, target.number)).toEqual([]);
  });

  test('a locked conversation that refuses the App is no error; a missing permission is one, as we believe GitHub refuses', async () => {
    front.faults.add({ method: 'POST', path: commentsPath(), fault: { status: 403 }, times: 2 });
    await expect(made.forge.comment(issue, 'result:r1', 'x')).rejects.toMatchObject({ failure: 'forbidden' });
    await front.as('maria').lock(name, issue.number);
    expect(await made.forge.comment(issue, 'result:r1', 'x')).toBeUndefined();
  });
});

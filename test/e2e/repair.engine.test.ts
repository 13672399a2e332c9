import { execFileSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { leapFiles } from '../cli/leap-repository.ts';
import { roleOf, scriptedDeveloper } from '../cli/scripted-developer.ts';
import type { ServedAnswer, ServedRequest } from '../fakes/chat-server.ts';
import { type StagedApp, startStagedApp } from './staged-app.ts';

const REPOSITORY = 'acme/dates';
const FIXED = (leapFiles['dates/calendar.py'] ?? '').replace(
  'return 366 if is_leap(year) else 365',
  'return 366 if is_leap(year) and (year % 100 or not year % 400) else 365',
);
let stage: StagedApp;
beforeAll(async () => {
  stage = await startStagedApp({
    repository: {
      owner: 'acme',
      name: 'dates',
      private: true,
      defaultBranch: 'trunk',
      drafts: false,
      content: { commits: [{ message: 'Count days', files: leapFiles }] },
      roles: { maria: 'write', rita: 'read' },
      labels: ['auto-triage', 'auto-diagnose'],
    },
    settings: { FATHOM_QUESTIONS: '0' },
    script: developer,
  });
});
afterAll(() => stage?.stop());
/** An open pull request is in the way of a repair at the same lines. */
afterEach(async () => {
  const open = (await pulls()).filter(({ state }) => state === 'open');
  for (const { number } of open) {
    await stage.front.as('maria').call('PATCH', `/repos/${REPOSITORY}/pulls/${number}`, { state: 'closed' });
  }
});

const ask = (number: number, label = 'auto-triage') => stage.front.as('maria').label(REPOSITORY, number, label);
const branches = () =>
  execFileSync('git', ['-c', 'safe.directory=*', 'for-each-ref', '--format=%(refname:short)', 'refs/heads/fathom'], {
    cwd: stage.front.gitFolder(REPOSITORY),
    encoding: 'utf8',
  });

describe('auto-triage on a private repository with the default branch trunk', () => {
  it('where GitHub (front) refuses drafts becomes a proven pull request that says so; a diagnosis asked for meanwhile needs no second run', async () => {
    const number = await stage.open('1900 has 366 days');
    const gate = stage.hold('1900 has 366 days');
    await ask(number);
    await gate.reached;
    await ask(number, 'auto-diagnose');
    await stage.front.deliveries.arrived(({ body }) => body.includes('auto-diagnose') && body.includes(`/${number}"`));
    gate.open();
    expect(await stage.ended(number)).toMatchObject([{ mode: 'resolve', end: 'proposed' }]);
    const [pull] = await pulls();
    expect(pull).toMatchObject({ draft: false, base: { ref: 'trunk' }, head: { ref: `fathom/issue-${number}` } });
    expect(pull?.title).toContain('(a draft: not reviewed yet)');
    expect(pull?.body).toContain(`Fixes #${number}`);
    expect(pull?.body).toContain('Nobody has reviewed it yet.');
    expect(await stage.said(number)).toEqual([expect.stringContaining(`pull request #${pull?.number}`)]);
  });

  it('whose change proves nothing opens no pull request: reason and change are on the issue', async () => {
    const number = await stage.open('Unproven');
    await ask(number);
    expect(await stage.ended(number)).toMatchObject([{ end: 'no-pull-request' }]);
    const said = await stage.said(number);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('### What was tried');
    expect(said[0]).toContain('The change that was tried, 1 file');
    expect(said[0]).toContain('+# Leap years.');
    expect(branches()).not.toContain(`issue-${number}\n`);
  });

  it('whose developer changes nothing opens no pull request, and says why', async () => {
    const number = await stage.open('Nothing to change');
    await ask(number);
    expect(await stage.ended(number)).toMatchObject([{ end: 'no-pull-request' }]);
    expect(await stage.said(number)).toEqual([expect.stringContaining('no pull request. It is documented like that.')]);
    expect(branches()).not.toContain(`issue-${number}\n`);
  });

  it('that is stopped while a container works leaves none behind, and no branch', async () => {
    const number = await stage.open('Stopped repair');
    const gate = stage.hold('echo a-step-before-the-stop');
    await ask(number);
    await gate.reached;
    await stage.front.as('maria').comment(REPOSITORY, number, '/fathom stop');
    const [run] = await stage.ended(number);
    gate.open();
    expect(run?.end).toBe('stopped');
    const filter = `label=fathom.run=${run?.id}`;
    expect(execFileSync('docker', ['ps', '-aq', '--filter', filter], { encoding: 'utf8' })).toBe('');
    expect((await stage.said(number))[0]).toContain('no pull request. Stopped by `@maria`.');
    expect(branches()).not.toContain(`issue-${number}\n`);
  });
});

describe('auto-triage while the default branch moves on', () => {
  it.each([
    ['elsewhere: the change is laid on it and proven again there', { 'NEWS.txt': 'New.\n' }, 'rebased'],
    [
      'at the same lines: the pull request says that it conflicts',
      { 'dates/calendar.py': '# Rewritten.\n' },
      'conflict',
    ],
    ['and repairs it: there is nothing left to prove', { 'dates/calendar.py': FIXED }, 'fixed'],
  ])('%s', async (_what, files, outcome) => {
    const number = await stage.open(`Meanwhile ${outcome}`);
    const gate = stage.hold(`Meanwhile ${outcome}`);
    await ask(number);
    await gate.reached;
    const before = await trunk();
    await push(files);
    const after = await trunk();
    gate.open();
    const [run] = await stage.ended(number);
    const pull = (await pulls()).find(({ head }) => head.ref === `fathom/issue-${number}`);
    if (outcome === 'fixed') {
      expect(run?.end).toBe('no-pull-request');
      expect((await stage.said(number))[0]).toMatch(/On the default branch as it is now .*passes on the base commit/);
      expect(pull).toBeUndefined();
    } else {
      expect(run?.end).toBe('proposed');
      const base = outcome === 'rebased' ? after : before;
      expect(git('rev-parse', `${pull?.head.ref}^`).trim()).toBe(base);
      const words = outcome === 'rebased' ? 'was run anew at' : 'This conflicts with the default branch.';
      expect(pull?.body).toContain(words);
      expect(pull?.body).toContain(`\`${after.slice(0, 7)}\``);
      expect(pull?.body).toContain('Proven:');
    }
    await push({ 'dates/calendar.py': leapFiles['dates/calendar.py'] ?? '' });
  });
});

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'safe.directory=*', ...args], {
    cwd: stage.front.gitFolder(REPOSITORY),
    encoding: 'utf8',
  });
const trunk = async () => git('rev-parse', 'trunk').trim();

async function push(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const at = `/repos/${REPOSITORY}/contents/${path}`;
    const there = await stage.front.admin.call<{ sha: string }>('GET', at).catch(() => undefined);
    const content = Buffer.from(text).toString('base64');
    const known = there === undefined ? {} : { sha: there.sha };
    await stage.front.admin.call('PUT', at, { message: 'Move on', content, branch: 'trunk', ...known });
  }
}

interface Pull {
  number: number;
  title: string;
  body: string;
  draft: boolean;
  state: string;
  base: { ref: string };
  head: { ref: string };
}
const pulls = () => stage.front.admin.call<Pull[]>('GET', `/repos/${REPOSITORY}/pulls?state=all`);

/** Repairs the leap years, but for the issues whose titles say otherwise. */
function developer(request: ServedRequest): ServedAnswer {
  if (roleOf(request) !== 'resolver') return scriptedDeveloper(request);
  const { text } = request;
  const acted = text.includes('"tool_calls"');
  const call = (name: string, args: object): ServedAnswer => ({ toolCalls: [{ name, arguments: { ...args } }] });
  const summary = { summary: 'Leap years are explained.', cause: 'They were not.', notChecked: 'Everything.' };
  if (text.includes('Nothing to change')) {
    return call('submit_resolution', { ...summary, noChangeReason: 'It is documented like that.' });
  }
  if (text.includes('Stopped repair')) return call('shell', { command: 'echo a-step-before-the-stop' });
  if (!text.includes('Unproven')) return scriptedDeveloper(request);
  if (!acted) return call('shell', { command: "sed -i '1i # Leap years.' dates/calendar.py" });
  const regressionTest = 'python3 -m unittest tests.test_calendar';
  return call('submit_resolution', { ...summary, regressionTest, testFiles: ['tests/test_calendar.py'] });
}

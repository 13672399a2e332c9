import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChatServer, startChatServer } from '../fakes/chat-server.ts';
import { runFathom } from './fathom-process.ts';
import { leapRepository } from './leap-repository.ts';

let refusing: ChatServer;

beforeAll(async () => {
  refusing = await startChatServer(() => ({
    status: 401,
    json: { error: { message: 'Incorrect key', code: 'invalid_api_key' } },
  }));
});
afterAll(() => refusing.close());

const empty = () => mkdtempSync(join(tmpdir(), 'fathom-messages-'));
const wrongKey = () => ({ OPENAI_API_KEY: 'wrong', OPENAI_BASE_URL: refusing.url, FATHOM_MODEL: 'm' });
const noEngine = { DOCKER_HOST: 'unix:///nowhere/docker.sock' };

describe('what a person reads when something is wrong', () => {
  it('a repair without a model is refused before anything is cloned', async () => {
    const { folder, repo, issue } = leapRepository();
    const { code, stderr } = await runFathom(['resolve', '--repo', repo, '--issue', issue], folder);
    expect(code).toBe(2);
    expect(stderr).toContain('needs a model');
    expect(existsSync(join(folder, 'fathom-runs'))).toBe(false);
  });

  it('a mistyped path is said once, under no heading and with no advice to go on, and nothing is left of it', async () => {
    const folder = empty();
    writeFileSync(join(folder, 'issue.md'), '# It fails\n');
    const { code, stderr } = await runFathom(['diagnose', '--repo', 'nope', '--issue', 'issue.md'], folder);
    expect(code).toBe(2);
    expect(stderr.split('nope: ')).toHaveLength(2);
    expect(stderr).not.toContain('Diagnosing:');
    expect(stderr).not.toContain('--resume');
    expect(readdirSync(folder)).toEqual(['issue.md']);
  });

  it('after a mistyped commit the same command with the right one works, in a folder that was there before', async () => {
    const { folder, repo, issue } = leapRepository();
    mkdirSync(join(folder, 'out'));
    writeFileSync(join(folder, 'out', 'mine.txt'), 'mine');
    const flags = ['diagnose', '--repo', repo, '--issue', issue, '--out', 'out'];
    const wrong = await runFathom([...flags, '--base', 'nope'], folder);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).not.toContain('Diagnosing:');
    expect(readdirSync(join(folder, 'out'))).toEqual(['mine.txt']);
    const right = await runFathom(flags, folder);
    expect(right.code).toBe(0);
    expect(right.stderr).toMatch(/^Diagnosing: 1900 has 366 days\nprepare: /);
    expect(readdirSync(join(folder, 'out'))).toContain('mine.txt');
  });

  it('runs that were there before stay where a path is mistyped', async () => {
    const { folder, repo, issue } = leapRepository();
    await runFathom(['diagnose', '--repo', repo, '--issue', issue], folder);
    const before = readdirSync(join(folder, 'fathom-runs'));
    await runFathom(['diagnose', '--repo', 'nope', '--issue', issue], folder);
    expect(readdirSync(join(folder, 'fathom-runs'))).toEqual(before);
  });

  it('a run is resumed with the flags that it was started with, under its heading', async () => {
    const { folder, repo, issue, base } = leapRepository();
    const flags = ['--repo', repo, '--issue', issue, '--ablate', 'no-hint', '--questions', '1', '--verifier', 'light'];
    await runFathom(['diagnose', ...flags, '--out', 'out'], folder);
    symlinkSync(repo, join(folder, 'link'));
    const again = await runFathom(['diagnose', '--resume', 'out', ...flags, '--out', 'out', '--base', base], folder);
    expect(again.stderr).toMatch(/^Diagnosing: 1900 has 366 days\nprepare: kept from before/);
    expect(again.code).toBe(0);
    expect((await runFathom(['diagnose', '--resume', 'out', '--repo', 'link'], folder)).code).toBe(0);
  });

  it('of flags that differ from those of a resumed run, all are named with what the run has', async () => {
    const { folder, repo, issue } = leapRepository();
    await runFathom(['diagnose', '--repo', repo, '--issue', issue, '--out', 'out'], folder);
    writeFileSync(join(folder, 'other.md'), '# Another fault\n');
    const flags = [
      '--repo',
      'other',
      '--issue',
      'other.md',
      '--base',
      'main',
      '--out',
      'elsewhere',
      '--questions',
      '3',
    ];
    const { code, stderr } = await runFathom(['diagnose', '--resume', 'out', ...flags], folder);
    expect(code).toBe(2);
    const cannot = 'cannot be changed in a run that is resumed:';
    expect(stderr).toContain(`--repo ${cannot} it works on ${repo}, not on ${join(folder, 'other')}`);
    expect(stderr).toContain(`--issue ${cannot} it is about "1900 has 366 days", not "Another fault"`);
    expect(stderr).toContain(`--base ${cannot} it works on HEAD, commit `);
    expect(stderr).toContain(`--out ${cannot} it is kept in ${join(folder, 'out')}`);
    expect(stderr).toContain(`--questions ${cannot} it is 2, not 3`);
    expect(existsSync(join(folder, 'elsewhere'))).toBe(false);
  });

  it('a run that had a model is not resumed to a mere ranking where none is configured', async () => {
    const { folder, repo, issue } = leapRepository();
    const flags = ['--repo', repo, '--issue', issue, '--out', 'out'];
    expect((await runFathom(['diagnose', ...flags], folder, wrongKey())).code).toBe(1);
    const { code, stdout, stderr } = await runFathom(['diagnose', '--resume', 'out'], folder);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('OPENAI_API_KEY is missing, and the run that is resumed was started with the model m');
  });

  it('an issue whose text was edited since is told apart from the one that a resumed run read', async () => {
    const { folder, repo, issue } = leapRepository();
    await runFathom(['diagnose', '--repo', repo, '--issue', issue, '--out', 'out'], folder);
    writeFileSync(issue, '# 1900 has 366 days\n\nAnd 2100, too.\n');
    const { stderr } = await runFathom(['diagnose', '--resume', 'out', '--issue', issue], folder);
    expect(stderr).toContain('the text below "1900 has 366 days" is another one');
    const gone = await runFathom(['diagnose', '--resume', 'out', '--issue', 'gone.md'], folder);
    expect(gone.stderr).toContain('gone.md cannot be read');
  });

  it('flags that would leave out what the run was started with are refused', async () => {
    const { folder, repo, issue } = leapRepository();
    await runFathom(['diagnose', '--repo', repo, '--issue', issue, '--out', 'out'], folder);
    const flags = ['--no-findings', '--verifier', 'light', '--ablate', 'no-hint'];
    const less = await runFathom(['diagnose', '--resume', 'out', ...flags], folder);
    expect(less.code).toBe(2);
    expect(less.stderr).toContain('--no-findings cannot be changed in a run that is resumed: it has a Localizer');
    expect(less.stderr).toContain('--verifier cannot be changed in a run that is resumed: it is off, not light');
    expect(less.stderr).toContain('nothing was left out, not findings, the lexical hint');
    expect((await runFathom(['diagnose', '--resume', 'out'], folder)).code).toBe(0);
  });

  it('a file where the folder of a run should be is said to be that, with no advice to go on', async () => {
    const { folder, repo, issue } = leapRepository();
    const flags = ['diagnose', '--repo', repo, '--issue', issue];
    for (const out of [issue, join(issue, 'below')]) {
      const { code, stderr } = await runFathom([...flags, '--out', out], folder);
      expect(code).toBe(2);
      expect(stderr).toContain('is no folder, or lies below a file');
      expect(stderr).not.toContain('--resume');
    }
  });

  it("each thing that is wrong in a repository's file has a line of its own", async () => {
    const { folder, repo, issue } = leapRepository();
    const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args]);
    mkdirSync(join(repo, '.github'));
    writeFileSync(join(repo, '.github', 'fathom.yml'), 'tests: make\nquestions: 9\n');
    git('add', '.github');
    git('commit', '-qm', 'Settings');
    const { code, stderr } = await runFathom(['diagnose', '--repo', repo, '--issue', issue], folder);
    expect(code).toBe(2);
    expect(stderr).toContain('fathom: .github/fathom.yml:2: questions is too large: at most 5\n');
    expect(stderr).toContain('  Line 1: did you mean `test`?\n  Correct line 2.\n');
  });

  it('a document of a run that failed says so at its head, and not that nothing was found', async () => {
    const { folder, repo, issue } = leapRepository();
    const { code, stdout } = await runFathom(['diagnose', '--repo', repo, '--issue', issue], folder, wrongKey());
    expect(code).toBe(1);
    expect(stdout).toMatch(/^\*\*Fathom could not finish:\*\*/);
    expect(stdout).not.toContain('Nothing was localized');
  });

  it.each(['diagnose', 'resolve'])('an engine that does not answer stops %s before a model is paid', async (verb) => {
    const { folder, repo, issue } = leapRepository();
    const before = refusing.requests.length;
    const engine = { DOCKER_HOST: 'tcp://127.0.0.1:1' };
    const { code, stderr } = await runFathom([verb, '--repo', repo, '--issue', issue], folder, {
      ...wrongKey(),
      ...engine,
    });
    expect(code).toBe(1);
    expect(stderr).toContain('Start the Docker Engine, or point DOCKER_HOST at one that runs.');
    expect(stderr).toContain('--resume');
    expect(refusing.requests).toHaveLength(before);
  });

  it('settings are named as they were given, in words and not in those of a validator', async () => {
    const folder = empty();
    writeFileSync(join(folder, '.env'), 'FATHOM_FINDINGS=perhaps\n');
    const { stderr } = await runFathom(['diagnose', '--budget', 'free', '--questions', '9'], folder);
    expect(stderr).toContain('--budget "free" is not a number');
    expect(stderr).toContain('--questions "9" is too large: at most 5');
    expect(stderr).toContain('FATHOM_FINDINGS "perhaps" is not one of');
    expect(stderr).not.toContain('--no-findings');
  });

  it('a part that cannot be left out is answered with the one that was meant', async () => {
    const { folder, repo, issue } = leapRepository();
    const asked = ['diagnose', '--repo', repo, '--issue', issue];
    const { code, stderr } = await runFathom([...asked, '--ablate', 'no-hint,no-viewfile'], folder);
    expect(code).toBe(2);
    expect(stderr).toContain('no-viewfile is nothing that can be left out');
    expect(stderr).toContain('Did you mean no-view-file?');
    expect((await runFathom([...asked, '--ablate', 'no-hint,no-view-file'], folder)).code).toBe(0);
  });

  it('wrong settings do not keep doctor from looking at the rest', async () => {
    const { code, stdout } = await runFathom(['doctor'], empty(), { ...noEngine, FATHOM_API: 'smoke' });
    expect(code).toBe(1);
    expect(stdout).toContain('✓ Node');
    expect(stdout).toContain('✓ git');
    expect(stdout).toContain('✗ settings       FATHOM_API "smoke" is not one of responses, chat');
  });
});

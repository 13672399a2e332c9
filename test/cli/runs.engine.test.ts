import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ChatServer, type ServedAnswer, type ServedRequest, startChatServer } from '../fakes/chat-server.ts';
import { runFathom, startFathom } from './fathom-process.ts';
import { leapRepository } from './leap-repository.ts';
import { roleOf, scriptedDeveloper } from './scripted-developer.ts';

let model: ChatServer;
let script: (request: ServedRequest) => ServedAnswer | Promise<ServedAnswer> = scriptedDeveloper;

beforeAll(async () => {
  model = await startChatServer((request) => script(request));
});
afterAll(() => model.close());

const variables = () => ({ OPENAI_API_KEY: 'test', OPENAI_BASE_URL: model.url, FATHOM_MODEL: 'scripted' });

const containers = (run: string) =>
  execFileSync('docker', ['ps', '-aq', '--filter', `label=fathom.run=${run}`], { encoding: 'utf8' }).trim();

const json = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

describe('fathom resolve', () => {
  it('takes a clone and an issue to a proven change, and leaves the clone as it was', async () => {
    script = scriptedDeveloper;
    const { folder, repo, base, issue } = leapRepository();
    const out = join(folder, 'out');
    const status = execFileSync('git', ['-C', repo, 'status', '--porcelain'], { encoding: 'utf8' });
    const { code, stdout, stderr } = await runFathom(
      ['resolve', '--repo', repo, '--issue', issue, '--out', out],
      folder,
      variables(),
    );
    expect(stderr).not.toContain('Failed');
    expect(code).toBe(0);
    expect(stdout).toContain('Every year that 4 divides counts as a leap year');
    expect(stdout).toContain('dates/calendar.py');
    expect(json(join(out, 'prove.json'))).toMatchObject({ verdict: 'proven' });
    const runs = json(join(out, 'prove.json')).runs.map((run: { on: string; what: string; exitCode: number }) => [
      run.what,
      run.on,
      run.exitCode === 0,
    ]);
    expect(runs).toEqual([
      ['regression', 'base', false],
      ['regression', 'base+patch', true],
      ['suite', 'base', true],
      ['suite', 'base+patch', true],
    ]);
    const patch = readFileSync(join(out, 'patch.diff'), 'utf8');
    expect(patch).toContain('year % 400 == 0');
    expect(patch).not.toContain('private work');
    expect(stdout).toContain(`after \`export PATCH=${join(out, 'patch.diff')}\``);
    expect(json(join(out, 'receipt.json')).base).toBe(base);
    expect(execFileSync('git', ['-C', repo, 'status', '--porcelain'], { encoding: 'utf8' })).toBe(status);
    const transcripts = readdirSync(join(out, 'trajectories')).sort();
    expect(transcripts).toEqual([
      'answerer-Q1.jsonl',
      'answerer-Q2.jsonl',
      'localizer.jsonl',
      'questioner.jsonl',
      'resolver.jsonl',
    ]);
    expect(containers(json(join(out, 'run.json')).id)).toBe('');
  });

  it('links what was found in the code, and strikes what was not', async () => {
    script = scriptedDeveloper;
    const { folder, repo, issue } = leapRepository();
    const out = join(folder, 'out');
    const { stdout } = await runFathom(
      ['diagnose', '--repo', repo, '--issue', issue, '--out', out],
      folder,
      variables(),
    );
    const verdicts = json(join(out, 'audit.json')).knowledge[0].checked.map((one: { verdict: string }) => one.verdict);
    expect(verdicts).toEqual(['confirmed', 'struck', 'confirmed']);
    expect(stdout).toContain('2 of 3');
    expect(existsSync(join(out, 'resolve.json'))).toBe(false);
  });

  it('shows agents nothing of what came after the base commit', async () => {
    const { folder, repo, issue } = leapRepository();
    const look = 'git log --all --oneline; git cat-file --batch-all-objects --batch-check; ls; cat uncommitted.txt';
    script = (request) =>
      roleOf(request) === 'answerer' && !request.text.includes('"tool_calls"')
        ? { toolCalls: [{ name: 'shell', arguments: { command: look } }] }
        : scriptedDeveloper(request);
    await runFathom(['diagnose', '--repo', repo, '--issue', issue, '--out', join(folder, 'out')], folder, variables());
    const seen = readFileSync(join(folder, 'out/trajectories/answerer-Q1.jsonl'), 'utf8');
    expect(seen).toContain('Count days');
    expect(seen).not.toContain('A later commit');
    expect(seen).not.toContain('private work');
    expect(seen).not.toContain('later.py');
  });

  it('an empty patch is a normal end', async () => {
    const { folder, repo, issue } = leapRepository();
    const noChange = { summary: 'Nothing to do.', noChangeReason: 'The behaviour is documented.', notChecked: 'all' };
    script = (request) =>
      roleOf(request) === 'resolver'
        ? { toolCalls: [{ name: 'submit_resolution', arguments: noChange }] }
        : scriptedDeveloper(request);
    const { code, stderr } = await runFathom(
      ['resolve', '--repo', repo, '--issue', issue, '--out', join(folder, 'out')],
      folder,
      variables(),
    );
    expect(code).toBe(0);
    expect(stderr).toContain('The behaviour is documented.');
    expect(existsSync(join(folder, 'out/patch.diff'))).toBe(false);
  });

  it('Ctrl-C stops soon, leaves no container, and a resume starts only what was missing', async () => {
    const { folder, repo, issue } = leapRepository();
    const out = join(folder, 'out');
    let hanging = true;
    script = async (request) => {
      if (hanging && roleOf(request) === 'localizer') await new Promise(() => undefined);
      return scriptedDeveloper(request);
    };
    const first = startFathom(['resolve', '--repo', repo, '--issue', issue, '--out', out], folder, variables());
    await expect
      .poll(() => existsSync(join(out, 'answer/Q2.json')) && existsSync(join(out, 'answer/Q1.json')), {
        timeout: 60_000,
        interval: 100,
      })
      .toBe(true);
    first.kill('SIGINT');
    const stopped = await first.done;
    expect(stopped.code).toBe(130);
    expect(stopped.stderr).toContain(`--resume ${out}`);
    expect(containers(json(join(out, 'run.json')).id)).toBe('');
    hanging = false;
    const before = model.requests.length;
    const second = await runFathom(['resolve', '--resume', out], folder, variables());
    expect(second.code).toBe(0);
    const asked = model.requests.slice(before).map(roleOf);
    expect(asked).toEqual(['localizer', 'localizer', 'resolver', 'resolver']);
  });

  it('Ctrl-C before anything was found promises nothing that is to follow', async () => {
    const { folder, repo, issue } = leapRepository();
    script = () => new Promise(() => undefined);
    const before = model.requests.length;
    const run = startFathom(['diagnose', '--repo', repo, '--issue', issue, '--out', 'out'], folder, variables());
    await expect.poll(() => model.requests.length, { timeout: 60_000, interval: 100 }).toBeGreaterThan(before);
    run.kill('SIGINT');
    expect((await run.done).stdout).toBe('**Stopped** by Ctrl-C before anything was found.\n');
  });

  it('a model that fails in the middle keeps what was done, and says how to go on', async () => {
    const { folder, repo, issue } = leapRepository();
    const out = join(folder, 'out');
    script = (request) =>
      roleOf(request) === 'resolver'
        ? { status: 401, json: { error: { message: 'no', code: 'invalid_api_key' } } }
        : scriptedDeveloper(request);
    const { code, stdout, stderr } = await runFathom(
      ['resolve', '--repo', repo, '--issue', issue, '--out', out],
      folder,
      variables(),
    );
    expect(code).toBe(1);
    expect(stdout).toContain('Every year that 4 divides');
    expect(stderr).toContain('--resume');
  });
});

describe('set-up', () => {
  it('does not hold up a run that has failed, and leaves no container', async () => {
    const { folder, repo, base, issue } = leapRepository();
    const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args], { stdio: 'ignore' });
    mkdirSync(join(repo, '.github'));
    writeFileSync(join(repo, '.github/fathom.yml'), 'setup: sleep 1000\n');
    git('checkout', '-q', '-b', 'slow', base);
    git('add', '.github');
    git('commit', '-qm', 'Set up slowly');
    const out = join(folder, 'out');
    script = async () => {
      const run = json(join(out, 'run.json')).id;
      await expect.poll(() => containers(run), { timeout: 30_000, interval: 100 }).not.toBe('');
      return { status: 401, json: { error: { message: 'no', code: 'invalid_api_key' } } };
    };
    const { code } = await runFathom(['resolve', '--repo', repo, '--issue', issue, '--out', out], folder, variables());
    expect(code).toBe(1);
    expect(containers(json(join(out, 'run.json')).id)).toBe('');
  });
});

describe('bad input', () => {
  it('without a model the suspects are ranked, and said to be no diagnosis', async () => {
    const { folder, repo, issue } = leapRepository();
    const { code, stdout, stderr } = await runFathom(['diagnose', '--repo', repo, '--issue', issue], folder);
    expect(code).toBe(0);
    expect(stdout).toContain('dates/calendar.py');
    expect(stdout.toLowerCase()).toContain('not a diagnosis');
    expect(stderr).toContain('No model');
  });

  it.each([
    ['a missing repository', { repo: '/nowhere/at/all' }, '/nowhere/at/all'],
    ['a missing issue', { issue: '/nowhere/issue.md' }, '/nowhere/issue.md'],
    ['a base that does not exist', { base: 'no-such-branch' }, 'no-such-branch'],
    ['a folder that holds a run', { out: 'twice' }, 'holds a run already'],
  ])('%s is named, with a remedy, and exits with 2', async (_name, wrong, named) => {
    const { folder, repo, issue } = leapRepository();
    const flags = { repo, issue, ...wrong };
    const args = ['diagnose', ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])];
    if ('out' in wrong) await runFathom(args, folder);
    const { code, stderr } = await runFathom(args, folder);
    expect(stderr).toContain(named);
    expect(code).toBe(2);
  });

  it('an engine that cannot be reached ends the run with what to do', async () => {
    script = scriptedDeveloper;
    const { folder, repo, issue } = leapRepository();
    const { code, stderr } = await runFathom(['diagnose', '--repo', repo, '--issue', issue], folder, {
      ...variables(),
      DOCKER_HOST: 'unix:///nowhere/docker.sock',
    });
    expect(code).toBe(1);
    expect(stderr).toContain('/nowhere/docker.sock');
  });
});

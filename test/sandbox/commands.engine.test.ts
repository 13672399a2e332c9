import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Sandbox } from '../../src/domain/ports/sandbox-host.ts';
import { createDockerHost } from '../../src/sandbox/create-docker-host.ts';
import { engineWithoutPs } from './engine-without-ps.ts';
import { host, leftovers, never, run, specFor } from './sandbox-fixture.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await host.start(specFor('commands'), never);
});
afterAll(() => sandbox.remove());

test('a command tells its exit code, and its two streams in the order in which they were written', async () => {
  const script = 'for i in 1 2 3; do echo out $i; echo err $i >&2; done; exit 7';
  const result = await run(sandbox, script);
  expect(result).toMatchObject({ exitCode: 7, ending: 'exited', leftRunning: [], elidedLines: 0 });
  expect(result.output).toBe('out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3\n');
});

test('every command has a fresh shell: neither a folder nor a variable outlives it, files do', async () => {
  await run(sandbox, 'cd /usr; KEPT=1; export KEPT; echo kept > /tmp/kept');
  const { output } = await run(sandbox, 'pwd; echo "[$KEPT]"; cat /tmp/kept');
  expect(output).toBe('/tmp\n[]\nkept\n');
});

test('a command that waits for input gets none instead of hanging', async () => {
  const { output } = await run(sandbox, 'cat; read -r x || echo nothing to read');
  expect(output).toBe('nothing to read\n');
});

test('git finds nobody to ask, no pager and no editor, and trusts the checkout', async () => {
  const { output } = await run(
    sandbox,
    'env | grep -E "^(PAGER|GIT_PAGER|GIT_TERMINAL_PROMPT|GIT_EDITOR|DEBIAN_FRONTEND|CI|TERM|LC_ALL|PYTHONUNBUFFERED|HOME)=" | sort; git config --get-all safe.directory',
  );
  expect(output.split('\n')).toEqual([
    'CI=1',
    'DEBIAN_FRONTEND=noninteractive',
    'GIT_EDITOR=true',
    'GIT_PAGER=cat',
    'GIT_TERMINAL_PROMPT=0',
    'HOME=/home/agent',
    'LC_ALL=C.UTF-8',
    'PAGER=cat',
    'PYTHONUNBUFFERED=1',
    'TERM=dumb',
    '/repo',
    '/tmp',
    '',
  ]);
});

test('folder and environment of one command can be given', async () => {
  const { output } = await run(sandbox, 'pwd; echo $COLOUR', { cwd: '/usr', env: { COLOUR: 'green' } });
  expect(output).toBe('/usr\ngreen\n');
});

test('a folder that is not there is told as a shell tells it', async () => {
  const result = await run(sandbox, 'echo never', { cwd: '/nowhere' });
  expect(result.exitCode).toBe(126);
  expect(result.output).toContain('/nowhere: No such file or directory');
});

test('a command that does not end is stopped at its time limit, and so is everything that it started', async () => {
  const stubborn = `trap '' TERM INT HUP; (setsid sleep 901 &); (trap '' TERM; setsid bash -c 'while :; do sleep 902; done' &)
    sleep 903 & nohup sleep 904 >/dev/null 2>&1 & echo begun; while :; do sleep 0.2; done`;
  const result = await run(sandbox, stubborn, { seconds: 1 });
  expect(result).toMatchObject({ exitCode: null, ending: 'timed-out' });
  expect(result.output).toContain('begun');
  expect(result.leftRunning.join('\n')).toMatch(/sleep 90[14]/);
  expect(await leftovers(sandbox)).toEqual([]);
});

test('what a command leaves in the background is named and ended', async () => {
  const result = await run(sandbox, 'sleep 905 & setsid sleep 906 & nohup sleep 907 >/dev/null 2>&1 & echo done');
  expect(result).toMatchObject({ exitCode: 0, ending: 'exited', output: 'done\n' });
  expect(result.leftRunning.sort()).toEqual(['sleep 905', 'sleep 906', 'sleep 907']);
  expect(await leftovers(sandbox)).toEqual([]);
});

test('what finishes in a moment after its command is not cut off', async () => {
  const { output, leftRunning } = await run(sandbox, 'echo late > >(sleep 0.02; cat)');
  expect(output).toBe('late\n');
  expect(leftRunning).toEqual([]);
});

test('a command that kills everything it can reach, or the shell around it, leaves nothing running either', async () => {
  for (const command of ['kill -9 -1; sleep 908', 'kill -9 $PPID; sleep 909', 'kill -9 $$', 'kill 0']) {
    const result = await run(sandbox, command);
    expect(result.exitCode).toBeGreaterThan(128);
    expect(await leftovers(sandbox)).toEqual([]);
  }
});

test('a command that stops the shell around it is ended at the time limit', async () => {
  const result = await run(sandbox, 'kill -STOP $PPID; sleep 910', { seconds: 1 });
  expect(result.ending).toBe('timed-out');
  expect(await leftovers(sandbox)).toEqual([]);
});

test('a fork bomb is held and ended, and the container goes on', async () => {
  const result = await run(sandbox, ':(){ :|:& };:; sleep 911', { seconds: 2 });
  expect(result.ending).toBe('timed-out');
  expect(await leftovers(sandbox)).toEqual([]);
});

test('processes that fill the whole limit, so that nothing more can start, are ended', async () => {
  const full = 'for i in $(seq 200); do setsid sleep 912 2>/dev/null & done 2>/dev/null; while :; do :; done';
  const result = await run(sandbox, full, { seconds: 3 });
  expect(result.ending).toBe('timed-out');
  expect(result.leftRunning).toContain('sleep 912');
  expect(await leftovers(sandbox)).toEqual([]);
});

test('a stopped run ends its command and all of its processes, and says who stopped it', async () => {
  const stop = new AbortController();
  const command = sandbox.exec('setsid sleep 913 & sleep 914', { seconds: 60 }, stop.signal);
  setTimeout(() => stop.abort(), 300);
  await expect(command).rejects.toMatchObject({ code: 'cancelled' });
  expect(await leftovers(sandbox)).toEqual([]);
});

test('a command of several megabytes runs like any other', async () => {
  const command = `: ${'x'.repeat(3_000_000)}\ncd /usr; echo "$# arguments"; cat; sleep 915 & exit 3`;
  const result = await run(sandbox, command);
  expect(result).toMatchObject({ exitCode: 3, output: '0 arguments\n', leftRunning: ['sleep 915'] });
  expect(await leftovers(sandbox)).toEqual([]);
});

test('commands with quotes, newlines, every script and half characters arrive as they are', async () => {
  const { output } = await run(sandbox, `printf '%s|' "a'b" 'c"d' $'e\\nf' 'ü漢😀' '\\'`);
  expect(output).toBe(`a'b|c"d|e\nf|ü漢😀|\\|`);
  expect((await run(sandbox, "echo '\ud83d'")).output).toBe('�\n');
});

test('a command with a NUL is refused like a shell refuses it', async () => {
  expect(await run(sandbox, 'echo a\0b')).toMatchObject({ exitCode: 126, output: expect.stringContaining('NUL') });
});

test('commands that are asked for at once take turns', async () => {
  const results = await Promise.all([1, 2, 3].map((n) => run(sandbox, `sleep 0.1; echo ${n}`)));
  expect(results.map(({ output, exitCode }) => [output, exitCode])).toEqual([
    ['1\n', 0],
    ['2\n', 0],
    ['3\n', 0],
  ]);
});

test('where the engine cannot list processes, commands run just the same and leave nothing either', async () => {
  const { socketPath, close } = await engineWithoutPs();
  onTestFinished(close);
  const blind = await createDockerHost({ socketPath }).start(specFor('no-ps'), never);
  onTestFinished(() => blind.remove());
  expect((await run(blind, 'echo plain; setsid sleep 940 & exit 4')).exitCode).toBe(4);
  expect(await leftovers(blind)).toEqual([]);
  expect((await run(blind, 'kill -9 -1; sleep 941')).exitCode).toBe(137);
  expect(await leftovers(blind)).toEqual([]);
  expect((await run(blind, 'setsid sleep 942 & sleep 943', { seconds: 1 })).ending).toBe('timed-out');
  expect(await leftovers(blind)).toEqual([]);
});

test('where the engine cannot list processes, a container without bash is told as unfit all the same', async () => {
  const { socketPath, close } = await engineWithoutPs();
  onTestFinished(close);
  const spec = specFor('no-ps', { writableRoot: true, workdir: '/' });
  const blind = await createDockerHost({ socketPath }).start(spec, never);
  onTestFinished(() => blind.remove());
  // Where an engine isolates nothing (one inside a chroot, say), the host's own shell must survive this test.
  await run(blind, `[ -e '${import.meta.filename}' ] || rm -f /bin/bash /usr/bin/bash`, { root: true });
  await expect(run(blind, 'true')).rejects.toMatchObject({ remedy: expect.stringContaining('needs bash') });
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sandbox } from '../../src/domain/ports/sandbox-host.ts';
import { host, leftovers, never, run, specFor } from './sandbox-fixture.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await host.start(specFor('output'), never);
});
afterAll(() => sandbox.remove());

test('a long output is shown by its ends, and the whole of it can be read in the container', async () => {
  const result = await run(sandbox, 'seq 30000');
  expect(result.output.length).toBeLessThan(10_200);
  expect(result.output.startsWith('1\n2\n')).toBe(true);
  expect(result.output.endsWith('29999\n30000\n')).toBe(true);
  expect(result.output).toContain(`${result.elidedLines} of 30000 lines are not shown`);
  expect(result.output).toContain(result.spillPath ?? 'a path');
  const same = await run(sandbox, `seq 30000 | cmp - ${result.spillPath} && sed -n 15000p ${result.spillPath}`);
  expect(same).toMatchObject({ exitCode: 0, output: '15000\n' });
});

test('the number of characters that are shown can be asked for', async () => {
  const { output } = await run(sandbox, 'seq 30000', { shownCharacters: 200 });
  expect(output.length).toBeLessThan(400);
});

test('a link that waits where an output will be kept is not written through', async () => {
  await run(
    sandbox,
    'for i in $(seq 50); do ln -s /tmp/victim /tmp/command-output-$i.txt; done 2>/dev/null; echo mine > /tmp/victim',
  );
  const result = await run(sandbox, 'seq 30000');
  expect(result.spillPath).toBeUndefined();
  expect(result.elidedLines).toBeGreaterThan(0);
  expect((await run(sandbox, 'cat /tmp/victim; rm -f /tmp/command-output-*')).output).toBe('mine\n');
});

test('a command that prints gigabytes is stopped soon, and both ends of what was carried are kept', async () => {
  for (const command of ['yes', 'head -c 5G /dev/zero', 'cat /dev/urandom', 'yes >&2']) {
    const result = await run(sandbox, command);
    expect(result).toMatchObject({ exitCode: null, ending: 'output-limit', totalBytes: 32 * 2 ** 20 });
    expect(result.output.length).toBeLessThan(10_200);
    expect(await leftovers(sandbox)).toEqual([]);
  }
});

test('a flood on the channel of the shell around it is stopped just the same', async () => {
  const result = await run(sandbox, 'yes > /proc/$PPID/fd/3');
  expect(result.ending).toBe('output-limit');
  expect(await leftovers(sandbox)).toEqual([]);
});

test('an output that fits into the limit comes whole to its last byte', async () => {
  const result = await run(sandbox, 'head -c 20000000 /dev/zero | tr "\\0" "a"; echo; echo last');
  expect(result).toMatchObject({ exitCode: 0, ending: 'exited', totalBytes: 20_000_006 });
  expect(result.output.endsWith('\nlast\n')).toBe(true);
});

test('bytes that are no text are counted exactly and break nothing', async () => {
  const result = await run(sandbox, "printf 'a\\377\\376b\\303\\251\\000\\351'");
  expect(result).toMatchObject({ output: 'a��bé␀�', undecodableBytes: 3, totalBytes: 8 });
});

test('short outputs are never lost, however quickly their commands end', async () => {
  for (let round = 0; round < 25; round += 1) {
    const result = await run(sandbox, `echo out ${round}; echo err >&2; exit 5`);
    expect([result.output, result.exitCode]).toEqual([`out ${round}\nerr\n`, 5]);
  }
});

test('a full disk in the container costs the kept output and nothing else', async () => {
  const result = await run(sandbox, 'head -c 1G /dev/zero > /tmp/full 2>/dev/null; seq 30000');
  expect(result).toMatchObject({ exitCode: 0, ending: 'exited' });
  expect(result.spillPath).toBeUndefined();
  expect(result.output).toContain('bytes in all');
  expect((await run(sandbox, 'rm /tmp/full; echo fine')).output).toBe('fine\n');
});

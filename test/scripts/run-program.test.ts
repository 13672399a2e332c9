import { expect, test } from 'vitest';
import { runProgram } from '../../scripts/provide/run-program.ts';

test('a program that fails is told with the end of what it printed and what to do', async () => {
  const failing = runProgram('bash', ['-c', 'seq 5000; echo the reason >&2; exit 3'], 'Do this.');
  await expect(failing).rejects.toMatchObject({
    code: 'program',
    remedy: 'Do this.',
    message: expect.stringMatching(/ended with 3\n.*the reason$/s),
  });
});

test('a program that is not there is told as such', async () => {
  await expect(runProgram('no-such-program', [], 'Install it.')).rejects.toMatchObject({ remedy: 'Install it.' });
});

import { expect, test } from 'vitest';
import { CommandOutput } from '../../src/sandbox/command-output.ts';

const MiB = 2 ** 20;

function outputOf(text: string | Buffer, keptBytes = MiB): CommandOutput {
  const output = new CommandOutput(keptBytes);
  output.push(Buffer.from(text));
  return output;
}

const numbered = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join('');

test('an output that fits is shown as it is', () => {
  expect(outputOf('one\ntwo').shown(7)).toEqual({ text: 'one\ntwo', elided: false, elidedLines: 0 });
});

test('an output that is a little too long is shown whole, one that is longer is cut', () => {
  expect(outputOf(numbered(140)).shown(1000).elided).toBe(false);
  expect(outputOf(numbered(170)).shown(1000).elided).toBe(true);
});

test('a long output is shown by its first and last whole lines, and says how many are missing and where to read them', () => {
  const shown = outputOf(numbered(1000)).shown(100, '/tmp/whole.txt');
  const lines = shown.text.trimEnd().split('\n');
  expect(lines.slice(0, 2)).toEqual(['line 1', 'line 2']);
  expect(lines.slice(-1)).toEqual(['line 1000']);
  const [gap] = lines.filter((line) => line.startsWith('[...'));
  expect(gap).toContain(`${shown.elidedLines} of 1000 lines are not shown`);
  expect(gap).toContain('/tmp/whole.txt');
  expect(lines.length - 1 + shown.elidedLines).toBe(1000);
  for (const line of lines) expect(line).toMatch(/^(line \d+|\[\.\.\. .* \.\.\.\])$/);
});

test('of an output that has to be cut no more characters are shown than were asked for', () => {
  for (const characters of [0, 1, 10, 99, 5000]) {
    const { text } = outputOf(numbered(3000)).shown(characters);
    const withoutGap = text.replace(/\n?\[\.\.\. .* \.\.\.\]\n/, '');
    expect(withoutGap.length).toBeLessThanOrEqual(characters);
  }
});

test('one line that is longer than everything shown is cut in its middle', () => {
  const shown = outputOf(`a${'x'.repeat(50_000)}z`).shown(1000);
  expect(shown.elidedLines).toBe(0);
  expect(shown.text).toMatch(
    /^ax+\n\[\.\.\. the middle of a long line is not shown; 50002 bytes in all \.\.\.\]\nx+z$/,
  );
});

test('a cut never leaves half a character', () => {
  const shown = outputOf('😀'.repeat(10_000)).shown(101);
  expect(shown.text.isWellFormed()).toBe(true);
});

test('of an output larger than what is kept both ends are there, and all of it is counted', () => {
  const output = new CommandOutput(1000);
  for (let line = 1; line <= 200_000; line += 1) output.push(Buffer.from(`line ${line}\n`));
  expect(output.lines).toBe(200_000);
  expect(output.totalBytes).toBe(Buffer.byteLength(numbered(200_000)));
  const kept = output.kept().toString();
  expect(kept.startsWith('line 1\nline 2\n')).toBe(true);
  expect(kept.endsWith('line 199999\nline 200000\n')).toBe(true);
  expect(kept).toContain('bytes were not kept');
  expect(kept.length).toBeLessThan(2100);
  expect(output.shown(100).elidedLines).toBeGreaterThan(199_900);
});

test('what is kept of an output is the output where it is short enough', () => {
  const output = new CommandOutput(10);
  for (const piece of ['0123456', '789abc', 'defghij']) output.push(Buffer.from(piece));
  expect(output.kept().toString()).toBe('0123456789abcdefghij');
});

test('a NUL is shown as a character that databases and terminals bear', () => {
  expect(outputOf('a\0b').shown(100).text).toBe('a␀b');
});

test('bytes that are not UTF-8 are shown as the replacement character and counted', () => {
  const output = outputOf(Buffer.from([0x61, 0xff, 0xfe, 0xc3, 0xa9, 0xe9, 0x62]));
  expect(output.shown(100).text).toBe('a��é�b');
  expect(output.undecodableBytes).toBe(3);
});

import { describe, expect, it } from 'vitest';
import { ownWords } from '#src/pipeline/own-words.ts';
import { patchBetween } from './support/patch-between.ts';

const script = [
  '#!/bin/sh',
  'for n in 4091 4092; do',
  '  if ! ./tool $n; then echo "the character after $n bytes of raw input is mangled"; exit 1; fi',
  'done',
];

const test = patchBetween({}, { 'tests/run.sh': script.join('\n') });
const MANGLED = 'the character after 4092 bytes of raw input is mangled';

describe('what a test script that no runner knows says itself', () => {
  it('is found in its output, with values put in', () => {
    expect(ownWords(`checking…\n${MANGLED}\n`, test)).toBe(MANGLED);
  });

  it.each([
    ['a compiler or shell that shows the line of the script', `tests/run:3: error\n  3 | ${script[2]?.trim()}`],
    ['a program that is missing', 'tests/run: line 3: ./tool: No such file or directory'],
    ['a build that failed before the test', "make: *** No rule to make target 'check'.  Stop."],
    ['nothing', ''],
  ])('is not %s', (_, output) => {
    expect(ownWords(output, test)).toBeUndefined();
  });

  it('is not looked for in all of a test of megabytes, whose quotes never close', () => {
    const endless = Array.from({ length: 5_000 }, () => '"\\'.repeat(900));
    const long = patchBetween({}, { 'tests/run.sh': [...endless, ...script].join('\n') });
    expect(ownWords(MANGLED, long)).toBeUndefined();
    const short = patchBetween({}, { 'tests/run.sh': [...script, ...endless].join('\n') });
    expect(ownWords(MANGLED, short)).toBe(MANGLED);
  });

  it('is not what a source file of the change prints', () => {
    expect(ownWords(MANGLED, patchBetween({}, { 'src/run.sh': script.join('\n') }))).toBeUndefined();
  });
});

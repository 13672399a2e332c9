import { describe, expect, it } from 'vitest';
import { sentences } from '../../src/report/first-sentences.ts';

describe('the first sentences of a text', () => {
  it.each([
    [
      'end where the next one begins with code in lower case',
      '`Boolean(x)` decides. `parse` reads it. So.',
      1,
      '`Boolean(x)` decides.',
    ],
    [
      'do not end at a dot in a path',
      'It is in `a.b` (src/compact.js:13), so. Next.',
      1,
      'It is in `a.b` (src/compact.js:13), so.',
    ],
    ['do not end inside code', 'Call `a. B. c`. Then go.', 1, 'Call `a. B. c`.'],
    ['go on to the end where a code span is never closed', 'One `two. Three. Four', 1, 'One `two. Three. Four'],
    [
      'do not end in parentheses or at an abbreviation',
      'Its twin (3.4 and below, incl. 2.7. Or so) is bound. Next.',
      1,
      'Its twin (3.4 and below, incl. 2.7. Or so) is bound.',
    ],
    ['end where a parenthesis is never closed', 'One :( two. Three.', 1, 'One :( two.'],
    ['are all there are', 'Only one', 3, 'Only one'],
    ['are of the first paragraph', 'One.\n\nTwo.', 2, 'One.'],
  ])('%s', (_, text, most, expected) => {
    expect(sentences(text, most, 400)).toBe(expected);
  });
});

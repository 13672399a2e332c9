import { stripVTControlCharacters } from 'node:util';

const MOST_LINE = 2_000;
const MOST_OUTPUT = 4_000_000;

/** Lines of a command's output without terminal colours; very long ones are cut, since no summary is that long. */
export function outputLines(output: string): string[] {
  const text = stripVTControlCharacters(output.slice(-MOST_OUTPUT)).replaceAll('\u200b', '');
  return text.split(/\r?\n|\r/).map((line) => line.slice(0, MOST_LINE).trimEnd());
}

import { stripVTControlCharacters } from 'node:util';

const MOST_LINE = 2_000;
const MOST_OUTPUT = 4_000_000;
/** Every reader goes over all lines, and nothing else is done meanwhile: millions of empty ones would take half a minute. */
const MOST_LINES = 250_000;

/** Lines of a command's output without terminal colours; very long ones are cut, since no summary is that long. */
export function outputLines(output: string): string[] {
  const text = stripVTControlCharacters(output.slice(-MOST_OUTPUT)).replaceAll('\u200b', '');
  const lines = text.split(/\r?\n|\r/).slice(-MOST_LINES);
  return lines.map((line) => line.slice(0, MOST_LINE).trimEnd());
}

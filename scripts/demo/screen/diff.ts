import { plainText } from '../../../src/report/plain-text.ts';
import { fitted, type Screen } from './screen.ts';

/** A unified diff as lines in the usual colours; git's own header lines are left out. */
export function diffLines(screen: Screen, diff: string): string[] {
  const lines = plainText(diff, 200_000).trimEnd().split('\n');
  return lines
    .filter((line) => !/^(diff --git|index |new file mode|--- )/.test(line))
    .map((line) => colored(screen, line));
}

function colored(screen: Screen, line: string): string {
  const shown = line.replaceAll('\t', '  ').trimEnd();
  const text = shown.length > screen.width ? `${shown.slice(0, screen.width - 1)}…` : shown;
  if (line.startsWith('+++ ')) return screen.style('bold', fitted(line.slice(4).replace(/^b\//, ''), screen.width));
  if (line.startsWith('+')) return screen.style('green', text);
  if (line.startsWith('-')) return screen.style('red', text);
  return line.startsWith('@@') ? screen.style('cyan', text) : text;
}

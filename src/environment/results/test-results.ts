import type { TestCounts } from '../../domain/proof.ts';

/** What a test run's output says. `counts` is absent where the framework prints none. */
export interface TestResults {
  counts?: TestCounts;
  /** Names as the framework writes them, each once. */
  failing: string[];
  framework?: string;
}

/** Reads one framework's output, line by line; undefined where it is not that framework's. */
export type ResultReader = (lines: string[]) => TestResults | undefined;

export const distinct = (names: string[]): string[] => [...new Set(names.map((name) => name.trim()))].slice(0, 2_000);

/** The text after `prefix` of each line that starts with it, white space aside. */
export const after = (lines: string[], prefix: string): string[] =>
  lines.flatMap((line) => {
    const text = line.trim();
    return text.startsWith(prefix) ? [text.slice(prefix.length)] : [];
  });

/** The number before a word in "1 failed, 2 passed": 0 where it is not there. */
export function numberOf(parts: string[], ...words: string[]): number {
  let sum = 0;
  for (const part of parts) {
    const [count, word] = part.trim().split(' ');
    if (count !== undefined && word !== undefined && words.includes(word) && /^\d+$/.test(count)) sum += Number(count);
  }
  return sum;
}

/** The number after a name in "Tests: 3, Failures: 1": 0 where it is not there. */
export function figureOf(parts: string[], ...names: string[]): number {
  let sum = 0;
  for (const part of parts) {
    const [name, value] = part.split(/[:=]/, 2).map((word) => word.trim());
    if (name !== undefined && value !== undefined && names.includes(name) && /^\d+/.test(value))
      sum += Number.parseInt(value, 10);
  }
  return sum;
}

import { createInterface } from 'node:readline/promises';

/** Where progress goes, and whom to ask before something is installed. */
export interface Console {
  say(line: string): void;
  /** True where nobody can be asked. */
  agrees(question: string): Promise<boolean>;
}

/** Progress on standard error; questions only at a terminal, outside of CI. */
export const terminal: Console = {
  say: (line) => void process.stderr.write(`${line}\n`),
  agrees: async (question) => {
    const askable = process.stdin.isTTY && process.stderr.isTTY && !process.env['CI'];
    if (!askable) return true;
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    const answer = await lines.question(`${question} [Y/n] `);
    lines.close();
    return !/^n/i.test(answer.trim());
  },
};

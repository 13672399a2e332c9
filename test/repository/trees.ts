import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { CheckoutReader } from '../../src/repository/checkout-reader.ts';

/** A temporary folder with these files, removed after the test. */
export function makeTree(files: Record<string, string | Buffer>): string {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'fathom-tree-'));
  onTestFinished(() => fs.rmSync(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), content);
  }
  return root;
}

/** A reader in this process of a temporary tree. */
export function readerOf(files: Record<string, string | Buffer>): CheckoutReader {
  return new CheckoutReader(makeTree(files));
}

export function numbered(count: number, line: (number: number) => string): string {
  return Array.from({ length: count }, (_, index) => `${line(index + 1)}\n`).join('');
}

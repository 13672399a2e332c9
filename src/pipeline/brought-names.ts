import { addedLines } from '../domain/added-lines.ts';
import type { Patch } from '../domain/patch.ts';

/**
 * Tells whether a name is one that only this change defines: it stands in a line that a source file gains, and not just
 * as a member that is used there.
 */
export function broughtBy(patch: Patch | undefined): (name: string) => boolean {
  if (patch === undefined) return () => false;
  const sources = new Set(patch.files.filter(({ kind }) => kind === 'source').map(({ path }) => path));
  const lines = addedLines(patch).filter(({ path }) => sources.has(path));
  return (name) => lines.some(({ text }) => defines(text, name));
}

function defines(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
    const before = line.slice(Math.max(0, at - 6), at);
    const after = line.slice(at + name.length, at + name.length + 4);
    if (/\w$/.test(before) || /^\w/.test(after)) continue;
    if (!before.endsWith('.') && !before.endsWith('->')) return true;
    if (/(?:self|this|cls)\.$/.test(before) && /^\s*=(?!=)/.test(after)) return true;
  }
  return false;
}

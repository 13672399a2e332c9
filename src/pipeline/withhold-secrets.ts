import { addedLines } from '../domain/added-lines.ts';
import type { Patch } from '../domain/patch.ts';
import type { Secrets } from '../domain/ports/secrets.ts';

const MOST_NAMED = 3;

/** Why this change must not leave the machine, or undefined: what it adds, file by file, looks like a secret. */
export async function secretsAddedBy(patch: Patch, secrets: Secrets): Promise<string | undefined> {
  const byPath = Map.groupBy(addedLines(patch), (line) => line.path);
  const places: string[] = [];
  for (const [path, lines] of byPath) {
    const text = lines.map((line) => line.text).join('\n');
    const found = await secrets.find(`${path}\n${text}`);
    for (const { kind, start } of found) {
      const before = `${path}\n${text}`.slice(0, start).split('\n').length - 2;
      places.push(`${path}, line ${lines[Math.max(before, 0)]?.line ?? 1} (${kind})`);
    }
  }
  if (places.length === 0) return undefined;
  const more = places.length > MOST_NAMED ? `, and ${places.length - MOST_NAMED} more` : '';
  return `the change was withheld, because it adds what looks like a secret: ${places.slice(0, MOST_NAMED).join('; ')}${more}`;
}

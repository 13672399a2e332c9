import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { medianOf } from './alternate.ts';

const Measured = z.object({ name: z.string(), unit: z.enum(['ms', 's', 'MiB']), values: z.array(z.number()) });
const Kept = z.object({
  commit: z.string().optional(),
  machine: z.string(),
  node: z.string(),
  measured: z.array(Measured),
});
export type Kept = z.infer<typeof Kept>;

/** What `npm run bench` kept in a file, or undefined where it is no such file. */
export function readKept(file: string): Kept | undefined {
  try {
    return Kept.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}

/**
 * What changed between two kept measurements, figure by figure. A change is only marked where the two ranges do not
 * overlap: on a shared machine less than that says nothing.
 */
export function compareKept(before: Kept, after: Kept): string {
  const earlier = new Map(before.measured.map((one) => [one.name, one]));
  const lines = after.measured.flatMap((one) => {
    const old = earlier.get(one.name);
    if (old === undefined || old.values.length === 0 || one.values.length === 0) return [];
    const [from, to] = [medianOf(old.values), medianOf(one.values)];
    const digits = one.unit === 's' ? 2 : 0;
    const figures = [from.toFixed(digits), to.toFixed(digits)].map((text) => text.padStart(9)).join('');
    return [`${one.name.padEnd(52)}${figures}  ${one.unit.padEnd(4)} ${changeOf(old.values, one.values)}`];
  });
  const machine = before.machine === after.machine ? '' : `Other machine: ${before.machine}\n`;
  return `${machine}${''.padEnd(52)}${['before', 'after'].map((word) => word.padStart(9)).join('')}\n${lines.join('\n')}\n`;
}

function changeOf(before: number[], after: number[]): string {
  const apart = Math.min(...after) > Math.max(...before) || Math.max(...after) < Math.min(...before);
  const percent = Math.round((medianOf(after) / medianOf(before) - 1) * 100);
  return apart ? `${percent > 0 ? '+' : ''}${percent} %` : 'ranges overlap';
}

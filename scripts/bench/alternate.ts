export interface Measured {
  name: string;
  unit: 'ms' | 's' | 'MiB';
  values: number[];
}

/** Times each action once per round, in turn, after one round that does not count. */
export async function alternate(rounds: number, actions: Record<string, () => Promise<unknown>>): Promise<Measured[]> {
  const measured: Measured[] = Object.keys(actions).map((name) => ({ name, unit: 'ms', values: [] }));
  for (let round = 0; round <= rounds; round++) {
    for (const one of measured) {
      const started = performance.now();
      await actions[one.name]?.();
      if (round > 0) one.values.push(performance.now() - started);
    }
  }
  return measured;
}

export function medianOf(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

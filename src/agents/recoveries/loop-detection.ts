import { createHash } from 'node:crypto';

export interface RepeatCounter {
  /**
   * Notes a call with its result, and says how often in a row it has come to nothing new: 1 for the first time. A call
   * counts as repeated when its result was the same as before, or when nothing else was done in between.
   */
  count(name: string, args: unknown, observation: string): number;
}

/** Counts identical calls, so that a model that goes in circles can be told (SHERLOC §3.4). */
export function repeatCounter(): RepeatCounter {
  const seen = new Map<string, { times: number; result: string }>();
  let last = '';
  return {
    count: (name, args, observation) => {
      const call = digest(JSON.stringify([name, sortedKeys(args)]));
      const result = digest(observation);
      const before = seen.get(call);
      const isRepeat = before !== undefined && (before.result === result || last === call);
      const times = isRepeat ? before.times + 1 : 1;
      seen.set(call, { times, result });
      last = call;
      return times;
    },
  };
}

/** From how many identical calls on a model is warned. A result that cannot change is useless the second time. */
export const warnsFrom = (repeatsAreUseless: boolean): number => (repeatsAreUseless ? 2 : 3);

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

function sortedKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

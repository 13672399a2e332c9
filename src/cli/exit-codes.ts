import type { RunEnd } from '../domain/ends.ts';

/** 0 done, 1 failed, 2 bad input, 130 stopped: what a script needs to tell apart. */
export const exitCodes = { done: 0, failed: 1, input: 2, stopped: 130 } as const;

export function exitCodeOf(end: RunEnd): number {
  if (end.kind === 'stopped') return exitCodes.stopped;
  if (end.kind !== 'failed') return exitCodes.done;
  return end.code === 'input' ? exitCodes.input : exitCodes.failed;
}

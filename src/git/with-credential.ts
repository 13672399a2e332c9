import { setTimeout as delay } from 'node:timers/promises';
import { EnvironmentError } from '../domain/errors.ts';
import { unlessAborted } from '../domain/unless-aborted.ts';
import { REFUSED } from './remote-failure.ts';

/** GitHub's copies take a moment to know a token that was just made; one that was revoked needs another. */
const PAUSES_MS = [0, 2000];

/** Brings what needs a credential, with a new one where the server refuses the one it was shown. */
export async function withCredential<T>(
  bring: (header?: string) => Promise<T>,
  credential: () => Promise<{ header: string } | undefined>,
  signal: AbortSignal,
): Promise<T> {
  for (let refusals = 0; ; refusals++) {
    const shown = await unlessAborted(credential(), signal);
    try {
      return await bring(shown?.header);
    } catch (error) {
      const pause = isRefusal(error) ? PAUSES_MS[refusals] : undefined;
      if (pause === undefined) throw error;
      await delay(pause, undefined, { signal });
    }
  }
}

const isRefusal = (error: unknown): boolean => error instanceof EnvironmentError && error.code === REFUSED;

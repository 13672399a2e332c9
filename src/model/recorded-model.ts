import { ModelError } from '../domain/errors.ts';
import type { ChatModel, ChatReply, ChatRequest, Clock } from '../domain/ports/index.ts';
import type { AgentRole } from '../domain/stage.ts';
import { cancelledBy } from './attempt.ts';
import { type PriceTable, priceList } from './prices.ts';
import { type RecordedCall, readRecording } from './recording.ts';

export interface RecordedModelOptions {
  clock: Clock;
  /** How to name the recording to people. */
  name?: string;
  /** Told once for a role whose prompts are no longer those of the recording. */
  onStale?: (role: AgentRole) => void;
  prices?: PriceTable | undefined;
  /** How many times faster than recorded; absent means at once. */
  speed?: number;
}

/**
 * A model that plays a recording: the reply to a role's, agent's and step's request is the last one that was recorded
 * for it, since a run that was interrupted asked some of them twice.
 * @throws InputError when a line is no recorded call; `complete` throws ModelError `recording-ended`.
 */
export function recordedModel(lines: Iterable<string>, options: RecordedModelOptions): ChatModel {
  const calls = new Map(readRecording(lines).map((call) => [keyOf(call), call]));
  const stale = new Set<AgentRole>();
  const name = options.name ?? 'recording';
  return {
    price: priceList(options.prices ?? {}, name, options.clock),
    describe: () => ({ api: 'recorded', address: name, recorded: true }),
    async complete(request, signal) {
      if (signal.aborted) throw cancelledBy(signal);
      const call = calls.get(keyOf(request));
      if (call === undefined) throw ended(request, name);
      if (call.promptHash !== request.promptHash && !stale.has(request.role)) {
        stale.add(request.role);
        options.onStale?.(request.role);
      }
      await pause(call.seconds, options, signal);
      return replyOf(call);
    },
  };
}

const keyOf = (call: Pick<ChatRequest, 'role' | 'agent' | 'step'>): string =>
  JSON.stringify([call.role, call.agent, call.step]);

function ended(request: ChatRequest, name: string): ModelError {
  return new ModelError(
    'recording-ended',
    `${name} has no reply for step ${request.step} of ${request.agent}`,
    'Play it with the settings and the issue that it was recorded with, or record the run again.',
  );
}

async function pause(seconds: number, { clock, speed }: RecordedModelOptions, signal: AbortSignal): Promise<void> {
  if (speed === undefined) return;
  try {
    await clock.sleep((seconds * 1000) / speed, signal);
  } catch (error) {
    throw signal.aborted ? cancelledBy(signal) : error;
  }
}

/** A copy: whoever changes a reply must not change the recording. */
const replyOf = ({ reply }: RecordedCall): ChatReply => structuredClone({ ...reply, usd: reply.usd });

import type { CheckedCitation, Citation } from '../domain/citation.ts';
import type { TrajectoryEntry } from '../domain/ports/trajectory-store.ts';

type Observation = Extract<Citation, { kind: 'observation' }>;

/**
 * An observation holds when the agent really ran the command and its output really says so. White space does not
 * count, because agents shorten what they quote.
 */
export function checkObservation(citation: Observation, trajectory: TrajectoryEntry[]): CheckedCitation {
  const ran = observationsOf(trajectory).filter((one) => squeeze(one.command).includes(squeeze(citation.command)));
  if (ran.length === 0) return { citation, verdict: 'struck', note: 'this command was never run' };
  const wanted = squeeze(citation.output);
  if (wanted === '') return { citation, verdict: 'struck', note: 'it quotes no output' };
  if (ran.some((one) => squeeze(one.output).includes(wanted))) return { citation, verdict: 'confirmed' };
  return { citation, verdict: 'struck', note: 'the command was run, but its output does not say this' };
}

function observationsOf(trajectory: TrajectoryEntry[]): { command: string; output: string }[] {
  // Some servers give the same id to the first call of every reply, so a call is known by its step as well.
  const outputs = new Map<string, string>();
  for (const entry of trajectory) {
    if (entry.type === 'message' && entry.message.role === 'tool') {
      outputs.set(`${entry.step}/${entry.message.callId}`, entry.message.text);
    }
  }
  return trajectory.flatMap((entry) => {
    if (entry.type !== 'message' || entry.message.role !== 'assistant') return [];
    return entry.message.toolCalls.map((call) => ({
      command: decoded(call.arguments),
      output: outputs.get(`${entry.step}/${call.id}`) ?? '',
    }));
  });
}

/** The texts in a call's JSON arguments, so that an escaped quote is compared as the quote it stands for. */
function decoded(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? Object.values(value).map(String).join('\n') : json;
  } catch {
    return json;
  }
}

const squeeze = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

import type { CheckedCitation, ObservationCitation } from '../domain/citation.ts';
import type { TrajectoryEntry } from '../domain/ports/trajectory-store.ts';
import { hasPiece, linesInOrder, squeezed } from './quoted-text.ts';

interface Ran {
  command: string;
  output: string;
}

/** Shorter quotes stand in some output by chance: they are looked for in the output of the cited command only. */
const TELLING_CHARACTERS = 16;

/**
 * An observation holds when the agent really ran the command, or one that holds it as an unbroken piece, and its output
 * really says so: the quoted lines stand in it, in their order. White space does not count, because agents shorten what
 * they quote. A telling quote that another command printed is put down to that command.
 */
export function checkObservation(citation: ObservationCitation, trajectory: TrajectoryEntry[]): CheckedCitation {
  const all = ranIn(trajectory);
  const ran = all.filter((one) => hasPiece(one.command, citation.command));
  const quote = squeezed(citation.output);
  if (quote === '') return { citation, verdict: 'struck', note: 'it quotes no output' };
  if (ran.some((one) => saysSo(one, citation.output))) return { citation, verdict: 'confirmed' };
  const printed = quote.length >= TELLING_CHARACTERS ? all.find((one) => saysSo(one, citation.output)) : undefined;
  const why = ran.length > 0 ? 'the command was run, but its output does not say this' : 'this command was never run';
  if (!printed) return { citation, verdict: 'struck', note: why };
  return {
    citation: { ...citation, command: printed.command.trim() },
    verdict: 'corrected',
    note: `this is what another command printed; of \`${squeezed(citation.command).slice(0, 120)}\`: ${why}`,
  };
}

const saysSo = ({ output }: Ran, quote: string): boolean =>
  squeezed(output).includes(squeezed(quote)) || linesInOrder(output, quote);

/**
 * Every command with what came back. What is handed in repeats commands and gets an answer, and is no run of them.
 * Servers reuse the ids of calls from step to step, so that both name a pair.
 */
function ranIn(trajectory: TrajectoryEntry[]): Ran[] {
  const outputs = new Map<string, string>();
  for (const entry of trajectory) {
    if (entry.type === 'message' && entry.message.role === 'tool') {
      outputs.set(`${entry.step}/${entry.message.callId}`, entry.message.text);
    }
  }
  return trajectory.flatMap((entry) => {
    if (entry.type !== 'message' || entry.message.role !== 'assistant') return [];
    const commands = entry.message.toolCalls.filter(({ name }) => name === 'shell');
    return commands.map((call) => ({
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

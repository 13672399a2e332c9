import { z } from 'zod';
import { InputError, type Problem } from '../domain/errors.ts';
import { AgentRole } from '../domain/stage.ts';
import { TokenUsage } from '../domain/usage.ts';

const RecordedReply = z.object({
  text: z.string(),
  toolCalls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })),
  finish: z.enum(['stop', 'tool-calls', 'length', 'filtered']),
  usage: TokenUsage,
  /** JSON has no undefined: the price was unknown where this is missing. */
  usd: z.number().optional(),
  reasoned: z.boolean(),
  providerState: z.unknown().optional(),
  dropped: z.array(z.string()),
});

/** One line of a recording: one reply, who asked for it, under which prompts, and how many seconds it took. */
export const RecordedCall = z.object({
  role: AgentRole,
  agent: z.string(),
  step: z.int(),
  promptHash: z.string(),
  /** The name under which the model was asked; missing in recordings that did not keep it. */
  model: z.string().optional(),
  reply: RecordedReply,
  seconds: z.number().nonnegative(),
});
export type RecordedCall = z.infer<typeof RecordedCall>;

const SHOWN_PROBLEMS = 5;

/** Reads JSON lines; empty ones are skipped. @throws InputError naming the lines that are no recorded call. */
export function readRecording(lines: Iterable<string>): RecordedCall[] {
  const calls: RecordedCall[] = [];
  const problems: Problem[] = [];
  let number = 0;
  for (const line of lines) {
    number += 1;
    if (line.trim() === '') continue;
    const call = RecordedCall.safeParse(parsed(line));
    if (call.success) calls.push(call.data);
    else problems.push(problemIn(number, call.error));
  }
  if (problems.length > 0) throw new InputError(problems.slice(0, SHOWN_PROBLEMS));
  return calls;
}

function problemIn(line: number, error: z.ZodError): Problem {
  const issue = error.issues[0];
  const message = issue === undefined ? 'is no recorded call' : `${issue.path.join('.')} ${issue.message}`.trim();
  return { source: `recording, line ${line}`, message, remedy: 'Record the run again, or remove the line.' };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

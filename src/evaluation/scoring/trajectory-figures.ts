import { z } from 'zod';
import type { TrajectoryEntry } from '../../domain/ports/trajectory-store.ts';
import { classifyStep, PURPOSES, type Purpose } from './classify-step.ts';
import { PHASES, phasesOf } from './phases.ts';

const count = z.int().nonnegative();

/** What a transcript amounts to. A step is one model call; an action is one tool call. */
export const TrajectoryFigures = z.object({
  agent: z.string(),
  role: z.string(),
  end: z.string().optional(),
  steps: count,
  actions: count,
  tokens: z.object({ fresh: count, cached: count, output: count }),
  usd: z.number(),
  seconds: z.number(),
  purposes: z.partialRecord(z.enum(PURPOSES), count),
  phases: z.partialRecord(z.enum(PHASES), count),
  /** Tokens in and out before the first action that edits a source file; of all steps where there is none. */
  tokensBeforeEdit: count,
  stepsBeforeEdit: count,
  /** Steps whose actions name a file or symbol that the knowledge names. */
  knowledgeSteps: count,
});
export type TrajectoryFigures = z.infer<typeof TrajectoryFigures>;

interface Step {
  purposes: Purpose[];
  texts: string[];
  input: number;
  cached: number;
  output: number;
  usd: number;
  seconds: number;
}

/** Counts one agent's transcript; `known` are the paths and symbols of the knowledge that it was given. */
export function trajectoryFigures(entries: TrajectoryEntry[], known: string[]): TrajectoryFigures | undefined {
  const start = entries.find((entry) => entry.type === 'start');
  if (start === undefined) return undefined;
  const steps = stepsOf(lastAttempt(entries));
  const purposes = steps.flatMap((step) => step.purposes);
  const edit = steps.findIndex((step) => step.purposes.includes('repair'));
  const before = edit < 0 ? steps : steps.slice(0, edit);
  const end = entries.findLast((entry) => entry.type === 'end')?.end;
  const sum = (of: Step[], value: (step: Step) => number) => of.reduce((total, step) => total + value(step), 0);
  const phases = phasesOf(purposes).filter((phase) => phase !== undefined);
  return {
    agent: start.agent,
    role: start.role,
    ...(end === undefined ? {} : { end }),
    steps: steps.length,
    actions: purposes.length,
    tokens: {
      fresh: sum(steps, (step) => step.input - step.cached),
      cached: sum(steps, (step) => step.cached),
      output: sum(steps, (step) => step.output),
    },
    usd: sum(steps, (step) => step.usd),
    seconds: sum(steps, (step) => step.seconds),
    purposes: tally(purposes),
    phases: tally(phases),
    tokensBeforeEdit: sum(before, (step) => step.input + step.output),
    stepsBeforeEdit: before.length,
    knowledgeSteps: steps.filter((step) => step.texts.some((text) => known.some((name) => text.includes(name)))).length,
  };
}

/** An agent that was interrupted starts again in the same file: what counts is its last attempt. */
function lastAttempt(entries: TrajectoryEntry[]): TrajectoryEntry[] {
  return entries.slice(entries.findLastIndex((entry) => entry.type === 'start'));
}

function stepsOf(entries: TrajectoryEntry[]): Step[] {
  const steps = new Map<number, Step>();
  const stepAt = (number: number): Step => {
    const known = steps.get(number);
    if (known) return known;
    const fresh: Step = { purposes: [], texts: [], input: 0, cached: 0, output: 0, usd: 0, seconds: 0 };
    steps.set(number, fresh);
    return fresh;
  };
  for (const entry of entries) {
    if (entry.type === 'call') {
      const step = stepAt(entry.step);
      step.input += entry.usage.input;
      step.cached += entry.usage.cached;
      step.output += entry.usage.output;
      step.usd += entry.usd ?? 0;
      step.seconds += entry.seconds;
    } else if (entry.type === 'message' && entry.message.role === 'assistant') {
      for (const call of entry.message.toolCalls) {
        const step = stepAt(entry.step);
        step.purposes.push(classifyStep(call.name, argumentsOf(call.arguments)));
        step.texts.push(call.arguments);
      }
    }
  }
  return [...steps].sort(([a], [b]) => a - b).map(([, step]) => step);
}

function argumentsOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function tally<T extends string>(names: T[]): Partial<Record<T, number>> {
  const counts: Partial<Record<T, number>> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

import type { z } from 'zod';
import type { ChatModel } from '../../domain/ports/chat-model.ts';
import type { PipelinePorts } from '../../pipeline/run-context.ts';
import { type Repeated, repeated } from './judgement.ts';

export interface JudgeOptions {
  model: ChatModel;
  /** The judge's own model, which should not be one that it judges. */
  name: string;
  prompts: PipelinePorts['prompts'];
  repetitions: number;
  /** US dollars for all judgements together. */
  budgetUsd: number;
  signal: AbortSignal;
}

/** What a question to the judge came to: values of each repetition that could be read. */
export interface Judged<T> {
  values: T[];
  usd: number;
  problem?: string;
}

export interface Judge {
  readonly name: string;
  readonly repetitions: number;
  /** Asks `prompts/judge/<prompt>-*.md` once a repetition; `values(n)` can change from one to the next. */
  ask<T>(
    prompt: string,
    agent: string,
    schema: z.ZodType<T>,
    values: (repetition: number) => Record<string, string>,
  ): Promise<Judged<T>>;
  spent(): number;
}

// SHERLOC H: temperature 0.1. Its limit of 300 tokens leaves a model that reasons no room, so there is more.
const TEMPERATURE = 0.1;
const OUTPUT_TOKENS = 2000;
const ATTEMPTS = 2;

/** A model that judges, repeatedly, and never more than its money allows. */
export function createJudge(options: JudgeOptions): Judge {
  const { model, name, prompts, repetitions, budgetUsd, signal } = options;
  let spent = 0;
  const once = async (prompt: string, agent: string, step: number, values: Record<string, string>) => {
    const reply = await model.complete(
      {
        ...{ role: 'judge' as const, agent, step, promptHash: prompts.hash('judge') },
        settings: { model: name, temperature: TEMPERATURE },
        messages: [
          { role: 'system', text: prompts.render(`judge/${prompt}-system`) },
          { role: 'user', text: prompts.render(`judge/${prompt}-user`, values) },
        ],
        tools: [],
        maxOutputTokens: OUTPUT_TOKENS,
      },
      signal,
    );
    spent += reply.usd ?? 0;
    return jsonIn(reply.text);
  };
  return {
    ...{ name, repetitions },
    spent: () => spent,
    ask: async (prompt, agent, schema, values) => {
      const before = spent;
      const read = [];
      for (let repetition = 0; repetition < repetitions; repetition++) {
        if (spent >= budgetUsd) return { values: read, usd: spent - before, problem: 'no money is left for judging' };
        const first = repetition * ATTEMPTS + 1;
        const value = await readable(schema, (attempt) => once(prompt, agent, first + attempt, values(repetition)));
        if (value !== undefined) read.push(value);
      }
      const problem = read.length < repetitions ? `${repetitions - read.length} replies were no judgement` : undefined;
      return { values: read, usd: spent - before, ...(problem === undefined ? {} : { problem }) };
    },
  };
}

/** A reply that fits, at the latest by the last attempt. */
async function readable<T>(schema: z.ZodType<T>, ask: (attempt: number) => Promise<unknown>): Promise<T | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const parsed = schema.safeParse(await ask(attempt));
    if (parsed.success) return parsed.data;
  }
  return undefined;
}

/** The values of one field over all repetitions; undefined where none could be read. */
export function fieldOf<T extends Record<string, number>>(values: T[], field: keyof T): Repeated | undefined {
  return values.length === 0 ? undefined : repeated(values.map((value) => value[field] as number));
}

/** The last JSON object of a reply, whatever stands around it. */
function jsonIn(text: string): unknown {
  for (
    let start = text.lastIndexOf('{'), tries = 0;
    start >= 0 && tries < 20;
    start = text.lastIndexOf('{', start - 1), tries++
  ) {
    const end = text.lastIndexOf('}');
    try {
      return JSON.parse(text.slice(start, end + 1));
    } catch {
      if (start === 0) return undefined;
    }
  }
  return undefined;
}

import { z } from 'zod';
import type { ToolSpec } from '../../domain/ports/chat-model.ts';

/** What came of reading a call's arguments: something to do, or what is wrong with them. */
export type Accepted<T> = { value: T } | { problems: string[] };

interface ToolRun {
  signal: AbortSignal;
  /** Seconds that the agent has left; a command should not outlive it. */
  secondsLeft: number;
}

interface PreparedAction {
  /** A few words for whoever watches; may hold text of the model. */
  doing: string;
  run(limits: ToolRun): Promise<string>;
}

/** Something that a model may do. */
export interface AgentTool {
  spec: ToolSpec;
  /** True where the same call always gives the same result, so that repeating it is never of use. */
  repeatsAreUseless: boolean;
  prepare(args: unknown): Accepted<PreparedAction>;
}

/** How a model hands in its work: a tool that ends the conversation once its arguments are accepted. */
export interface SubmitTool<T> {
  spec: ToolSpec;
  accept(args: unknown): Accepted<T>;
  /** What speaks against accepted work, told to the model instead of taking it, while it can still do something about it. */
  review?(value: T, signal: AbortSignal): Promise<string | undefined>;
}

export interface ToolDefinition<S extends z.ZodType> {
  name: string;
  description: string;
  schema: S;
  repeatsAreUseless: boolean;
  doing(args: z.infer<S>): string;
  run(args: z.infer<S>, limits: ToolRun): Promise<string>;
}

/** Makes a tool of a schema and what to do with arguments that fit it. */
export function defineTool<S extends z.ZodType>(definition: ToolDefinition<S>): AgentTool {
  return {
    spec: toolSpec(definition),
    repeatsAreUseless: definition.repeatsAreUseless,
    prepare: (args) => {
      const accepted = acceptBy(definition.schema, args);
      if ('problems' in accepted) return accepted;
      return {
        value: {
          doing: definition.doing(accepted.value),
          run: (limits) => definition.run(accepted.value, limits),
        },
      };
    },
  };
}

/** Name, description and JSON Schema as a model is told about them. */
export function toolSpec(tool: { name: string; description: string; schema: z.ZodType }): ToolSpec {
  const { $schema: _, ...parameters } = z.toJSONSchema(tool.schema, { io: 'input' });
  return { name: tool.name, description: tool.description, parameters };
}

const SHOWN_PROBLEMS = 20;

/** Checks `args` against `schema`; a field that the model filled with null or nothing counts as left out. */
export function acceptBy<S extends z.ZodType>(schema: S, args: unknown): Accepted<z.infer<S>> {
  const parsed = schema.safeParse(withoutBlanks(args));
  if (parsed.success) return { value: parsed.data };
  return {
    problems: parsed.error.issues
      .slice(0, SHOWN_PROBLEMS)
      .map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`),
  };
}

function withoutBlanks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBlanks);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, field]) => field !== null && field !== '');
  return Object.fromEntries(kept.map(([name, field]) => [name, withoutBlanks(field)]));
}

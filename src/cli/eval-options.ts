import { resolve as absolute } from 'node:path';
import { z } from 'zod';
import type { ConfigFlags } from '../config.ts';
import { InputError } from '../domain/errors.ts';
import { SCOPES } from '../evaluation/arms/arm.ts';
import { settingProblem } from '../setting-problem.ts';

/** What `fathom eval` is given, as text. */
export interface EvalFlags extends Pick<ConfigFlags, 'model' | 'api' | 'protocol'> {
  data?: string;
  repos?: string;
  arms?: string;
  only?: string;
  out?: string;
  instances?: string;
  limit?: string;
  parallel?: string;
  budget?: string;
  runBudget?: string;
  seconds?: string;
  runSeconds?: string;
  tests?: string;
  judge?: string;
  repetitions?: string;
  standIn?: string;
  dryRun?: boolean;
}

const integer = (low: number, high: number) => z.coerce.number().int().min(low).max(high);

const Options = z.object({
  data: z.string({ error: 'is missing' }).transform((path) => absolute(path)),
  repos: z.string({ error: 'is missing' }).transform((path) => absolute(path)),
  out: z.string({ error: 'is missing' }).transform((path) => absolute(path)),
  arms: z.string().optional(),
  only: z.enum(SCOPES).default('resolve'),
  instances: z.string().optional(),
  limit: integer(1, 100_000).optional(),
  parallel: integer(1, 64).default(2),
  /** US dollars and seconds for everything. */
  budget: z.coerce.number().positive().default(50),
  seconds: integer(10, 30 * 86_400).default(86_400),
  runSeconds: integer(10, 86_400).optional(),
  tests: z.enum(['none', 'environment', 'swebench']).default('environment'),
  judge: z.string().optional(),
  repetitions: integer(1, 20).default(3),
  standIn: z.enum(['lexical']).optional(),
  dryRun: z.boolean().default(false),
});
export type EvalOptions = z.infer<typeof Options>;

const flagOf = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const needed: Record<string, string> = {
  data: 'Give a file of JSON lines, as SWE-bench publishes them or `fathom backtest` writes them.',
  repos: 'Give the folder of the clones, each named owner+name.',
  out: 'Give a folder for the runs and the report.',
};

/** @throws InputError with every flag that cannot be used */
export function readEvalOptions(flags: EvalFlags): EvalOptions {
  const parsed = Options.safeParse(flags);
  if (parsed.success) return parsed.data;
  throw new InputError(
    parsed.error.issues.map((issue) => {
      const name = String(issue.path[0]);
      const source = flagOf(name);
      const value = flags[name as keyof EvalFlags];
      if (value === undefined) return { source, message: issue.message, remedy: needed[name] ?? `Give ${source}.` };
      const remedy = `Correct ${source}; \`fathom eval --help\` says what it may be.`;
      return { ...settingProblem(source, issue, value), remedy };
    }),
  );
}

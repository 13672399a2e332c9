import { z } from 'zod';
import type { Problem } from './domain/errors.ts';
import type { RepositoryLimits } from './domain/settings.ts';
import { settingProblem } from './setting-problem.ts';

const words = z.string().transform((text) => text.split(/[\s,]+/).filter((word) => word !== ''));

/** What the operator keeps a repository's own file from asking for. */
export const Environment = z.object({
  FATHOM_OPEN_WITHOUT_PROOF: z.enum(['asked', 'never']).default('asked'),
  FATHOM_REPOSITORY_IMAGES: words.optional(),
});

export const SandboxEnvironment = z.object({
  FATHOM_SANDBOX_RUNTIME: z
    .string()
    .regex(/^[\w.-]+$/, 'is no runtime')
    .optional(),
  FATHOM_DISK_GB: z.coerce.number().min(0.1).max(1000).default(5),
});

/** What the operator decides of containers. */
export interface SandboxSettings {
  /** What the engine calls what runs containers, as `runsc` for gVisor; undefined for its own choice. */
  sandboxRuntime: string | undefined;
  /** By how many bytes commands may make a checkout grow. */
  diskBytes: number;
}

/** Reads what containers are run with; what is wrong is added to `problems`. */
export function readSandboxSettings(variables: NodeJS.Dict<string>, problems: Problem[]): SandboxSettings {
  const { FATHOM_SANDBOX_RUNTIME: sandboxRuntime, FATHOM_DISK_GB: size = 0 } =
    parsed(SandboxEnvironment, variables, problems) ?? {};
  return { sandboxRuntime, diskBytes: size * 1e9 };
}

/** Undefined where something is wrong, which is added to `problems`. */
function parsed<T>(schema: z.ZodType<T>, variables: NodeJS.Dict<string>, problems: Problem[]): T | undefined {
  const { success, data, error } = schema.safeParse(variables);
  if (success) return data;
  problems.push(
    ...error.issues.map((issue) => settingProblem(String(issue.path[0]), issue, variables[String(issue.path[0])])),
  );
  return undefined;
}

/**
 * Reads what `.github/fathom.yml` may not ask for; what is wrong is added to `problems`. `FATHOM_REPOSITORY_IMAGES` lists
 * names of images, where `*` at the end stands for anything; `none` lets a repository choose none.
 */
export function readRepositoryLimits(variables: NodeJS.Dict<string>, problems: Problem[]): RepositoryLimits {
  const read = parsed(Environment, variables, problems);
  if (read === undefined) return { openWithoutProof: false, images: [] };
  const { FATHOM_OPEN_WITHOUT_PROOF: open, FATHOM_REPOSITORY_IMAGES: images } = read;
  return {
    openWithoutProof: open === 'asked',
    ...(images === undefined ? {} : { images: images.filter((name) => name !== 'none') }),
  };
}

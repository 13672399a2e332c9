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

/**
 * Reads what `.github/fathom.yml` may not ask for; what is wrong is added to `problems`. `FATHOM_REPOSITORY_IMAGES` lists
 * names of images, where `*` at the end stands for anything; `none` lets a repository choose none.
 */
export function readRepositoryLimits(variables: NodeJS.Dict<string>, problems: Problem[]): RepositoryLimits {
  const parsed = Environment.safeParse(variables);
  if (!parsed.success) {
    const found = parsed.error.issues.map((issue) =>
      settingProblem(String(issue.path[0]), issue, variables[String(issue.path[0])]),
    );
    problems.push(...found);
    return { openWithoutProof: false, images: [] };
  }
  const { FATHOM_OPEN_WITHOUT_PROOF: open, FATHOM_REPOSITORY_IMAGES: images } = parsed.data;
  return {
    openWithoutProof: open === 'asked',
    ...(images === undefined ? {} : { images: images.filter((name) => name !== 'none') }),
  };
}

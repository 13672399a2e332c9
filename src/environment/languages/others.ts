import type { LanguagePlan } from '../test-plan.ts';
import type { TreeFiles } from '../tree-files.ts';
import { BUILDS } from './builds.ts';
import { phpPlan } from './php.ts';
import { rubyPlan } from './ruby.ts';

/** Plans for the other languages, and for a Makefile with a `test` target. */
export async function otherPlans(files: TreeFiles): Promise<LanguagePlan[]> {
  const names = new Set(await files.list('.'));
  const plans = BUILDS.flatMap(({ files: signs, ...plan }): LanguagePlan[] => {
    const file = signs.map((sign) => found(names, sign)).find((name) => name !== undefined);
    return file === undefined ? [] : [{ ...plan, sources: [`There is a ${file}.`], confidence: 'declared' }];
  });
  return [
    ...plans,
    ...(await rubyPlan(files, names)),
    ...(await phpPlan(files, names)),
    ...(await makePlan(files, names)),
  ];
}

const found = (names: Set<string>, sign: string): string | undefined =>
  sign.startsWith('*') ? [...names].find((name) => name.endsWith(sign.slice(1))) : names.has(sign) ? sign : undefined;

async function makePlan(files: TreeFiles, names: Set<string>): Promise<LanguagePlan[]> {
  const file = ['Makefile', 'makefile', 'GNUmakefile'].find((name) => names.has(name));
  const text = file === undefined ? undefined : await files.read(file);
  const target = text
    ?.split('\n')
    .find((line) => /^(?:test|check)\s*:(?!=)/.test(line))
    ?.split(':', 1)[0]
    ?.trim();
  if (target === undefined) return [];
  return [
    {
      language: 'make',
      test: `make ${target}`,
      sources: [`The ${file} has a ${target} target.`],
      confidence: 'guessed',
      runners: [`make ${target}`],
    },
  ];
}

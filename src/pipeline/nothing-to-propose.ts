import type { Resolution } from '../domain/patch.ts';

const MOST_NAMED = 3;

/** Why a resolution without a change is none. What its Resolver claims to have done is told as its words and no more. */
export function nothingToPropose({ report, end, patch }: Resolution): string {
  if (report?.noChangeReason !== undefined) return report.noChangeReason;
  const guarded = patch.left.filter(({ kind }) => kind === 'protected').map(({ path }) => `\`${path}\``);
  if (guarded.length > 0) {
    const more = guarded.length > MOST_NAMED ? ` and ${guarded.length - MOST_NAMED} more` : '';
    const named = guarded.slice(0, MOST_NAMED).join(', ');
    return `Only protected files were changed, which a person has to do: ${named}${more}.`;
  }
  if (report === undefined) return `Nothing was changed: the Resolver ended before it did (${end}).`;
  return `Nothing was changed, although the Resolver says: ${report.summary}`;
}

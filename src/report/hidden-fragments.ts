import type { HiddenFragment } from '../domain/issue-snapshot.ts';
import { counted } from './amounts.ts';
import type { Block } from './compose.ts';
import { safeInline } from './safe-markdown.ts';
import { bullets, code, type Inline, inline } from './write-markdown.ts';

/** What the issue held that its readers could not see, with a safe look at it. */
export function hiddenFragments(hidden: HiddenFragment[]): Block[] {
  if (hidden.length === 0) return [];
  const verb = hidden.length === 1 ? 'was' : 'were';
  const items = hidden
    .slice(0, 20)
    .map(({ kind, where, characters, preview }): Inline[] => [
      safeInline(kind, 60),
      ' in ',
      safeInline(where, 60),
      `, ${counted(characters, 'character')}: `,
      code(preview, 160),
    ]);
  const more = hidden.length - items.length;
  return [
    {
      name: 'what was hidden in the issue',
      summary: inline(
        `${counted(hidden.length, 'hidden fragment')} of the issue ${verb} dropped before anything read it`,
      ),
      blocks: [bullets(more > 0 ? [...items, [`and ${more} more`]] : items)],
    },
  ];
}

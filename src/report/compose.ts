import type { PhrasingContent } from 'mdast';
import { asHtml, small } from './write-markdown.ts';

/** Characters of a comment; GitHub refuses more than 65,536. */
const COMMENT_LIMIT = 60_000;
const NOTICE_LIMIT = 600;

/** A collapsed part. `name` is what the reader is told when it had to be left out. */
export interface Fold {
  name: string;
  summary: PhrasingContent[];
  blocks: Block[];
}

/** A Markdown block that is never cut inside, or a fold of them. */
export type Block = string | Fold;

/**
 * One comment of `body` and then `foot`, which is always kept whole. Blocks that do not fit are left out from the first
 * one on, with every fold closed, and a line says which.
 */
export function compose(body: Block[], foot: Block[], limit = COMMENT_LIMIT): string {
  const end = keep(foot, limit);
  const kept = keep(body, limit - end.text.length - NOTICE_LIMIT);
  const notice = kept.left.length === 0 ? [] : [noticeOf(kept.left)];
  return [kept.text, ...notice, end.text].filter((part) => part !== '').join('\n\n');
}

interface Kept {
  text: string;
  left: string[];
}

function keep(blocks: Block[], room: number): Kept {
  const parts: string[] = [];
  const left: string[] = [];
  let free = room;
  for (const block of blocks) {
    if (left.length > 0) {
      left.push(nameOf(block));
      continue;
    }
    const kept = typeof block === 'string' ? keepText(block, free) : keepFold(block, free);
    if (kept.text !== '') parts.push(kept.text);
    free -= kept.text.length + 2;
    left.push(...kept.left);
  }
  return { text: parts.join('\n\n'), left };
}

const keepText = (text: string, room: number): Kept =>
  text.length <= room ? { text, left: [] } : { text: '', left: [''] };

function keepFold(fold: Fold, room: number): Kept {
  const open = `<details>\n<summary>${asHtml(fold.summary)}</summary>\n\n`;
  const close = '\n\n</details>';
  const inner = keep(fold.blocks, room - open.length - close.length);
  if (inner.text === '') return { text: '', left: [fold.name] };
  return {
    text: open + inner.text + close,
    left: inner.left.length === 0 ? [] : [`the rest of ${fold.name}`],
  };
}

const nameOf = (block: Block): string => (typeof block === 'string' ? '' : block.name);

function noticeOf(left: string[]): string {
  const named = [...new Set(left.filter((name) => name !== ''))];
  const shown = named.slice(0, 8).join(', ');
  const more = named.length > 8 ? ` and ${named.length - 8} more` : '';
  return small(`Left out because a comment has to end somewhere: ${shown === '' ? 'some text' : shown}${more}.`);
}

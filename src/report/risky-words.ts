import type { PhrasingContent } from 'mdast';

const RISKY = [/@[\p{L}\p{N}]/u, /#\d/, /\bGH-\d/i, /:\/\//, /\b(?:www\.|mailto:|xmpp:)/i, /\$/, /:[\w+-]+:/];
const SHA = /^(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,64}$/;
const OPENING = /^[([{<"'“‘]+/;
const CLOSING = '.,;:!?)]}>"\'”’';

/**
 * A word that GitHub would make something of: a mention, a reference (which writes into another issue), a closing
 * keyword's target, a link, an emoji, a formula. Inside a code span it makes nothing of it, so that is where such words
 * go; entities and backslashes do not help, since GitHub looks at the rendered text.
 */
export const isRisky = (word: string): boolean => RISKY.some((pattern) => pattern.test(word)) || SHA.test(bare(word));

/** Splits text so that every risky word stands in a code span of its own. */
export function withoutRisks(text: string): PhrasingContent[] {
  const nodes: PhrasingContent[] = [];
  let plain = '';
  for (const word of text.split(/(\s+)/)) {
    if (!isRisky(word)) {
      plain += word;
      continue;
    }
    const core = bare(word);
    const at = word.indexOf(core);
    if (plain + word.slice(0, at) !== '') nodes.push({ type: 'text', value: plain + word.slice(0, at) });
    nodes.push({ type: 'inlineCode', value: core });
    plain = word.slice(at + core.length);
  }
  if (plain !== '') nodes.push({ type: 'text', value: plain });
  return nodes;
}

/**
 * For text that is not Markdown (commit messages, titles): a space keeps GitHub from reading a mention or reference, and
 * workflows and other build services from reading that they are not to run.
 */
export function defused(text: string): string {
  return text
    .replace(/\[(?=[^\]]{0,40}(?:skip|no[ _-]?ci))/gi, '[ ')
    .replace(/\*\*\*(?=no_ci)/gi, '* * * ')
    .replace(/\bskip-checks:/gi, 'skip-checks :')
    .replace(/@(?=[\p{L}\p{N}])/gu, '@ ')
    .replace(/#(?=\d)/g, '# ')
    .replace(/\bGH-(?=\d)/gi, 'GH ')
    .replaceAll('://', ':// ');
}

function bare(word: string): string {
  const start = OPENING.exec(word)?.[0].length ?? 0;
  let end = word.length;
  while (end > start && CLOSING.includes(word.charAt(end - 1))) end--;
  return end > start ? word.slice(start, end) : word;
}

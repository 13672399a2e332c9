import type { AuditedPair } from '../domain/diagnosis.ts';
import { citationBlocks, citationCount } from './citations.ts';
import type { Block, Fold } from './compose.ts';
import { agentEndInWords } from './ends-in-words.ts';
import type { LinkTo } from './places.ts';
import { safeBlocks, safeInline } from './safe-markdown.ts';
import { bullets, code, type Inline, inline, paragraph, strong, write } from './write-markdown.ts';

/**
 * ACQUIRE's knowledge set: each question folded over its answer and what that rests on. `onIssue`: people read it where
 * they can correct it.
 */
export function knowledgeFolds(pairs: AuditedPair[], linkTo: LinkTo, onIssue: boolean): Block[] {
  if (pairs.length === 0) return [];
  const hint: Inline[] = onIssue ? [' A wrong answer is corrected with ', code('/fathom answer 1: …'), '.'] : [];
  return [
    paragraph(strong('What was learned about the code.'), ...hint),
    ...pairs.map((pair) => pairFold(pair, linkTo)),
  ];
}

function pairFold(pair: AuditedPair, linkTo: LinkTo): Fold {
  const { id, category, text } = pair.question;
  return {
    name: /^Q\d+$/.test(id) ? id : 'a question',
    summary: inline(strong(safeInline(id, 12)), ` · ${category} · `, safeInline(text, 300), ` (${standingOf(pair)})`),
    blocks: [...answerBlocks(pair), ...citationBlocks(pair.checked, linkTo), ...uncitedBlocks(pair)],
  };
}

function standingOf(pair: AuditedPair): string {
  if (pair.answer === undefined) return 'no answer';
  if (pair.correctedBy !== undefined) return 'corrected';
  if (pair.answer.outcome === 'evidence-missing') return 'evidence missing';
  return citationCount(pair.checked);
}

function answerBlocks({ answer, end, correctedBy }: AuditedPair): Block[] {
  if (answer === undefined) return [paragraph(`No answer: ${agentEndInWords(end)}.`)];
  const missing = answer.outcome === 'evidence-missing';
  return [
    ...(correctedBy ? [paragraph(strong('Corrected by'), ' ', code(`@${correctedBy}`), '.')] : []),
    ...(missing ? [paragraph(strong('The code does not show it.'), ' What was looked at, and what is missing:')] : []),
    ...safeBlocks(answer.text).map((block) => write(block)),
    ...line('Still unknown', answer.gaps),
    ...line('What would show this to be wrong', answer.falsifier),
  ];
}

/** Statements that the answer's citations do not cover, so that a reader need not look for what is not there. */
function uncitedBlocks({ uncited = [] }: AuditedPair): Block[] {
  if (uncited.length === 0) return [];
  return [
    paragraph(strong('Said without a citation of its own:')),
    bullets(uncited.slice(0, 6).map((claim): Inline[] => [safeInline(claim, 240)])),
  ];
}

const line = (name: string, text: string | undefined): Block[] =>
  text ? [paragraph(strong(`${name}:`), ' ', safeInline(text, 800))] : [];

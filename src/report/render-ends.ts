import { diffBytes, isEmptyPatch, type Patch } from '../domain/patch.ts';
import type { Proof } from '../domain/proof.ts';
import type { Receipt } from '../domain/receipt.ts';
import { counted } from './amounts.ts';
import { type Block, compose } from './compose.ts';
import { leftOut } from './left-out.ts';
import { plainText } from './plain-text.ts';
import { countsLine } from './receipt-lines.ts';
import { doesNotShow, proofBlocks } from './render-proof.ts';
import { safeInline } from './safe-markdown.ts';
import { bullets, code, fence, heading, inline, paragraph, strong } from './write-markdown.ts';

const MOST_DIFF = 30_000;

export interface Tried {
  patch: Patch;
  proof?: Proof;
}

/**
 * What was tried where it came to no pull request, for below the diagnosis, which says why: what was run, the change
 * folded, what is left for a person. Empty where there is nothing of it.
 */
export function renderTried({ patch, proof }: Tried): string {
  const body: Block[] = [
    ...(proof && proof.runs.length > 0 ? [...proofBlocks({ ...proof, reason: '' }, BELOW), ...doesNotShow(proof)] : []),
    ...patchFold(patch),
    ...leftOut(patch),
  ];
  return body.length === 0 ? '' : compose([heading(3, 'What was tried'), ...body], []);
}

const BELOW = inline('with the change that is shown below kept as ', code('fathom.patch'));

/** The comment that stays where a person stopped the run. */
export function renderStopped({ by, receipt }: { by: string; receipt?: Receipt }): string {
  const said = paragraph(strong('Stopped'), ' by ', code(by, 80), '. Nothing more will be written.');
  return compose([said], receipt ? [countsLine(receipt)] : []);
}

/** An error that a person may meet: what is wrong, and what to do about it. */
export function renderFailure(error: { code: string; message: string; remedy: string; run?: string }): string {
  return compose(
    [
      ...inLines('Fathom could not finish:', error.message),
      ...(error.remedy === '' ? [] : inLines('What helps:', error.remedy)),
    ],
    [paragraph(inline('Reason ', code(error.code, 60), ...(error.run ? [', run ', code(error.run, 60)] : [])), '.')],
  );
}

const MOST_LINES = 12;

/** Several things are wrong at once: each has its line. */
function inLines(title: string, text: string): string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2) return [paragraph(strong(title), ' ', safeInline(text, 800))];
  return [paragraph(strong(title)), bullets(lines.slice(0, MOST_LINES).map((line) => [safeInline(line, 400)]))];
}

function patchFold(patch: Patch): Block[] {
  if (isEmptyPatch(patch)) return [];
  const diff = diffBytes(patch).toString('utf8');
  const cut = diff.length > MOST_DIFF;
  const shown = cut ? diff.slice(0, diff.lastIndexOf('\n', MOST_DIFF)) : diff;
  return [
    {
      name: 'the change that was tried',
      summary: inline(`The change that was tried, ${counted(patch.files.length, 'file')}`),
      blocks: [
        fence(plainText(shown, MOST_DIFF + 1), 'diff'),
        ...(cut
          ? [paragraph(`The first ${counted(shown.length, 'character')} of ${diff.length.toLocaleString('en')}.`)]
          : []),
      ],
    },
  ];
}

import { z } from 'zod';
import { partsLeftOut } from '../domain/ablations.ts';
import type { Receipt } from '../domain/receipt.ts';
import { RunSettings } from '../domain/settings.ts';
import { counted, duration, money, price, tokens } from './amounts.ts';
import type { Fold } from './compose.ts';
import { safeInline } from './safe-markdown.ts';
import { bullets, code, type Inline, inline, small } from './write-markdown.ts';

const Budget = z.object({ budgetUsd: z.number() });

/** One small line: questions, steps, tokens, money of the budget, time, run. */
export function countsLine(receipt: Receipt, questions?: number): string {
  const { spent } = receipt;
  const seconds = Object.values(receipt.secondsByStage).reduce((sum, one) => sum + one, 0);
  const parts = spent.calls === 0 ? [] : [counted(spent.calls, 'step'), tokenPart(spent.tokens), moneyPart(receipt)];
  if (questions !== undefined && questions > 0) parts.unshift(counted(questions, 'question'));
  parts.push(duration(seconds));
  return small(`${parts.join(' · ')} · run `, code(receipt.run, 60));
}

/** What the run read and with what, folded: enough to ask later which text and which model an answer came from. */
export function receiptFold(receipt: Receipt): Fold {
  const models = Object.entries(receipt.models).map(([role, model]): Inline[] => [
    `${role}: `,
    code(model, 100),
    receipt.recorded ? ' (recorded)' : '',
  ]);
  const stages = Object.entries(receipt.secondsByStage).map(([stage, seconds]) => `${stage} ${duration(seconds)}`);
  return {
    name: 'the receipt',
    summary: inline('What this run read'),
    blocks: [
      bullets([
        ['base commit ', code(receipt.base, 64)],
        [
          'issue text ',
          code(receipt.snapshot.slice(0, 16), 64),
          ', as it stood when ',
          code(receipt.actor, 60),
          ' asked',
        ],
        ...models,
        ...(stages.length > 0 ? [[stages.join(', ')]] : []),
        ...withoutPrice(receipt.spent),
        ...leftOut(receipt),
        ...receipt.notes.slice(0, 12).map((note): Inline[] => [safeInline(note, 300)]),
        ['Fathom ', safeInline(receipt.fathom, 40)],
      ]),
    ],
  };
}

/** Whoever compares runs has to see that they were not made alike. */
function leftOut(receipt: Receipt): Inline[][] {
  const settings = RunSettings.safeParse(receipt.settings);
  const parts = settings.success ? partsLeftOut(settings.data) : [];
  return parts.length === 0 ? [] : [[`made without ${listed.format(parts)}`]];
}

const listed = new Intl.ListFormat('en-GB');

function tokenPart({ input, cached, output }: Receipt['spent']['tokens']): string {
  const share = input > 0 && cached > 0 ? `, ${Math.round((cached / input) * 100)} % cached` : '';
  return tokens(input + output) + share;
}

function moneyPart({ spent, settings, recorded }: Receipt): string {
  const cost = price(spent);
  if (cost === undefined) return 'price unknown';
  const budget = Budget.safeParse(settings);
  return `${cost}${budget.success ? ` of ${money(budget.data.budgetUsd)}` : ''}${recorded ? ' when it was recorded' : ''}`;
}

/** Why there is no sum, or one that is too small. */
function withoutPrice({ calls, unpriced }: Receipt['spent']): Inline[][] {
  if (unpriced === 0) return [];
  const which = unpriced < calls ? ` for ${unpriced} of ${counted(calls, 'step')}` : '';
  return [[`no price is known${which}, so tokens were limited instead`]];
}

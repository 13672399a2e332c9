import { z } from 'zod';
import type { Judge } from './judge.ts';
import type { Vote } from './judgement.ts';

const Better = z.object({ better: z.enum(['first', 'second', 'tie']) });

export interface VoteInput {
  instance: string;
  issue: string;
  first: { arm: string; questions: string };
  second: { arm: string; questions: string };
}

/**
 * Which of two sets of questions would help more (ACQUIRE supplement I-C3). Every repetition asks in both orders, so
 * that a judge who prefers a position votes once for each.
 */
export async function voteOnQuestions({ instance, issue, first, second }: VoteInput, judge: Judge): Promise<Vote> {
  const before = judge.spent();
  const agent = `judge-vote-${first.arm}-${second.arm}`;
  const ask = (one: string, other: string, order: string) =>
    judge.ask('vote', `${agent}-${order}`, Better, () => ({ issue, first: one, second: other }));
  const forward = (await ask(first.questions, second.questions, 'forward')).values.map(({ better }) => better);
  const backward = (await ask(second.questions, first.questions, 'backward')).values.map(({ better }) =>
    swapped(better),
  );
  const votes = [...forward, ...backward];
  const count = (name: z.infer<typeof Better>['better']) => votes.filter((vote) => vote === name).length;
  return {
    ...{ instance, first: first.arm, second: second.arm, repetitions: judge.repetitions },
    ...{ forFirst: count('first'), forSecond: count('second'), ties: count('tie') },
    consistent: forward.filter((vote, index) => vote === backward[index]).length,
    usd: judge.spent() - before,
  };
}

const swapped = (vote: 'first' | 'second' | 'tie') => (vote === 'tie' ? 'tie' : vote === 'first' ? 'second' : 'first');

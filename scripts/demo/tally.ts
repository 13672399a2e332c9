import type { RunEvent } from '../../src/domain/run-events.ts';
import { type AgentRole, Stage } from '../../src/domain/stage.ts';
import { addSpent, nothingSpent, type Spent } from '../../src/domain/usage.ts';

export interface StageTally {
  stage: Stage;
  seconds: number;
  spent: Spent;
}

const stageOf: Partial<Record<AgentRole, Stage>> = {
  questioner: 'ask',
  answerer: 'answer',
  localizer: 'answer',
  verifier: 'audit',
  resolver: 'resolve',
};

/** Tokens, money and seconds of each stage that was finished, in the order of a run. */
export function tallyOf(events: RunEvent[]): StageTally[] {
  return Stage.options.flatMap((stage) => {
    const finished = events.findLast((event) => event.type === 'stage-finished' && event.stage === stage);
    if (finished?.type !== 'stage-finished') return [];
    const spent = events
      .filter((event) => event.type === 'agent-finished')
      .filter((event) => stageOf[event.role] === stage)
      .reduce((sum, event) => addSpent(sum, event.spent), nothingSpent());
    return [{ stage, seconds: finished.seconds, spent }];
  });
}

export const totalOf = (tallies: StageTally[]): Omit<StageTally, 'stage'> => ({
  seconds: tallies.reduce((sum, one) => sum + one.seconds, 0),
  spent: tallies.reduce((sum, one) => addSpent(sum, one.spent), nothingSpent()),
});

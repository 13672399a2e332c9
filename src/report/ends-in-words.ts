import { AgentEnd } from '../domain/ends.ts';

const WORDS: Record<AgentEnd, string> = {
  submitted: 'it finished',
  'step-limit': 'it ran out of steps',
  'cost-limit': 'it ran out of budget',
  'time-limit': 'it ran out of time',
  'format-errors': 'its model did not keep to the format',
  'context-overflow': 'the conversation outgrew its model',
  cancelled: 'it was stopped',
  'sandbox-lost': 'its container was lost',
  'model-failed': 'its model failed',
};

/** How an agent ended, as a clause: "it ran out of steps". Unknown ends are given as "it ended early". */
export function agentEndInWords(end: string): string {
  const known = AgentEnd.safeParse(end);
  return known.success ? WORDS[known.data] : 'it ended early';
}

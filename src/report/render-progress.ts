import type { RunEvent } from '../domain/run-events.ts';
import type { Stage } from '../domain/stage.ts';
import { addSpent, nothingSpent, type Spent } from '../domain/usage.ts';
import { duration, price, spending } from './amounts.ts';
import { compose } from './compose.ts';
import { STAGE_WORDS } from './describe-event.ts';
import { safeInline } from './safe-markdown.ts';
import { bullets, code, type Inline, inline, paragraph, small, strong } from './write-markdown.ts';

const DIAGNOSIS: Stage[] = ['prepare', 'ask', 'answer', 'audit', 'report'];
const REPAIR: Stage[] = ['resolve', 'prove', 'propose'];

/**
 * The short comment that stands on the issue while a run works: which stages are done, what the agents do now, what has
 * been spent. Takes the run's events so far, oldest first.
 */
export function renderProgress(events: RunEvent[]): string {
  const repairs = events.some((event) => event.type === 'run-started' && event.mode === 'resolve');
  const stages = repairs ? [...DIAGNOSIS, ...REPAIR] : DIAGNOSIS;
  const agents = working(events);
  return compose(
    [
      paragraph(strong('Fathom is reading the code.'), ' The result will come as a new comment, and this one will go.'),
      bullets(stages.map((stage) => stageItem(stage, events))),
      ...agents.map((agent) => paragraph(...agent)),
    ],
    [small(`${soFar(spentBy(events))} so far. Remove the label or close the issue to stop it.`)],
  );
}

/** What stands there while the run waits for its turn; `position` counts from 1, over everything that waits. */
export function renderWaiting(position: number): string {
  return compose(
    [
      paragraph(
        strong('Waiting for its turn'),
        `: number ${position} in the queue. This comment will say how the run goes on, and go once there is a result.`,
      ),
    ],
    [small('Remove the label or close the issue to take it back.')],
  );
}

function stageItem(stage: Stage, events: RunEvent[]): Inline[] {
  const last = events.findLast((event) => 'stage' in event && event.stage === stage);
  if (last?.type === 'stage-finished') {
    return [`✓ ${STAGE_WORDS[stage]} `, inline(last.resumed ? '(kept from before)' : `(${duration(last.seconds)})`)];
  }
  return last === undefined ? [STAGE_WORDS[stage]] : [strong(`→ ${STAGE_WORDS[stage]}`)];
}

function working(events: RunEvent[]): Inline[][] {
  const steps = new Map<string, Inline[]>();
  for (const event of events) {
    if (event.type === 'agent-finished') steps.delete(event.agent);
    if (event.type !== 'agent-step') continue;
    steps.set(event.agent, [
      safeInline(event.agent, 60),
      `: step ${event.step} of at most ${event.limit}, `,
      event.doing === '' ? 'thinking' : code(event.doing, 120),
    ]);
  }
  return [...steps.values()].slice(0, 8);
}

const soFar = (spent: Spent): string => price(spent) ?? spending(spent);

function spentBy(events: RunEvent[]): Spent {
  const byAgent = new Map<string, Spent>();
  for (const event of events) {
    if (event.type === 'agent-step' || event.type === 'agent-finished') byAgent.set(event.agent, event.spent);
  }
  return [...byAgent.values()].reduce(addSpent, nothingSpent());
}

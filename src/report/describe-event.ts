import type { RunEnd } from '../domain/ends.ts';
import type { RunEvent } from '../domain/run-events.ts';
import type { Stage } from '../domain/stage.ts';
import { counted, duration, spending } from './amounts.ts';
import { agentEndInWords } from './ends-in-words.ts';
import { oneLine } from './plain-text.ts';

/** What a stage does, as people say it. */
export const STAGE_WORDS: Record<Stage, string> = {
  prepare: 'clone and read the issue',
  ask: 'ask questions about the code',
  answer: 'answer them and localize the fault',
  audit: 'check every citation',
  report: 'write the diagnosis',
  resolve: 'repair the code',
  prove: 'prove the repair',
  propose: 'open a pull request',
};

/** One line of plain text for a terminal, or nothing where an event is of no interest there. */
export function describeEvent(event: RunEvent): string | undefined {
  switch (event.type) {
    case 'run-started':
      return `${event.mode === 'diagnose' ? 'Diagnosing' : 'Resolving'}: ${oneLine(event.title, 120)}`;
    case 'stage-started':
      return `${event.stage}: ${STAGE_WORDS[event.stage]}`;
    case 'stage-finished':
      return event.resumed ? `${event.stage}: kept from before` : `${event.stage}: done in ${duration(event.seconds)}`;
    case 'question-asked':
      return `  ${oneLine(event.question.id, 12)} · ${event.question.category} · ${oneLine(event.question.text, 200)}`;
    case 'agent-started':
      return undefined;
    case 'agent-step':
      return `  ${oneLine(event.agent, 40)} ${event.step}/${event.limit} · ${spending(event.spent)} · ${oneLine(event.doing, 120)}`;
    case 'agent-finished':
      return `  ${oneLine(event.agent, 40)}: ${agentEndInWords(event.end)} after ${counted(event.steps, 'step')}, ${spending(event.spent)}`;
    case 'progress':
      return `  ${oneLine(event.text, 200)}`;
    case 'note':
      return `  ! ${oneLine(event.text, 400)}`;
    case 'run-finished':
      return `${runEndInWords(event.end)} (${spending(event.spent)})`;
  }
}

/** How a run ended, as a sentence without its full stop. */
function runEndInWords(end: RunEnd): string {
  switch (end.kind) {
    case 'diagnosed':
      return 'Diagnosed';
    case 'ranked':
      return 'Ranked the files that resemble the issue; no model was asked';
    case 'repaired':
      return end.proven ? 'Repaired, and proven' : 'Repaired, but not proven';
    case 'proposed':
      return end.pullRequest === undefined ? 'Proposed a change' : `Opened pull request #${end.pullRequest}`;
    case 'no-pull-request':
      return `No pull request: ${oneLine(end.reason, 400)}`;
    case 'stopped':
      return `Stopped by ${oneLine(end.by, 80)}`;
    case 'failed':
      return `Failed: ${oneLine(end.message, 400)}`;
  }
}

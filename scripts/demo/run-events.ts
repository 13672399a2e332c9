import type { RunEvent } from '../../src/domain/run-events.ts';
import type { LogLine } from './start-fathom.ts';

const types = new Set<string>([
  'run-started',
  'stage-started',
  'stage-finished',
  'question-asked',
  'agent-started',
  'agent-step',
  'agent-finished',
  'note',
  'progress',
  'run-finished',
] satisfies RunEvent['type'][]);

/** The run event that Fathom's log tells of in this line, if it does. */
export function eventIn(line: LogLine): RunEvent | undefined {
  const { type, run } = line;
  if (typeof type !== 'string' || typeof run !== 'string' || !types.has(type)) return undefined;
  return { at: '', ...line } as unknown as RunEvent;
}

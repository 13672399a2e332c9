import type { Forge } from '../domain/ports/forge.ts';
import type { RunRecord } from '../jobs/runs.ts';
import type { InTheWay } from '../jobs/worker-ports.ts';

const MOST_NAMED = 3;

/**
 * A label's repair stops where an open pull request changes the suspected lines; a command's goes on, since whoever
 * gives it knows.
 */
export function editedElsewhere(forge: Pick<Forge, 'pullRequestsAt'>, { run, issue }: RunRecord): InTheWay {
  return async (places) => {
    if (run.snapshot.trigger.kind === 'command') return undefined;
    const edits = await forge.pullRequestsAt(issue, places);
    const [first] = edits;
    if (first === undefined) return undefined;
    const numbers = edits.slice(0, MOST_NAMED).map(({ number }) => `#${number}`);
    const one = numbers.length === 1;
    const who = `${one ? 'Pull request' : 'Pull requests'} ${numbers.join(', ')} ${one ? 'changes' : 'change'}`;
    return `${who} the suspected lines of \`${first.path}\` already. \`/fathom resolve\` repairs it all the same.`;
  };
}

import type { Forge, OpenWork } from '../domain/ports/forge.ts';
import type { JobsLog, Refusal, RefusedRequest } from '../jobs/worker-ports.ts';
import { compose } from '../report/compose.ts';
import { renderCommands } from '../report/render-commands.ts';
import { code, type Inline, paragraph, strong } from '../report/write-markdown.ts';

/** One comment on an issue says why nothing was started; it is edited when there is another reason. */
const MARKER = 'refused';
/** What was said about a run that was not started stays beside it. */
const COMMANDS_MARKER = 'commands';

/**
 * Tells the person why a request comes to no run, where they can do something about it. Who may not ask gets a reaction
 * to their command and no comment, so that nobody can make the App write at will.
 */
export function createRefusalTeller(
  forge: Pick<Forge, 'comment' | 'react'>,
  log: JobsLog,
): (request: RefusedRequest) => Promise<void> {
  return async ({ issue, refusal, commentId, actor }) => {
    try {
      if (isMisdirected(refusal) && commentId !== undefined) await forge.react(issue, 'confused', commentId);
      const text = textOf(refusal, actor.login, commentId !== undefined);
      const marker = isMisdirected(refusal) ? COMMANDS_MARKER : MARKER;
      if (text !== undefined) await forge.comment(issue, marker, text);
      else if (refusal.kind === 'permission' && commentId !== undefined)
        await forge.react(issue, 'confused', commentId);
    } catch (err) {
      log.warn({ issue: issue.key, err }, 'refusal not told');
    }
  };
}

/** Written by who may ask, and nothing can be done about it. */
const isMisdirected = ({ kind }: Refusal): boolean => kind === 'unknown-command' || kind === 'nothing-runs';

function textOf(refusal: Refusal, login: string, command: boolean): string | undefined {
  switch (refusal.kind) {
    case 'budget':
      return notStarted(
        ` The budget of this ${refusal.budget} for the month is used up. It starts anew on `,
        `${refusal.resetsAt.slice(0, 10)} (UTC); add the label again then, or ask whoever runs Fathom to raise it.`,
      );
    case 'gave-up':
      return notStarted(
        ' It was tried again and again without success; whoever runs Fathom finds the reason in the log. A comment with ',
        code('/fathom diagnose', 40),
        ' or ',
        code('/fathom resolve', 40),
        ' asks anew.',
      );
    case 'provider':
      return compose(
        [paragraph(strong('Not started.'), ' Whoever runs Fathom lets no model read the code of this repository.')],
        [],
      );
    case 'failures':
      return notStarted(
        ` The last ${refusal.inARow} runs on this repository failed, so labels start no more for a while. `,
        'A comment with ',
        code('/fathom diagnose', 40),
        ' or ',
        code('/fathom resolve', 40),
        ' still does.',
      );
    case 'bots':
      return notStarted(
        ` Bots have started ${refusal.runs} runs on this ${refusal.where} within ${refusal.hours} hours and start no `,
        'more for a while. People still do.',
      );
    case 'permission': {
      // Who can put a label on is known to the repository already.
      if (command) return undefined;
      const needed = ` ${refusal.needed === 'write' ? 'Write' : 'Triage'} permission on this repository is needed to start a run, and `;
      return notStarted(needed, code(`@${login}`, 60), ' does not have it.');
    }
    case 'at-work':
      return notStarted(' ', ...workText(refusal.work), ...goOn);
    case 'issue':
      // A label on a closed issue may be tidying up; who writes a command waits for an answer.
      if (!command || refusal.state !== 'closed') return undefined;
      return notStarted(' The issue is closed. Reopen it and ask again.');
    case 'correction':
      return compose([paragraph(strong('Not taken.'), ...correctionText(refusal.problem, refusal.questions))], []);
    case 'unknown-command':
      return renderCommands();
    case 'nothing-runs':
      return compose([paragraph('Nothing is running here.')], []);
    default:
      return undefined;
  }
}

const notStarted = (...why: Inline[]): string => compose([paragraph(strong('Not started.'), ...why)], []);

function correctionText(problem: 'unreadable' | 'no-such-question', questions: number): Inline[] {
  if (questions === 0) return [' There is no answer to correct on this issue yet.'];
  const form: Inline[] = [
    ' Write ',
    code('/fathom answer 1: what is right', 60),
    ' with a number from 1 to ',
    `${questions}.`,
  ];
  return problem === 'unreadable' ? form : [' The last diagnosis has no question of that number.', ...form];
}

const goOn: Inline[] = [' A comment with ', code('/fathom resolve', 40), ' starts the repair all the same.'];

function workText({ pullRequests, branches, assignees }: OpenWork): Inline[] {
  const [pull] = pullRequests;
  if (pull !== undefined) return [`Pull request #${pull} is open for this issue.`];
  const [branch] = branches;
  if (branch !== undefined) return ['The branch ', code(branch, 200), ' is linked to this issue.'];
  return ['It is assigned to ', code(`@${assignees[0] ?? ''}`, 60), '.'];
}

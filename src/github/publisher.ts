import { ForgeError, HandedOverError, passingForgeFailures } from '../domain/errors.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { IssueComments, IssueRef } from '../domain/ports/forge.ts';
import type { Publisher } from '../domain/ports/publisher.ts';
import type { RunEvent } from '../domain/run-events.ts';
import type { GitHubLog } from './github-log.ts';

/** GitHub counts edits as content: of the order of 80 a minute and 500 an hour for everything that an App writes. */
const EDIT_SECONDS = 20;

export interface IssuePublisherOptions {
  comments: IssueComments;
  issue: IssueRef;
  run: string;
  /** The progress comment after these events. */
  progress(events: RunEvent[]): string;
  /**
   * The comment that stays, as far as the run has come: undefined while there is nothing to say. Asked for after the
   * report and again at the end.
   */
  result(events: RunEvent[]): Promise<string | undefined>;
  /** The line under which an earlier run's result is folded away. */
  supersededBy?: string;
  clock: Clock;
  log: GitHubLog;
}

/** What may be otherwise later. */
const passes = (error: unknown): boolean =>
  error instanceof HandedOverError || (error instanceof ForgeError && passingForgeFailures.includes(error.failure));

/** Mark the App's comments on a run. */
export const progressMarker = (run: string): string => `progress:${run}`;
export const resultMarker = (run: string): string => `result:${run}`;

/**
 * Tells a run on its issue: 👀 and a progress comment that is edited at most every 20 seconds, then the result as a new
 * comment, since an edit notifies nobody. In the end the progress comment goes, and the results of earlier runs are
 * folded away. What fails is logged and never fails the run; an end that could not be shown is known to `flush`.
 */
export function createIssuePublisher(options: IssuePublisherOptions): Publisher {
  const { comments, issue, run, clock } = options;
  const events: RunEvent[] = [];
  const over = new AbortController();
  let work: Promise<void> = Promise.resolve();
  let progress: Promise<void> | undefined;
  let shownAt = Number.NEGATIVE_INFINITY;
  let endNotShown: unknown;

  /** Writes one after another; a failed one does not stop the next. */
  function then(what: string, write: () => Promise<unknown>): Promise<void> {
    const failed = (error: unknown) => {
      if (over.signal.aborted && passes(error)) endNotShown ??= error;
      // Another process, or the next start, shows it.
      if (error instanceof HandedOverError) return;
      options.log.error({ run, what, err: error }, 'not shown on the issue');
    };
    work = work.then(write).then(() => undefined, failed);
    return work;
  }
  async function editProgress(): Promise<void> {
    const now = clock.monotonic();
    shownAt = Math.max(now, shownAt + EDIT_SECONDS * 1000);
    try {
      if (shownAt > now) await clock.sleep(shownAt - now, over.signal);
    } catch {
      return;
    }
    await then('progress', async () => {
      if (over.signal.aborted) return;
      await comments.comment(issue, progressMarker(run), options.progress([...events]));
    });
  }
  function showProgress(): void {
    progress ??= editProgress().finally(() => {
      progress = undefined;
    });
  }
  const showResult = async (): Promise<boolean> => {
    const text = await options.result([...events]);
    return text !== undefined && (await comments.comment(issue, resultMarker(run), text)) !== undefined;
  };
  function finish(): void {
    over.abort();
    const summary = options.supersededBy ?? 'An earlier diagnosis';
    void then('result', async () => {
      if (await showResult()) await comments.foldComments(issue, 'result:', resultMarker(run), summary);
    });
    void then('progress', () => comments.comment(issue, progressMarker(run), undefined));
  }
  return {
    publish(_run, event) {
      events.push(event);
      if (event.type === 'run-finished') return finish();
      if (event.type === 'run-started') void then('reaction', () => comments.react(issue, 'eyes'));
      if (event.type === 'stage-finished' && event.stage === 'report') void then('result', showResult);
      showProgress();
    },
    async flush() {
      await progress;
      await work;
      if (endNotShown !== undefined) throw endNotShown;
    },
  };
}

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEnd } from '../../src/domain/ends.ts';
import { EnvironmentError } from '../../src/domain/errors.ts';
import type { RunEvent } from '../../src/domain/run-events.ts';
import { createDockerHost } from '../../src/sandbox/create-docker-host.ts';
import type { Speaker } from './choose-speaker.ts';
import type { DemoOptions } from './demo-options.ts';
import { keepPosted, readPosted } from './posted.ts';
import { eventIn } from './run-events.ts';
import { createLiveStages } from './screen/live-stages.ts';
import { fitted, type Screen } from './screen/screen.ts';
import { showResult } from './show-result.ts';
import { ISSUE, LABEL, MAINTAINER, REPORTER, REPOSITORY, type StagedGitHub, stageGitHub } from './stage-github.ts';
import { type FathomServer, type LogLine, startFathom } from './start-fathom.ts';

const TAKEN_UP_SECONDS = 60;

interface Demo {
  options: DemoOptions;
  speaker: Speaker;
  screen: Screen;
  /** Ends it wherever it stands. */
  stop: AbortSignal;
}

/**
 * From a label to a pull request: GitHub and Fathom are started, the maintainer labels the issue, and what happens is
 * shown. True when a pull request was opened. Whatever was started or made outside of `out` is gone afterwards.
 * @throws the reason of `stop`, or what could not be started.
 */
export async function runDemo({ options, speaker, screen, stop }: Demo): Promise<boolean> {
  await using started = new AsyncDisposableStack();
  await mkdir(options.out, { recursive: true });
  const folder = await mkdtemp(join(tmpdir(), 'fathom-demo-'));
  started.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  const github = await stageGitHub(folder);
  started.defer(() => github.front.stop());
  stop.throwIfAborted();
  const watch = createWatch(screen);
  started.defer(() => watch.end());
  const fathom = await startFathom({
    front: github.front,
    folder,
    variables: speaker.variables,
    logFile: join(options.out, 'fathom.log'),
    onLine: watch.line,
  });
  started.defer(async () => {
    await fathom.stop();
    for (const run of watch.runs) await createDockerHost().sweep(run);
  });
  stop.throwIfAborted();
  github.front.deliveries.setUrl(`${fathom.url}/api/github/webhooks`);
  introduce(screen, github, fathom, speaker);
  const since = performance.now();
  await github.front.as(MAINTAINER).label(REPOSITORY, ISSUE, LABEL);
  const end = await Promise.race([watch.done, whenAborted(stop), endedEarly(fathom), notTakenUp(watch)]);
  watch.end();
  const seconds = (performance.now() - since) / 1000;
  const posted = await readPosted(github.front);
  await keepPosted(options.out, posted);
  showResult(screen, { posted, events: watch.events, speaker, out: options.out, seconds });
  sayEnd(screen, end, options.out);
  if (options.keep) await keepUp(screen, github, fathom, stop);
  return posted.pullRequest !== undefined;
}

interface Watch {
  line(line: LogLine): void;
  events: RunEvent[];
  runs: Set<string>;
  done: Promise<RunEnd>;
  end(): void;
}

function createWatch(screen: Screen): Watch {
  const stages = createLiveStages(screen);
  const events: RunEvent[] = [];
  const runs = new Set<string>();
  const { promise: done, resolve } = Promise.withResolvers<RunEnd>();
  return {
    events,
    runs,
    done,
    line(line) {
      const event = eventIn(line);
      if (event !== undefined) {
        events.push(event);
        runs.add(String(line['run']));
        stages.publish(event);
      }
      // What is said twice in the log is the end of the run, and the end of its telling; the second is waited for.
      if (line['msg'] === 'run ended' || line['msg'] === 'run paused') resolve(line['end'] as RunEnd);
      else if (isWarning(line)) stages.publish({ at: '', type: 'note', text: String(line['msg']) });
    },
    end: () => stages.end(),
  };
}

/** Pino's number for a warning is 40; what a recording no longer fits is told as one. */
const isWarning = (line: LogLine): boolean => Number(line['level']) >= 40;

function introduce(screen: Screen, github: StagedGitHub, fathom: FathomServer, speaker: Speaker): void {
  const fact = (name: string, text: string) => `${screen.style('dim', name.padEnd(9))}${text}`;
  screen.print(
    fact('GitHub', `an emulator at ${github.front.url}, with ${REPOSITORY} (${github.commits} commits)`),
    fact('Fathom', `as npm start starts it, at ${fathom.url}, embedded database`),
    fact('Model', speaker.about),
    ...(speaker.notice === undefined ? [] : [screen.style('yellow', `! ${speaker.notice}`)]),
    '',
    `${screen.style('bold', REPORTER)} opened issue #${ISSUE}`,
    `  ${fitted(github.title, screen.width - 2)}`,
    `${screen.style('bold', MAINTAINER)} adds the label ${screen.style('magenta', LABEL)}`,
    '',
  );
}

function sayEnd(screen: Screen, end: RunEnd, out: string): void {
  screen.print('');
  if (end.kind === 'proposed') return;
  const why = end.kind === 'failed' ? `${end.message} ${end.remedy}` : 'reason' in end ? end.reason : end.kind;
  screen.print(screen.style('red', `No pull request was opened: ${fitted(why, 600)}`));
  screen.print(screen.style('dim', `Fathom's log: ${join(out, 'fathom.log')}`), '');
}

async function keepUp(screen: Screen, github: StagedGitHub, fathom: FathomServer, stop: AbortSignal): Promise<void> {
  const { url } = github.front;
  screen.print(
    'Everything stays up until Ctrl-C:',
    `  the issue         curl ${url}/repos/${REPOSITORY}/issues/${ISSUE}/comments`,
    `  pull requests     curl ${url}/repos/${REPOSITORY}/pulls`,
    `  the repository    git clone http://git:user-token-of-${MAINTAINER}@${new URL(url).host}/${REPOSITORY}.git`,
    `  Fathom            curl ${fathom.url}/metrics`,
    `  its runs          FATHOM_DATA=${fathom.dataDir} npx fathom runs list`,
    '',
  );
  await whenAborted(stop).catch(() => undefined);
}

function whenAborted(stop: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (stop.aborted) reject(stop.reason);
    stop.addEventListener('abort', () => reject(stop.reason), { once: true });
  });
}

async function endedEarly(fathom: FathomServer): Promise<never> {
  await fathom.ended;
  throw new EnvironmentError('ended', 'Fathom ended before its run did', 'Look at its log.');
}

/** A label that starts no run would be waited for without end. */
function notTakenUp({ events }: Watch): Promise<never> {
  return new Promise((_, reject) => {
    const late = () => {
      if (events.length > 0) return;
      const remedy = 'Look at its log.';
      reject(new EnvironmentError('no-run', `Fathom took nothing up within ${TAKEN_UP_SECONDS} s`, remedy));
    };
    setTimeout(late, TAKEN_UP_SECONDS * 1000).unref();
  });
}

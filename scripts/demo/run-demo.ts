import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEnd } from '../../src/domain/ends.ts';
import { EnvironmentError } from '../../src/domain/errors.ts';
import { createDockerHost } from '../../src/sandbox/create-docker-host.ts';
import type { Speaker } from './choose-speaker.ts';
import type { DemoOptions } from './demo-options.ts';
import { keepUp, whenAborted } from './keep-up.ts';
import { keepPosted, readPosted } from './posted.ts';
import { fitted, type Screen } from './screen/screen.ts';
import { showResult } from './show-result.ts';
import { ISSUE, LABEL, MAINTAINER, REPORTER, REPOSITORY, type StagedGitHub, stageGitHub } from './stage-github.ts';
import { type FathomServer, startFathom } from './start-fathom.ts';
import { notTakenUp, watchRun } from './watch-run.ts';

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
  const watch = watchRun(screen);
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
  if (options.keep) await keepUp({ screen, github, fathom, out: options.out }, stop);
  return posted.pullRequest !== undefined;
}

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

async function endedEarly(fathom: FathomServer): Promise<never> {
  await fathom.ended;
  throw new EnvironmentError('ended', 'Fathom ended before its run did', 'Look at its log.');
}

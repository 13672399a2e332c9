import { join } from 'node:path';
import { REPOSITORY } from '../leap-front.ts';
import type { Figure, PartResult } from './figures.ts';
import { judgeFlat, type Sample } from './judge-flat.ts';
import { closePulls, openIssue } from './observe.ts';
import { openPlace, type Place } from './place.ts';
import { nothingAmiss } from './tally.ts';

const AT_ONCE = 4;
/** The emulator answers no more than 5,000 requests of one token. */
const RUNS_A_TOKEN = 50;
const SAY_EVERY = 50;
const program = ['--expose-gc', join(import.meta.dirname, 'stubbed-server.ts')];
const variables = { FATHOM_CONCURRENCY: String(AT_ONCE), FATHOM_REPOSITORY_CONCURRENCY: String(AT_ONCE) };

/** One run in ten is a repair; the others are diagnoses. */
const REPAIR_EVERY = 10;

/** Runs, four at once, in one process whose containers are stubbed: what it holds meanwhile. */
export async function flat(kind: Place['kind'], total: number, say: (line: string) => void): Promise<PartResult> {
  await using place = await openPlace(kind, { variables, program });
  const ends: string[] = [];
  const samples: Sample[] = [];
  const lanes = Array.from({ length: AT_ONCE }, (_, lane) => lane);
  await place.fleet.start('server');
  place.fleet.listen((line) => {
    const { heapMiB, residentMiB, containers } = line as unknown as Sample;
    if (line['msg'] === 'sample') samples.push({ runs: ends.length, heapMiB, residentMiB, containers });
  });
  const started = performance.now();
  const counter = { begun: 0 };
  const work = async () => {
    while (counter.begun < total) {
      counter.begun += 1;
      ends.push(await oneRun(place, counter.begun));
      if (ends.length % RUNS_A_TOKEN === 0) place.front.killInstallationTokens();
      if (ends.length % SAY_EVERY === 0) say(`${kind}: ${ends.length} of ${total} runs, ${heldNow(samples)}`);
    }
  };
  await Promise.all(lanes.map(work));
  const seconds = (performance.now() - started) / 1000;
  await settled(samples);
  const { heap, resident, broken } = judgeFlat(samples, total);
  const unexpected = ends.filter((end) => end !== 'as expected');
  const figure = (name: string, unit: Figure['unit'], values: number[]) => ({
    database: kind,
    name: `${total} runs in one process: ${name}`,
    unit,
    values,
  });
  return {
    tally: { ...nothingAmiss(), lost: unexpected.length },
    broken: [...broken, ...unexpected].map((words) => `${kind}, ${total} runs: ${words}`),
    figures: [
      figure('all of them', 's', [seconds]),
      figure('heap after a third and at the end', 'MiB', [heap.before, heap.after]),
      figure('memory after a third and at the end', 'MiB', [resident.before, resident.after]),
      figure(
        'containers',
        '',
        samples.map(({ containers }) => containers),
      ),
    ],
  };
}

const heldNow = (samples: Sample[]): string => {
  const last = samples.at(-1);
  return `heap ${last?.heapMiB.toFixed(0)} MiB, memory ${last?.residentMiB.toFixed(0)} MiB`;
};

async function oneRun(place: Place, number: number): Promise<string> {
  const repairs = number % REPAIR_EVERY === 0;
  const issue = await openIssue(place, number);
  const ended = Promise.withResolvers<string>();
  const unlisten = place.fleet.listen((line) => {
    if (!String(line['issue']).endsWith(`#${issue}`) || line['msg'] !== 'run ended') return;
    const end = line['end'] as { kind: string };
    // Two repairs that overlap change the same lines, and the later one then opens no pull request.
    const expected = repairs ? ['proposed', 'no-pull-request'] : ['diagnosed'];
    ended.resolve(expected.includes(end.kind) ? 'as expected' : `run ${number} ended ${JSON.stringify(end)}`);
  });
  await place.front.as('maria').label(REPOSITORY, issue, repairs ? 'auto-triage' : 'auto-diagnose');
  const end = await ended.promise.finally(unlisten);
  if (repairs) await closePulls(place, issue);
  return end;
}

/** Two samples more, when nothing runs. */
async function settled(samples: Sample[]): Promise<void> {
  const wanted = samples.length + 2;
  while (samples.length < wanted) await new Promise((resolve) => setTimeout(resolve, 100));
}

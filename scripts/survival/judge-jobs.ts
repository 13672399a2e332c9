import type { Tally } from './tally.ts';

/** What a worker process noted: that a run's stage began, was kept, or that it let the run go. */
export interface Note {
  at: number;
  pid: string;
  what: string;
  run: string;
  stage: string;
}

export interface JobsFound {
  /** Jobs that were asked for, one run each. */
  jobs: number;
  notes: Note[];
  runs: { id: string; repository: string; state: string }[];
  /** When each process was killed. */
  killed: Record<string, number>;
  perRepository: number;
}

export interface JobsVerdict {
  tally: Tally;
  broken: string[];
  /** The most runs that were worked on at once on one repository. */
  mostAtOnce: number;
}

const LAST_STAGE = 'report';

/** Whether each job was finished once, no finished stage was done again, and the limit was held. */
export function judgeJobs(found: JobsFound): JobsVerdict {
  const { jobs, runs, notes, perRepository } = found;
  const ended = runs.filter(({ state }) => state === 'ended').length;
  const finished = notes.filter(({ what, stage }) => what === 'kept' && stage === LAST_STAGE);
  const finishedTwice = finished.length - new Set(finished.map(({ run }) => run)).size;
  const lost = Math.max(0, jobs - ended);
  const doubled = Math.max(0, runs.length - jobs) + finishedTwice;
  const rerun = doneAgain(notes).length;
  const mostAtOnce = Math.max(0, ...repositoriesOf(found).map((repository) => mostOn(found, repository)));
  const broken = [
    ...(lost > 0 ? [`${lost} of ${jobs} jobs did not end`] : []),
    ...(doubled > 0 ? [`${doubled} were finished twice`] : []),
    ...(rerun > 0 ? [`${rerun} finished stages were done again`] : []),
    ...(mostAtOnce > perRepository ? [`${mostAtOnce} runs at once on a repository, and ${perRepository} allowed`] : []),
  ];
  return { tally: { lost, doubled, rerun }, broken, mostAtOnce };
}

/** Work on a stage that began after the stage was kept. */
const doneAgain = (notes: Note[]): Note[] => {
  const kept = new Map<string, number>();
  for (const { what, run, stage, at } of notes) {
    const key = `${run} ${stage}`;
    if (what === 'kept') kept.set(key, Math.min(at, kept.get(key) ?? at));
  }
  return notes.filter(({ what, run, stage, at }) => {
    const keptAt = kept.get(`${run} ${stage}`);
    return what === 'start' && keptAt !== undefined && keptAt < at;
  });
};

const repositoriesOf = ({ runs }: JobsFound): string[] => [...new Set(runs.map(({ repository }) => repository))];

/** The most spans that overlap; one that ends where another begins does not. */
function mostOn(found: JobsFound, repository: string): number {
  const ids = new Set(found.runs.filter((run) => run.repository === repository).map(({ id }) => id));
  const edges = spansOf(found, ids).flatMap(({ from, to }) => [
    { at: from, step: 1 },
    { at: to, step: -1 },
  ]);
  edges.sort((a, b) => a.at - b.at || a.step - b.step);
  let [now, most] = [0, 0];
  for (const { step } of edges) {
    now += step;
    most = Math.max(most, now);
  }
  return most;
}

/** From when a process began to work on a run until it was done with it, or was killed. */
function spansOf({ notes, killed }: JobsFound, ids: Set<string>): { from: number; to: number }[] {
  const open = new Map<string, number>();
  const spans: { from: number; to: number }[] = [];
  for (const { pid, run, what, at } of notes.filter((note) => ids.has(note.run))) {
    const key = `${pid} ${run}`;
    const from = open.get(key);
    if (from === undefined && what === 'start') open.set(key, at);
    if (from !== undefined && what === 'left') {
      spans.push({ from, to: at });
      open.delete(key);
    }
  }
  for (const [key, from] of open) {
    spans.push({ from, to: killed[key.split(' ')[0] ?? ''] ?? Number.POSITIVE_INFINITY });
  }
  return spans;
}

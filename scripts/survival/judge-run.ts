import { Stage } from '../../src/domain/stage.ts';
import { nothingAmiss, type Tally } from './tally.ts';

/** What a ledger holds of one run, at one moment. */
export interface KeptRun {
  state: string;
  /** When each artefact was saved, in milliseconds since 1970. */
  saved: Record<string, number>;
  /** The stages whose work began, in the order in which it did. */
  begun: Stage[];
}

/** One full run as it is found after its end, beside what was kept when its process was killed. */
export interface ObservedRun {
  /** What has to be there of it: `proposed` and a pull request, or any end that its comment tells. */
  expected: 'proposed' | 'told';
  end: string | undefined;
  /** Runs that the one label came to. */
  runs: number;
  comments: number;
  branches: number;
  pulls: number;
  kept: KeptRun;
  /** For each kill, what was kept before it, and the agents that the model was asked by after it. */
  kills: { kept: KeptRun; askedAfter: string[] }[];
}

export interface Verdict {
  tally: Tally;
  /** What is wrong, in words. */
  broken: string[];
}

export function judgeRun(run: ObservedRun): Verdict {
  const verdict: Verdict = { tally: nothingAmiss(), broken: [] };
  const count = (what: keyof Tally, times: number, words: string) => {
    if (times <= 0) return;
    verdict.tally[what] += times;
    verdict.broken.push(words);
  };
  const wanted = run.expected === 'proposed' ? run.end === 'proposed' : run.end !== undefined;
  count('lost', wanted ? 0 : 1, `it ended ${run.end ?? 'never'}`);
  const pulls = run.end === 'proposed' ? 1 : 0;
  const things = { runs: 1, comments: 1, branches: pulls, pulls };
  for (const [name, due] of Object.entries(things)) {
    const there = run[name as keyof typeof things];
    count('doubled', there - due, `${there} ${name} where ${due} should be`);
    if (wanted) count('lost', due - there, `${there} ${name} where ${due} should be`);
  }
  const again = doneAgain(run);
  count('rerun', again.length, `done again: ${again.join(', ')}`);
  return verdict;
}

/** Stages and agents that were finished when a process was killed, and whose work was done again. */
function doneAgain({ kept, kills }: ObservedRun): string[] {
  const again = new Set<string>();
  for (const { kept: before, askedAfter } of kills) {
    for (const [key, at] of Object.entries(before.saved)) {
      if (!isFinishedWork(key)) continue;
      const saved = kept.saved[key] !== at;
      const begun = isStage(key) && timesBegun(kept, key) > timesBegun(before, key);
      const asked = agentsOf(key).some((agent) => askedAfter.includes(agent));
      if (saved || begun || asked) again.add(key);
    }
  }
  return [...again];
}

const isStage = (key: string): key is Stage => Stage.options.some((stage) => stage === key);

/** A stage, an agent within `answer`, or the set-up; everything else that is kept is brought up to date. */
const isFinishedWork = (key: string): boolean =>
  isStage(key) || key.startsWith('answer/') || key === 'environment' || key === 'resolve/proof';

const timesBegun = ({ begun }: KeptRun, stage: Stage): number => begun.filter((one) => one === stage).length;

/** The agents that have finished once this artefact is kept. */
function agentsOf(key: string): string[] {
  const agents: Partial<Record<string, string>> = { ask: 'questioner', audit: 'verifier', resolve: 'resolver' };
  const part = /^answer\/(Q\d+)$/.exec(key)?.[1];
  if (part !== undefined) return [`answerer-${part}`];
  if (key === 'answer/localizer') return ['localizer'];
  const agent = agents[key];
  return agent === undefined ? [] : [agent];
}

/** Whether a kill met the moment that it was meant for, by what its process left behind. */
export function hasMet(
  point: { stage: Stage; moment: 'start' | 'middle' | 'end' },
  kept: KeptRun | undefined,
): boolean {
  if (kept === undefined || kept.state === 'ended') return false;
  const at = Stage.options.indexOf(point.stage);
  const isKept = (stage: Stage | undefined) => stage !== undefined && kept.saved[stage] !== undefined;
  if (point.moment === 'end') return isKept(point.stage) && !isKept(Stage.options[at + 1]);
  const begun = kept.begun.includes(point.stage) || (point.stage === 'prepare' && point.moment === 'start');
  return begun && !isKept(point.stage);
}

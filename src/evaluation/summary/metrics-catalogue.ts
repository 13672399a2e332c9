import type { Judgement } from '../judges/judgement.ts';
import type { Outcome } from '../scoring/outcome.ts';
import type { TrajectoryFigures } from '../scoring/trajectory-figures.ts';

/** An outcome with what a judge said of it, where one was asked. */
export interface Measured {
  outcome: Outcome;
  judgement?: Judgement | undefined;
}

export interface Metric {
  key: string;
  label: string;
  group: 'outcome' | 'files' | 'chunks' | 'words alone' | 'effort' | 'knowledge' | 'judged';
  unit: 'share' | 'usd' | 'seconds' | 'tokens' | 'number';
  /** True where each instance has 0 or 1: then the mean is a proportion. */
  binary: boolean;
  /** Undefined where the outcome has no such value; then the instance is not counted. */
  value(measured: Measured): number | undefined;
}

type Value = Metric['value'];
const metric = (group: Metric['group'], unit: Metric['unit'], key: string, label: string, value: Value): Metric => ({
  ...{ group, unit, key, label, value, binary: BINARY.has(key) },
});

const BINARY = new Set(
  'resolved proven failed hit@1 hit@3 hit@5 exact lexical-hit@1 lexical-hit@10 silent abstained'.split(' '),
);

const file =
  (key: keyof NonNullable<Outcome['files']>): Value =>
  ({ outcome }) =>
    outcome.files?.[key];
const chunk =
  (key: keyof NonNullable<Outcome['chunks']>): Value =>
  ({ outcome }) =>
    outcome.chunks?.[key];
const agents = ({ outcome }: Measured, role: string): TrajectoryFigures[] =>
  outcome.agents.filter((agent) => agent.role === role);
const resolver = (measured: Measured): TrajectoryFigures | undefined => agents(measured, 'resolver')[0];
const share = (part: number, whole: number): number | undefined => (whole === 0 ? undefined : part / whole);
const lexical =
  (k: number): Value =>
  ({ outcome }) =>
    outcome.lexicalRank === undefined ? undefined : Number(outcome.lexicalRank > 0 && outcome.lexicalRank <= k);

function meanSteps(measured: Measured, role: string): number | undefined {
  const all = agents(measured, role);
  return all.length === 0 ? undefined : all.reduce((sum, agent) => sum + agent.steps, 0) / all.length;
}

/** Everything that is reported of an arm, in the order of the report. */
export const METRICS: Metric[] = [
  metric('outcome', 'share', 'resolved', 'resolved', ({ outcome }) => toNumber(outcome.tests?.resolved)),
  metric('outcome', 'share', 'proven', 'proven by its own test', ({ outcome }) =>
    outcome.proof === undefined ? undefined : Number(outcome.proof === 'proven'),
  ),
  metric('outcome', 'share', 'failed', 'run failed or ran out of time', ({ outcome }) =>
    Number(outcome.end.kind === 'failed' || outcome.end.kind === 'stopped'),
  ),
  metric('outcome', 'share', 'patch-f1', 'F1 of the changed files', ({ outcome }) => outcome.patchFiles?.f1),
  metric('files', 'share', 'hit@1', 'hit@1', file('hitAt1')),
  metric('files', 'share', 'hit@3', 'hit@3', file('hitAt3')),
  metric('files', 'share', 'hit@5', 'hit@5', file('hitAt5')),
  metric('files', 'share', 'recall@1', 'recall@1', file('recallAt1')),
  metric('files', 'share', 'file-precision', 'precision', file('precision')),
  metric('files', 'share', 'file-recall', 'recall', file('recall')),
  metric('files', 'share', 'file-f1', 'F1', file('f1')),
  metric('files', 'share', 'exact', 'exact match', file('exact')),
  metric('files', 'share', 'jaccard', 'Jaccard', file('jaccard')),
  metric('chunks', 'share', 'chunk-recall', 'coverage recall', chunk('coverageRecall')),
  metric('chunks', 'share', 'chunk-precision', 'precision', chunk('precision')),
  metric('chunks', 'share', 'tightness', 'tightness of covered chunks', chunk('tightness')),
  metric('words alone', 'share', 'lexical-hit@1', 'ranking hit@1', lexical(1)),
  metric('words alone', 'share', 'lexical-hit@10', 'ranking hit@10', lexical(10)),
  metric('effort', 'usd', 'usd', 'cost', ({ outcome }) => outcome.spent.usd),
  metric('effort', 'seconds', 'seconds', 'time', ({ outcome }) => outcome.seconds),
  metric('effort', 'tokens', 'tokens', 'tokens', ({ outcome: { spent } }) => spent.tokens.input + spent.tokens.output),
  metric(
    'effort',
    'tokens',
    'fresh',
    'tokens in, fresh',
    ({ outcome: { spent } }) => spent.tokens.input - spent.tokens.cached,
  ),
  metric('effort', 'tokens', 'cached', 'tokens in, cached', ({ outcome }) => outcome.spent.tokens.cached),
  metric('effort', 'tokens', 'output', 'tokens out', ({ outcome }) => outcome.spent.tokens.output),
  metric('effort', 'number', 'localizer-steps', 'Localizer turns', (measured) => meanSteps(measured, 'localizer')),
  metric('effort', 'number', 'answerer-steps', 'Answerer steps', (measured) => meanSteps(measured, 'answerer')),
  metric('effort', 'number', 'resolver-steps', 'Resolver steps', (measured) => meanSteps(measured, 'resolver')),
  metric(
    'effort',
    'tokens',
    'before-edit',
    'Resolver tokens before its first edit',
    (measured) => resolver(measured)?.tokensBeforeEdit,
  ),
  metric('knowledge', 'share', 'answered', 'questions answered', ({ outcome }) =>
    share(outcome.answered, outcome.questions),
  ),
  metric('knowledge', 'share', 'struck', 'citations and places struck', ({ outcome: { citations, locations } }) =>
    share(citations.struck + locations.struck, total(citations) + total(locations)),
  ),
  metric('knowledge', 'share', 'silent', 'named no place', ({ outcome }) =>
    outcome.files === undefined ? undefined : Number(outcome.predicted.length === 0),
  ),
  metric('knowledge', 'share', 'abstained', 'said that there is no place', ({ outcome }) =>
    outcome.files === undefined ? undefined : Number(outcome.abstained),
  ),
  metric('knowledge', 'number', 'rating', 'Verifier’s rating, 1 to 5', ({ outcome }) => outcome.rating),
  metric('knowledge', 'share', 'used', 'Resolver steps that name what was known', (measured) => {
    const one = resolver(measured);
    return one === undefined || measured.outcome.questions + measured.outcome.predicted.length === 0
      ? undefined
      : share(one.knowledgeSteps, one.steps);
  }),
  metric(
    'judged',
    'number',
    'finding-quality',
    'finding quality, 1 to 5',
    ({ judgement }) => judgement?.composite?.mean,
  ),
  metric('judged', 'number', 'question-quality', 'question quality, 1 to 10', ({ judgement }) =>
    questionQuality(judgement),
  ),
  metric(
    'judged',
    'number',
    'coverage',
    'coverage of the questions, 1 to 10',
    ({ judgement }) => judgement?.coverage?.mean,
  ),
  metric('judged', 'number', 'support', 'support of the answers, 1 to 5', ({ judgement }) =>
    meanOf(judgement?.answers.map((answer) => answer.support.mean) ?? []),
  ),
];

const toNumber = (value: boolean | undefined): number | undefined => (value === undefined ? undefined : Number(value));
const total = (counts: Record<string, number>): number => Object.values(counts).reduce((sum, count) => sum + count, 0);
const meanOf = (values: number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;

const questionQuality = (judgement: Judgement | undefined): number | undefined =>
  meanOf((judgement?.questions ?? []).flatMap((question) => Object.values(question.scores).map((score) => score.mean)));

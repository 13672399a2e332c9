import { z } from 'zod';
import type { AuditedPair, Diagnosis } from '../../domain/diagnosis.ts';
import type { RenderedIssue } from '../../domain/issue-snapshot.ts';
import type { TrajectoryEntry } from '../../domain/ports/trajectory-store.ts';
import type { Instance } from '../datasets/instance.ts';
import { fieldOf, type Judge } from './judge.ts';
import { FINDING_DIMENSIONS, type Judgement, QUESTION_DIMENSIONS, repeated } from './judgement.ts';

const rating = (most: number) => z.number().min(1).max(most);
const Question = z.object({
  relevance: rating(10),
  answerability: rating(10),
  utility: rating(10),
  depth: rating(10),
  clarity: rating(10),
});
const Coverage = z.object({ coverage: rating(10) });
const Support = z.object({ support: rating(5) });
const Finding = z.object({ root_cause: rating(5), location: rating(5), actionability: rating(5) });

const EVIDENCE_CHARACTERS = 12_000;

export interface JudgedRun {
  instance: Instance;
  arm: string;
  issue: RenderedIssue;
  diagnosis: Diagnosis;
  /** An Answerer's transcript, for what it saw. */
  transcript(agent: string): Promise<TrajectoryEntry[]>;
}

/** Everything that is judged of one run: its questions, their coverage, the answers' support, the findings. */
export async function judgeRun(run: JudgedRun, judge: Judge): Promise<Judgement> {
  const judgement: Judgement = {
    ...{ instance: run.instance.instance_id, arm: run.arm, model: judge.name },
    ...{ questions: [], answers: [], usd: 0, missing: [] },
  };
  const before = judge.spent();
  await judgeQuestions(run, judge, judgement);
  await judgeAnswers(run, judge, judgement);
  await judgeFindings(run, judge, judgement);
  return { ...judgement, usd: judge.spent() - before };
}

const textOf = (issue: RenderedIssue): string => `${issue.title}\n\n${issue.text}`;

export const questionsText = (pairs: AuditedPair[]): string =>
  pairs.map(({ question }, index) => `${index + 1}. ${question.text}`).join('\n');

async function judgeQuestions({ issue, diagnosis }: JudgedRun, judge: Judge, judgement: Judgement): Promise<void> {
  const pairs = diagnosis.knowledge;
  if (pairs.length === 0) return;
  for (const { question } of pairs) {
    const values = () => ({ issue: textOf(issue), question: question.text });
    const { values: read, problem } = await judge.ask('question', `judge-question-${question.id}`, Question, values);
    if (problem) judgement.missing.push(`question ${question.id}: ${problem}`);
    const scores = QUESTION_DIMENSIONS.flatMap((name) => {
      const score = fieldOf(read, name);
      return score ? [[name, score] as const] : [];
    });
    if (scores.length === 0) continue;
    judgement.questions.push({ id: question.id, category: question.category, scores: Object.fromEntries(scores) });
  }
  const values = () => ({ issue: textOf(issue), questions: questionsText(pairs) });
  const { values: read, problem } = await judge.ask('coverage', 'judge-coverage', Coverage, values);
  if (problem) judgement.missing.push(`coverage: ${problem}`);
  const coverage = fieldOf(read, 'coverage');
  if (coverage) judgement.coverage = coverage;
}

async function judgeAnswers({ diagnosis, transcript }: JudgedRun, judge: Judge, judgement: Judgement): Promise<void> {
  for (const pair of diagnosis.knowledge) {
    if (!pair.answer) continue;
    const { question, answer } = pair;
    const citations = pair.checked.map(({ citation, verdict }) => `${verdict}: ${JSON.stringify(citation)}`).join('\n');
    const evidence = evidenceOf(pair, await transcript(`answerer-${question.id}`));
    const values = () => ({ question: question.text, answer: answer.text, citations, evidence });
    const { values: read, problem } = await judge.ask('answer', `judge-answer-${question.id}`, Support, values);
    if (problem) judgement.missing.push(`answer ${question.id}: ${problem}`);
    const support = fieldOf(read, 'support');
    if (support) judgement.answers.push({ id: question.id, support });
  }
}

/** What the Answerer saw of the places that it cites, as far as it fits. */
function evidenceOf({ checked }: AuditedPair, entries: TrajectoryEntry[]): string {
  const paths = checked.flatMap(({ citation }) => (citation.kind === 'repository' ? [citation.path] : []));
  const seen = entries.flatMap((entry) =>
    entry.type === 'message' && entry.message.role === 'tool' ? [entry.message.text] : [],
  );
  const telling = seen.filter((text) => paths.some((path) => text.includes(path)));
  return (telling.length > 0 ? telling : seen).join('\n---\n').slice(0, EVIDENCE_CHARACTERS);
}

async function judgeFindings(run: JudgedRun, judge: Judge, judgement: Judgement): Promise<void> {
  const { issue, diagnosis, instance } = run;
  if (diagnosis.findings.length === 0) return;
  const findings = findingsText(diagnosis);
  const values = () => ({ issue: textOf(issue), fix: instance.patch, diagnosis: findings });
  const { values: read, problem } = await judge.ask('finding', 'judge-finding', Finding, values);
  if (problem) judgement.missing.push(`findings: ${problem}`);
  if (read.length === 0) return;
  judgement.findings = Object.fromEntries(
    FINDING_DIMENSIONS.map((name) => [name, repeated(read.map((one) => one[name]))]),
  );
  judgement.composite = repeated(read.map((one) => (one.root_cause + one.location + one.actionability) / 3));
}

function findingsText({ findings }: Diagnosis): string {
  const texts = findings.map((finding, index) => {
    const places = finding.checked.filter(({ verdict }) => verdict !== 'struck').map(({ location }) => location);
    return [
      `Finding ${index + 1}: ${places.map((one) => `${one.path}:${one.startLine}-${one.endLine}`).join(', ')}`,
      `Location: ${finding.locationExplanation}`,
      `Root cause: ${finding.rootCause}`,
      `Solution idea: ${finding.solutionIdea}`,
      `Dependencies: ${finding.dependencies}`,
      `Testing impact: ${finding.testingImpact}`,
    ].join('\n');
  });
  return texts.join('\n\n');
}

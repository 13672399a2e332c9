import { z } from 'zod';
import { Diagnosis } from '../../domain/diagnosis.ts';
import { Prepared } from '../../pipeline/artefacts.ts';
import type { Instance } from '../datasets/instance.ts';
import type { EvaluationPlan, EvaluationPorts } from '../running/evaluation.ts';
import type { Outcome } from '../scoring/outcome.ts';
import type { Judge } from './judge.ts';
import { judgeRun, questionsText } from './judge-run.ts';
import { Judgement, Vote } from './judgement.ts';
import { voteOnQuestions } from './vote-on-questions.ts';

const Kept = z.object({ repetitions: z.int(), judgement: Judgement });
const KeptVote = z.object({ model: z.string(), vote: Vote });

type Archive = Pick<EvaluationPorts, 'archive'>;

/** A run with its questions, as it is voted on. */
interface Asked {
  outcome: Outcome;
  questions: string;
  issue: string;
}

/**
 * Judges every run that has something to judge, and lets the question sets of two arms be voted on. What was judged
 * before by the same model, as often, is kept.
 */
export async function judgeEvaluation(
  plan: EvaluationPlan,
  outcomes: Outcome[],
  ports: Pick<EvaluationPorts, 'archive' | 'tell'>,
  judge: Judge,
): Promise<{ judgements: Judgement[]; votes: Vote[] }> {
  const judgements: Judgement[] = [];
  const votes: Vote[] = [];
  for (const instance of plan.instances) {
    const own = outcomes.filter((outcome) => outcome.instance === instance.instance_id);
    const asked: Asked[] = [];
    for (const outcome of own) {
      const judged = await judgeOne(instance, outcome, ports, judge);
      if (!judged) continue;
      judgements.push(judged.judgement);
      if (judged.asked.questions !== '') asked.push(judged.asked);
    }
    votes.push(...(await votesAmong(instance.instance_id, asked, ports, judge)));
    if (own.length > 0) ports.tell(`judged ${instance.instance_id} ($${judge.spent().toFixed(2)} in all)`);
  }
  return { judgements, votes };
}

async function judgeOne(
  instance: Instance,
  outcome: Outcome,
  ports: Archive,
  judge: Judge,
): Promise<{ judgement: Judgement; asked: Asked } | undefined> {
  const { ledger, trajectories } = ports.archive({ instance: outcome.instance, arm: outcome.arm });
  const diagnosis = await ledger.load(outcome.run, 'report', Diagnosis);
  const prepared = await ledger.load(outcome.run, 'prepare', Prepared);
  if (!diagnosis || !prepared || diagnosis.findings.length + diagnosis.knowledge.length === 0) return undefined;
  const { issue } = prepared;
  const text = `${issue.title}\n\n${issue.text}`;
  const asked = { outcome, questions: questionsText(diagnosis.knowledge), issue: text };
  const kept = await ledger.load(outcome.run, 'judgement', Kept);
  if (kept?.judgement.model === judge.name && kept.repetitions === judge.repetitions) {
    return { judgement: kept.judgement, asked };
  }
  const transcript = (agent: string) => trajectories.read(outcome.run, agent);
  const judgement = await judgeRun({ instance, arm: outcome.arm, issue, diagnosis, transcript }, judge);
  // What is missing may be had another time, with more money.
  if (judgement.missing.length === 0) {
    await ledger.save(outcome.run, 'judgement', { repetitions: judge.repetitions, judgement });
  }
  return { judgement, asked };
}

/** The first arm with questions against each other one. */
async function votesAmong(instance: string, asked: Asked[], ports: Archive, judge: Judge): Promise<Vote[]> {
  const [first, ...others] = asked;
  const votes: Vote[] = [];
  for (const second of first ? others : []) {
    const { ledger } = ports.archive({ instance, arm: second.outcome.arm });
    const key = `vote-${first?.outcome.run}`;
    const kept = await ledger.load(second.outcome.run, key, KeptVote);
    const same = kept?.model === judge.name && kept.vote.repetitions === judge.repetitions;
    const side = (one: Asked) => ({ arm: one.outcome.arm, questions: one.questions });
    const input = { instance, issue: second.issue, first: side(first as Asked), second: side(second) };
    const vote = same ? kept.vote : await voteOnQuestions(input, judge);
    if (!same) await ledger.save(second.outcome.run, key, { model: judge.name, vote });
    votes.push(vote);
  }
  return votes;
}

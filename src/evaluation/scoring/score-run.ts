import { Diagnosis } from '../../domain/diagnosis.ts';
import type { RunEnd } from '../../domain/ends.ts';
import type { Location } from '../../domain/finding.ts';
import { Resolution } from '../../domain/patch.ts';
import type { RunLedger, TrajectoryStore } from '../../domain/ports/index.ts';
import { Proof } from '../../domain/proof.ts';
import { Receipt } from '../../domain/receipt.ts';
import type { Run } from '../../domain/run.ts';
import { Prepared } from '../../pipeline/artefacts.ts';
import type { Arm } from '../arms/arm.ts';
import type { Gold } from '../datasets/gold.ts';
import type { Instance } from '../datasets/instance.ts';
import { chunkMetrics } from '../metrics/chunk-metrics.ts';
import { fileMetrics } from '../metrics/file-metrics.ts';
import { agentNames, knowledgeNames } from './knowledge-names.ts';
import type { Outcome, TestVerdict } from './outcome.ts';
import { type TrajectoryFigures, trajectoryFigures } from './trajectory-figures.ts';

export interface FinishedRun {
  instance: Instance;
  arm: Arm;
  gold: Gold;
  run: Run;
  end: RunEnd;
  seconds: number;
  ledger: RunLedger;
  trajectories: TrajectoryStore;
  tests?: TestVerdict;
}

/** Reads what a run left behind and measures it. A run that failed has no prediction, and scores as such. */
export async function scoreRun(finished: FinishedRun): Promise<Outcome> {
  const { ledger, gold, instance, arm, end, tests } = finished;
  const run = finished.run.id;
  const diagnosis = await ledger.load(run, 'report', Diagnosis);
  const prepared = await ledger.load(run, 'prepare', Prepared);
  const resolution = await ledger.load(run, 'resolve', Resolution);
  const proof = await ledger.load(run, 'prove', Proof);
  const receipt = await ledger.load(run, 'receipt', Receipt);
  const predicted = predictedSpans(diagnosis);
  const patched = resolution?.patch.files.filter((file) => file.kind === 'source').map((file) => file.path);
  const localizes = finished.run.settings.findings && arm.given === undefined;
  const chunks = localizes ? chunkMetrics(predicted, gold.chunks) : undefined;
  return {
    ...{ instance: instance.instance_id, repo: instance.repo, arm: arm.name, run, end, seconds: finished.seconds },
    secondsByStage: receipt?.secondsByStage ?? {},
    spent: await ledger.spent(run),
    ...{ gold, predicted },
    ...(localizes ? { files: fileMetrics(pathsOf(predicted), gold.files) } : {}),
    ...(chunks ? { chunks } : {}),
    ...lexicalRank(prepared, gold),
    ...countDiagnosis(diagnosis),
    agents: await figuresOf(finished, diagnosis),
    ...(patched ? { patched, patchFiles: fileMetrics(patched, gold.files) } : {}),
    ...(proof ? { proof: proof.verdict } : {}),
    ...(tests ? { tests } : {}),
  };
}

function predictedSpans(diagnosis: Diagnosis | undefined): Location[] {
  const checked = (diagnosis?.findings ?? []).flatMap((finding) => finding.checked);
  return checked.filter(({ verdict }) => verdict !== 'struck').map(({ location }) => location);
}

const pathsOf = (spans: Location[]): string[] => [...new Set(spans.map((span) => span.path))];

function lexicalRank(prepared: Prepared | undefined, gold: Gold): { lexicalRank?: number } {
  if (!prepared) return {};
  const rank = prepared.suspects.findIndex((suspect) => gold.files.includes(suspect.path));
  return { lexicalRank: rank + 1 };
}

function countDiagnosis(diagnosis: Diagnosis | undefined) {
  const knowledge = diagnosis?.knowledge ?? [];
  const findings = diagnosis?.findings ?? [];
  const citations = { confirmed: 0, corrected: 0, struck: 0, unchecked: 0 };
  for (const { verdict } of knowledge.flatMap((pair) => pair.checked)) citations[verdict]++;
  const locations = { confirmed: 0, corrected: 0, struck: 0 };
  for (const { verdict } of findings.flatMap((finding) => finding.checked)) locations[verdict]++;
  const categories: Outcome['categories'] = {};
  for (const { question } of knowledge) categories[question.category] = (categories[question.category] ?? 0) + 1;
  const rating = diagnosis?.verification?.composite;
  return {
    ...{ citations, locations, categories },
    abstained: diagnosis?.abstention !== undefined && findings.length === 0,
    questions: knowledge.length,
    answered: knowledge.filter((pair) => pair.answer?.outcome === 'answered').length,
    ...(rating === undefined ? {} : { rating }),
  };
}

async function figuresOf(finished: FinishedRun, diagnosis: Diagnosis | undefined): Promise<TrajectoryFigures[]> {
  const known = diagnosis ? knowledgeNames(diagnosis) : [];
  const figures: TrajectoryFigures[] = [];
  for (const agent of agentNames(diagnosis)) {
    const entries = await finished.trajectories.read(finished.run.id, agent);
    const one = trajectoryFigures(entries, agent === 'resolver' ? known : []);
    if (one) figures.push(one);
  }
  return figures;
}

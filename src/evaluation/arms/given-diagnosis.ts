import type { AuditedFinding, Diagnosis } from '../../domain/diagnosis.ts';
import type { RunLedger } from '../../domain/ports/run-ledger.ts';
import type { Gold } from '../datasets/gold.ts';
import type { Instance } from '../datasets/instance.ts';
import { seededRandom, seedFrom } from '../statistics/seeded-random.ts';

/** A diagnosis with these findings and nothing else. */
export const diagnosisWith = (base: string, findings: AuditedFinding[]): Diagnosis => ({
  base,
  knowledge: [],
  findings,
  suspects: [],
  notes: [],
});

/** Keeps a diagnosis as if its stages had run: the pipeline then goes on with the repair. */
export async function giveDiagnosis(run: string, ledger: RunLedger, diagnosis: Diagnosis): Promise<void> {
  const { findings } = diagnosis;
  await ledger.save(run, 'ask', { questions: [], notes: [] });
  await ledger.save(run, 'answer', { pairs: [], notes: [] });
  await ledger.save(run, 'audit', { knowledge: [], findings, notes: [] });
  await ledger.save(run, 'report', diagnosis);
}

/**
 * One finding made from the merged fix (SHERLOC's oracle, without a model): its places, and what the fix does there.
 * An upper bound, and no result of Fathom.
 */
export function oracleFinding(instance: Instance, gold: Gold): AuditedFinding {
  const locations =
    gold.chunks.length > 0 ? gold.chunks : gold.files.map((path) => ({ path, startLine: 1, endLine: 1 }));
  const places = locations.map(({ path, startLine, endLine }) => `${path}:${startLine}-${endLine}`).join(', ');
  return {
    locationExplanation: `The merged fix changes ${places}.`,
    rootCause: 'The lines at these places cause what the issue reports.',
    solutionIdea: `Change these lines as this does:\n${instance.patch}`,
    dependencies: 'Nothing else was changed by the fix.',
    testingImpact: 'A test has to show that the reported behaviour is gone.',
    locations,
    checked: locations.map((location) => ({ location, verdict: 'confirmed' })),
  };
}

/**
 * For each instance another one, whose findings it is given; from another repository where there is one. The same for
 * the same set of names.
 */
export function shuffledDonors(instances: Pick<Instance, 'instance_id' | 'repo'>[]): Map<string, string> {
  const random = seededRandom(seedFrom(instances.map((one) => one.instance_id).join('\n')));
  const donors = new Map<string, string>();
  for (const instance of instances) {
    const others = instances.filter((one) => one.instance_id !== instance.instance_id);
    const far = others.filter((one) => one.repo !== instance.repo);
    const choice = far.length > 0 ? far : others;
    const donor = choice[Math.floor(random() * choice.length)];
    if (donor) donors.set(instance.instance_id, donor.instance_id);
  }
  return donors;
}

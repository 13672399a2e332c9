import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Diagnosis } from '../domain/diagnosis.ts';
import type { RunEnd } from '../domain/ends.ts';
import { diffBytes, isEmptyPatch, Resolution } from '../domain/patch.ts';
import type { RunLedger } from '../domain/ports/run-ledger.ts';
import { Proof } from '../domain/proof.ts';
import { Receipt } from '../domain/receipt.ts';
import type { Run } from '../domain/run.ts';
import { quoted } from '../environment/test-plan.ts';
import { Prepared } from '../pipeline/artefacts.ts';
import { PARTIAL } from '../pipeline/partial-diagnosis.ts';
import { plainText } from '../report/plain-text.ts';
import { renderDiagnosis } from '../report/render-diagnosis.ts';
import { renderFailure } from '../report/render-ends.ts';
import { renderRepair } from '../report/render-repair.ts';

const MOST_CHARACTERS = 4_000;

interface Shown {
  run: Run;
  folder: string;
  end: RunEnd;
  ledger: RunLedger;
  json: boolean;
  tell(line: string): void;
}

/**
 * Puts the result on standard output (Markdown, or JSON with every artefact), keeps `diagnosis.md` and `patch.diff` in
 * the run's folder, and says on standard error how it ended and how to go on. What was done before a failure is shown.
 */
export async function showResult(shown: Shown): Promise<void> {
  const artefacts = await collect(shown);
  const markdown = toMarkdown(artefacts, shown.end, patchIn(shown.folder));
  if (shown.json) process.stdout.write(`${JSON.stringify({ ...artefacts, end: shown.end }, null, 2)}\n`);
  else if (markdown !== '') process.stdout.write(`${markdown}\n`);
  await keepFiles(shown, artefacts, markdown);
  // A reason may be a model's own words, and a message may hold a repository's.
  for (const line of closingLines(shown, artefacts)) shown.tell(plainText(line, MOST_CHARACTERS));
}

interface Artefacts {
  prepared: Prepared | undefined;
  diagnosis: Diagnosis | undefined;
  resolution: Resolution | undefined;
  proof: Proof | undefined;
  receipt: Receipt | undefined;
}

async function collect({ ledger, run }: Shown): Promise<Artefacts> {
  return {
    prepared: await ledger.load(run.id, 'prepare', Prepared),
    diagnosis: (await ledger.load(run.id, 'report', Diagnosis)) ?? (await ledger.load(run.id, PARTIAL, Diagnosis)),
    resolution: await ledger.load(run.id, 'resolve', Resolution),
    proof: await ledger.load(run.id, 'prove', Proof),
    receipt: await ledger.load(run.id, 'receipt', Receipt),
  };
}

const patchIn = (folder: string): string => join(folder, 'patch.diff');

function toMarkdown(
  { prepared, diagnosis, resolution, proof, receipt }: Artefacts,
  end: RunEnd,
  patch: string,
): string {
  if (!prepared || !receipt) return '';
  const { base, suspects, notes, issue } = prepared;
  const parts = headOf(end, diagnosis !== undefined);
  // A run that ended before it found anything must not read like one that looked and found nothing.
  if (parts.length > 0 && !diagnosis) return parts.join('\n\n');
  const shown = diagnosis ?? { base, suspects, notes, knowledge: [], findings: [] };
  parts.push(renderDiagnosis({ diagnosis: shown, issue, receipt }));
  if (resolution) parts.push(renderRepair({ resolution, ...(proof ? { proof } : {}), patchFile: quoted(patch) }));
  return parts.join('\n\n');
}

/** What whoever reads the document alone has to know first. */
function headOf(end: RunEnd, isFound: boolean): string[] {
  if (end.kind === 'failed') return [renderFailure(end)];
  if (end.kind !== 'stopped') return [];
  return [`**Stopped** by ${end.by}${isFound ? '. What follows was finished before.' : ' before anything was found.'}`];
}

async function keepFiles({ folder }: Shown, artefacts: Artefacts, markdown: string): Promise<void> {
  if (markdown !== '') await writeFile(join(folder, 'diagnosis.md'), `${markdown}\n`);
  const { resolution } = artefacts;
  if (resolution && !isEmptyPatch(resolution.patch)) {
    await writeFile(patchIn(folder), diffBytes(resolution.patch));
  }
}

function closingLines({ run, folder, end }: Shown, { prepared, resolution }: Artefacts): string[] {
  const goOn = `Go on with: npx fathom ${run.mode} --resume ${folder}`;
  const kept = `Everything is kept in ${folder}`;
  switch (end.kind) {
    case 'failed':
      // What was given could not be used: the same again would end the same.
      if (end.code === 'input' && !prepared) {
        return [
          ...end.message.split('\n').map((line) => `fathom: ${line}`),
          ...end.remedy.split('\n').map((line) => `  ${line}`),
        ];
      }
      return [`\nFailed: ${end.message}`, end.remedy, kept, goOn];
    case 'stopped':
      return [`\nStopped by ${end.by}. What was finished is kept.`, goOn];
    case 'ranked':
      return ['\nNo model is configured, so the code was only ranked. Name one with --model or FATHOM_MODEL.', kept];
    case 'no-pull-request':
      return [`\nNo change: ${end.reason}`, kept];
    default: {
      const patch = resolution && !isEmptyPatch(resolution.patch) ? patchIn(folder) : undefined;
      return ['', ...(patch ? [`The change: ${patch} (git apply ${patch})`] : []), kept];
    }
  }
}

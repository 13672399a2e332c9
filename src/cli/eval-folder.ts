import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { InputError } from '../domain/errors.ts';
import type { Secrets } from '../domain/ports/index.ts';
import type { RunSettings } from '../domain/settings.ts';
import type { Scope } from '../evaluation/arms/arm.ts';
import { EvaluationIdentity, type RunPlace } from '../evaluation/running/evaluation.ts';
import { createFolderLedger } from '../jobs/folder-ledger.ts';
import { createFolderTrajectories } from '../jobs/folder-trajectories.ts';
import { guardLedger, guardTrajectories } from '../secrets/guard.ts';

/** Where one run of an evaluation lies. An arm's name can hold a model's, which is no safe name for a folder. */
export function runFolder(out: string, { instance, arm }: RunPlace): string {
  const readable = arm.replaceAll(/[^\w-]/g, '-').slice(0, 60);
  const tail = readable === arm ? '' : `-${digest(arm).slice(0, 6)}`;
  return join(out, 'runs', instance, `${readable}${tail}`);
}

export function runArchive(out: string, place: RunPlace, secrets: Secrets) {
  const folder = runFolder(out, place);
  return {
    ledger: guardLedger(createFolderLedger(folder), secrets),
    trajectories: guardTrajectories(createFolderTrajectories(join(folder, 'trajectories')), secrets),
  };
}

/**
 * Keeps what this evaluation is, or compares it with what the folder holds. More instances and more arms may be added;
 * another data set, scope, model or setting is another evaluation. @throws InputError
 */
export async function claimIdentity(
  out: string,
  asked: { scope: Scope; data: string; settings: RunSettings; standIn: boolean },
): Promise<void> {
  const ledger = createFolderLedger(out);
  const { roles, ...others } = asked.settings;
  const settings = digest(JSON.stringify([roles, others]));
  const identity = { scope: asked.scope, data: digest(asked.data), settings, standIn: asked.standIn };
  const kept = await ledger.load('', 'evaluation', EvaluationIdentity);
  if (!kept) {
    await ledger.save('', 'evaluation', identity);
    return;
  }
  const names = { scope: '--only', data: 'the data set', settings: 'the models or settings', standIn: '--stand-in' };
  const changed = (Object.keys(names) as (keyof typeof names)[]).filter((key) => kept[key] !== identity[key]);
  if (changed.length === 0) return;
  const message = `holds an evaluation that differs in ${changed.map((key) => names[key]).join(', ')}`;
  throw new InputError([{ source: out, message, remedy: 'Choose another folder with --out.' }]);
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

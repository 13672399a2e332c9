import { realpath } from 'node:fs/promises';
import { resolve as absolute } from 'node:path';
import type { Config } from '../config.ts';
import { partsLeftOut } from '../domain/ablations.ts';
import { InputError, type Problem } from '../domain/errors.ts';
import type { RepositorySource, Run } from '../domain/run.ts';
import type { RunMode } from '../domain/stage.ts';
import { systemClock } from '../domain/system-clock.ts';
import { createFolderLedger } from '../jobs/folder-ledger.ts';
import { Prepared } from '../pipeline/artefacts.ts';
import { readIssue } from './read-issue.ts';
import type { RunFlags } from './run-flags.ts';
import { readRun } from './run-folder.ts';

/**
 * The run of `folder` again; its models and its budget are what is configured now. A diagnosis may go on to a repair.
 * @throws InputError with every flag that says otherwise than what the run was started with: it would be ignored; and
 * where the run had a model and none is configured now: it would end with a ranking in place of its diagnosis.
 */
export async function resumedRun(folder: string, mode: RunMode, flags: RunFlags, config: Config): Promise<Run> {
  const before = await readRun(folder);
  const problems = await differences(folder, before, flags, config);
  if (problems.length > 0) throw new InputError(problems);
  const { roles, protocol, budgetUsd, budgetTokens, seconds } = config.settings;
  return { ...before, mode, settings: { ...before.settings, roles, protocol, budgetUsd, budgetTokens, seconds } };
}

async function differences(folder: string, run: Run, flags: RunFlags, config: Config): Promise<Problem[]> {
  const found = [
    await otherRepository(run.repository, flags.repo),
    await otherIssue(run, flags.issue),
    await otherBase(folder, run, flags.base),
    flags.out === undefined || absolute(flags.out) === folder ? [] : changed('--out', `it is kept in ${folder}`),
  ];
  return [...found.flat(), ...otherSettings(run, flags, config), ...withoutItsModel(run, config)];
}

async function otherRepository(source: RepositorySource, repo: string | undefined): Promise<Problem[]> {
  if (repo === undefined) return [];
  const before = source.kind === 'local' ? source.path : source.url;
  const isSame = absolute(repo) === before || (await target(absolute(repo))) === (await target(before));
  return isSame ? [] : changed('--repo', `it works on ${before}, not on ${absolute(repo)}`);
}

/** A path with its links followed, or as it is where nothing is there. */
const target = (path: string): Promise<string> => realpath(path).catch(() => path);

async function otherIssue({ snapshot }: Run, issue: string | undefined): Promise<Problem[]> {
  if (issue === undefined) return [];
  try {
    const given = await readIssue(issue, systemClock.now());
    if (given.hash === snapshot.hash) return [];
    const isEdited = given.title === snapshot.title;
    const how = isEdited ? `the text below "${given.title}" is another one` : `it is about "${snapshot.title}"`;
    return changed('--issue', isEdited ? how : `${how}, not "${given.title}"`);
  } catch (error) {
    if (error instanceof InputError) return error.problems;
    throw error;
  }
}

async function otherBase(folder: string, run: Run, base: string | undefined): Promise<Problem[]> {
  const named = run.base ?? 'HEAD';
  if (base === undefined || base === named) return [];
  const commit = (await createFolderLedger(folder).load(run.id, 'prepare', Prepared))?.base;
  if (base === commit) return [];
  return changed('--base', `it works on ${named}${commit === undefined ? '' : `, commit ${commit}`}, not on ${base}`);
}

function otherSettings({ settings: before }: Run, flags: RunFlags, { settings: now }: Config): Problem[] {
  const problems: Problem[] = [];
  if (flags.questions !== undefined && now.questions !== before.questions) {
    problems.push(...changed('--questions', `it is ${before.questions}, not ${now.questions}`));
  }
  // Without `--no-findings` the command line's parser says that findings are wanted.
  if (flags.findings === false && before.findings) problems.push(...changed('--no-findings', 'it has a Localizer'));
  if (flags.verifier !== undefined && now.verifier !== before.verifier) {
    problems.push(...changed('--verifier', `it is ${before.verifier}, not ${now.verifier}`));
  }
  const [without, wanted] = [before, now].map((settings) => partsLeftOut(settings).join(', ') || 'nothing');
  if (flags.ablate !== undefined && without !== wanted) {
    problems.push(...changed('--ablate', `${without} was left out, not ${wanted}`));
  }
  return problems;
}

function withoutItsModel({ settings: before }: Run, { model, settings: now }: Config): Problem[] {
  if (model) return [];
  const nameless = new Set(Object.values(now.roles).map((role) => role.model));
  const had = Object.values(before.roles).find((role) => !nameless.has(role.model));
  if (had === undefined) return [];
  const message = `is missing, and the run that is resumed was started with the model ${had.model}`;
  return [{ source: 'OPENAI_API_KEY', message, remedy: 'Set it and FATHOM_MODEL as they were, and try again.' }];
}

const changed = (source: string, what: string): Problem[] => [
  {
    source,
    message: `cannot be changed in a run that is resumed: ${what}`,
    remedy: 'Leave it out, or start a new run without --resume.',
  },
];

import { rm } from 'node:fs/promises';
import { resolve as absolute, join } from 'node:path';
import type { Config, ConfigFlags } from '../config.ts';
import { loadConfig } from '../config.ts';
import { InputError, type Problem } from '../domain/errors.ts';
import { Receipt } from '../domain/receipt.ts';
import type { Run } from '../domain/run.ts';
import type { RunMode } from '../domain/stage.ts';
import { systemClock } from '../domain/system-clock.ts';
import { executeRun } from '../pipeline/execute-run.ts';
import { composePorts } from './compose.ts';
import { exitCodeOf } from './exit-codes.ts';
import { readIssue } from './read-issue.ts';
import { claimRunFolder, newRunId, readRun } from './run-folder.ts';
import { showResult } from './show-result.ts';
import { stopOnSignals } from './stop-signal.ts';
import { createTerminalPublisher } from './terminal-publisher.ts';

export interface RunFlags extends ConfigFlags {
  repo?: string;
  issue?: string;
  base?: string;
  out?: string;
  json?: boolean;
  resume?: string;
}

/** `fathom diagnose` and `fathom resolve`: one run on a clone on this machine. Gives the process's exit code. */
export async function runCommand(mode: RunMode, flags: RunFlags): Promise<number> {
  const config = loadConfig(flags);
  const problems = [...contradictions(flags), ...(mode === 'resolve' && !config.model ? [noModel] : [])];
  if (problems.length > 0) refuse(problems);
  const { run, folder } = flags.resume ? await resumed(flags.resume, mode, config) : await started(mode, flags, config);
  const release = await claimRunFolder(folder, flags.resume !== undefined);
  const tell = (line: string) => process.stderr.write(`${line}\n`);
  const stop = stopOnSignals(tell);
  let unusable = false;
  try {
    const publisher = createTerminalPublisher(process.stderr);
    const ports = await composePorts(config, run, folder, [publisher]);
    const end = await executeRun(run, ports, stop.signal);
    await publisher.flush();
    await showResult({ run, folder, end, ledger: ports.ledger, json: flags.json ?? false, tell });
    unusable = end.kind === 'failed' && end.code === 'input' && !(await ports.ledger.load(run.id, 'receipt', Receipt));
    return exitCodeOf(end);
  } finally {
    stop.release();
    await release();
    // A mistyped path leaves no folder behind that nobody asked for.
    if (unusable && flags.out === undefined && flags.resume === undefined) await rm(folder, { recursive: true });
  }
}

async function started(mode: RunMode, flags: RunFlags, config: Config): Promise<{ run: Run; folder: string }> {
  const { repo, issue } = flags;
  if (repo === undefined || issue === undefined) return refuse(missing(flags));
  const id = newRunId();
  const now = systemClock.now();
  const run: Run = {
    id,
    mode,
    repository: { kind: 'local', path: absolute(repo) },
    ...(flags.base === undefined ? {} : { base: flags.base }),
    snapshot: await readIssue(issue, now),
    settings: config.settings,
    startedAt: now.toISOString(),
  };
  return { run, folder: absolute(flags.out ?? join('fathom-runs', id)) };
}

/** The same run again; its models and its budget are what is configured now. A diagnosis may go on to a repair. */
async function resumed(folder: string, mode: RunMode, config: Config): Promise<{ run: Run; folder: string }> {
  const before = await readRun(absolute(folder));
  const { roles, protocol, budgetUsd, budgetTokens, seconds } = config.settings;
  const settings = { ...before.settings, roles, protocol, budgetUsd, budgetTokens, seconds };
  return { run: { ...before, mode, settings }, folder: absolute(folder) };
}

const noModel: Problem = {
  source: 'resolve',
  message: 'needs a model, and none is configured',
  remedy: 'Set OPENAI_API_KEY and FATHOM_MODEL. Without a model, `fathom diagnose` ranks suspects.',
};

/** What a resumed run was started with stays; a flag that says otherwise would be ignored, and must not be. */
function contradictions(flags: RunFlags): Problem[] {
  if (flags.resume === undefined) return [];
  return (
    (['repo', 'issue', 'base', 'out', 'questions', 'findings', 'verifier', 'ablate'] as const)
      // Without `--no-findings` the command line's parser says that findings are wanted.
      .filter((name) => flags[name] !== undefined && flags[name] !== true)
      .map((name) => ({
        source: name === 'findings' ? '--no-findings' : `--${name}`,
        message: 'cannot be changed in a run that is resumed',
        remedy: 'Leave it out, or start a new run without --resume.',
      }))
  );
}

function refuse(problems: Problem[]): never {
  throw new InputError(problems);
}

function missing(flags: RunFlags): Problem[] {
  const problems: Problem[] = [];
  if (flags.repo === undefined) {
    problems.push({ source: '--repo', message: 'is missing', remedy: 'Give the path of a clone.' });
  }
  if (flags.issue === undefined) {
    problems.push({ source: '--issue', message: 'is missing', remedy: 'Give a Markdown file, or `-`.' });
  }
  return problems;
}

import { existsSync } from 'node:fs';
import { resolve as absolute, join } from 'node:path';
import type { Config } from '../config.ts';
import { loadConfig } from '../config.ts';
import type { RunEnd } from '../domain/ends.ts';
import { InputError, type Problem } from '../domain/errors.ts';
import type { RunLedger } from '../domain/ports/run-ledger.ts';
import { Receipt } from '../domain/receipt.ts';
import type { Run } from '../domain/run.ts';
import type { RunMode } from '../domain/stage.ts';
import { systemClock } from '../domain/system-clock.ts';
import { workspacesFolder } from '../git/run-folder.ts';
import { executeRun } from '../pipeline/execute-run.ts';
import { composePorts } from './compose.ts';
import { exitCodeOf } from './exit-codes.ts';
import { readIssue } from './read-issue.ts';
import { resumedRun } from './resume-run.ts';
import type { RunFlags } from './run-flags.ts';
import { claimRunFolder, newRunId, removeEmpty } from './run-folder.ts';
import { showResult } from './show-result.ts';
import { stopOnSignals } from './stop-signal.ts';
import { createTerminalPublisher } from './terminal-publisher.ts';

/** `fathom diagnose` and `fathom resolve`: one run on a clone on this machine. Gives the process's exit code. */
export async function runCommand(mode: RunMode, flags: RunFlags): Promise<number> {
  const config = loadConfig(flags);
  if (mode === 'resolve' && !config.model) refuse([noModel]);
  const { run, folder } = await runOf(mode, flags, config);
  const isNew = flags.resume === undefined;
  const claim = await claimRunFolder(folder, !isNew);
  const data = absolute(config.dataDir);
  const hasData = existsSync(data);
  const tell = (line: string) => process.stderr.write(`${line}\n`);
  const stop = stopOnSignals(tell);
  let began = !isNew;
  try {
    const publisher = createTerminalPublisher(process.stderr);
    const ports = await composePorts(config, run, folder, [publisher]);
    began = true;
    const end = await executeRun(run, ports, stop.signal);
    began = !isNew || !(await wasUnusable(end, ports.ledger, run.id));
    await publisher.flush();
    await showResult({ run, folder, end, ledger: ports.ledger, json: flags.json ?? false, tell });
    return exitCodeOf(end);
  } finally {
    stop.release();
    await (began ? claim.release() : claim.discard());
    if (!began && !hasData) await removeEmpty(workspacesFolder(data), data);
  }
}

/** A run that could not begin with what it was given, such as a mistyped path: there is nothing to go on with. */
const wasUnusable = async (end: RunEnd, ledger: RunLedger, id: string): Promise<boolean> =>
  end.kind === 'failed' && end.code === 'input' && (await ledger.load(id, 'receipt', Receipt)) === undefined;

async function runOf(mode: RunMode, flags: RunFlags, config: Config): Promise<{ run: Run; folder: string }> {
  if (flags.resume === undefined) return started(mode, flags, config);
  const folder = absolute(flags.resume);
  return { run: await resumedRun(folder, mode, flags, config), folder };
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

const noModel: Problem = {
  source: 'resolve',
  message: 'needs a model, and none is configured',
  remedy: 'Set OPENAI_API_KEY and FATHOM_MODEL. Without a model, `fathom diagnose` ranks suspects.',
};

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

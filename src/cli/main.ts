import { Command, CommanderError } from 'commander';
import { readVariables } from '../config.ts';
import { FathomError, InputError } from '../domain/errors.ts';
import { unknownSettings } from '../unknown-settings.ts';
import type { BacktestFlags } from './backtest-command.ts';
import { version } from './compose.ts';
import { describeError } from './describe-error.ts';
import { doctorCommand } from './doctor-command.ts';
import type { EvalFlags } from './eval-options.ts';
import { exitCodes } from './exit-codes.ts';
import { labelsCommand } from './labels-command.ts';
import { runCommand } from './run-command.ts';
import type { RunFlags } from './run-flags.ts';
import { actOnRunCommand, listRunsCommand, type RunsFlags, showRunCommand } from './runs-command.ts';

const program = new Command('fathom')
  .description('Reads the code before it touches it: diagnoses and repairs an issue of a repository.')
  .version(version)
  .exitOverride()
  .showHelpAfterError('(fathom --help shows what there is)');

runVerb('diagnose', 'ask, answer and localize: a diagnosis of the issue, on standard output').action(
  (flags: RunFlags) => finish(() => runCommand('diagnose', flags)),
);
runVerb('resolve', 'the diagnosis, then a repair and its proof').action((flags: RunFlags) =>
  finish(() => runCommand('resolve', flags)),
);
program
  .command('doctor')
  .description('look at what a run needs (Node, Docker Engine, git, model) and say what to do about each')
  .option('--model <name>', 'the model to ask')
  .option('--api <api>', 'responses | chat')
  .option('--github <owner/repo>', "look at the App's installation there as well; writes nothing")
  .option('--json', 'as JSON')
  .action((flags) => finish(() => doctorCommand(flags)));
program
  .command('labels')
  .description('create the labels that ask for a run, where they are missing')
  .argument('<owner/repo>')
  .action((repository: string) => finish(() => labelsCommand(repository)));
runsVerbs();
evaluationVerbs();
program
  .command('worker')
  .description('work on runs beside a server that takes the deliveries, on the same PostgreSQL (DATABASE_URL)')
  .action(() => finish(async () => (await import('./worker-command.ts')).workerCommand()));

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.input;
}

function runVerb(name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .option('--repo <path>', 'a clone on this machine; it is never written to')
    .option('--issue <file>', 'the issue as Markdown, its title as the first heading; - for standard input')
    .option('--base <revision>', 'the commit to work on (default: the HEAD of the clone)')
    .option('--out <folder>', 'where artefacts and transcripts go (default: fathom-runs/<run>)')
    .option('--resume <folder>', 'go on with a run after its last finished stage or agent')
    .option('--json', 'print every artefact as JSON instead of Markdown')
    .option('--model <name>', 'the model of every role (FATHOM_MODEL)')
    .option('--api <api>', 'responses | chat (FATHOM_API)')
    .option('--protocol <protocol>', 'native | text: how the model calls tools (FATHOM_PROTOCOL)')
    .option('--questions <n>', 'how many questions to ask, 0 to 5 (FATHOM_QUESTIONS)')
    .option('--no-findings', 'leave the Localizer out (FATHOM_FINDINGS=false)')
    .option('--verifier <mode>', 'off | light | full (FATHOM_VERIFIER)')
    .option('--ablate <names>', 'leave parts out, for experiments: free,no-hint,no-shell … (docs/diagnosis.md)')
    .option('--budget <dollars>', 'what the run may cost (FATHOM_BUDGET_USD)');
}

function runsVerbs(): void {
  const runs = program.command('runs').description('look after the runs of the server that runs on FATHOM_DATA');
  runs
    .command('list')
    .description('the newest runs')
    .option('--limit <n>', 'how many (default: 30)')
    .option('--json', 'as JSON')
    .action((flags: RunsFlags) => finish(() => listRunsCommand(flags)));
  runs
    .command('show <run>')
    .description('one run: its stages, attempts, money and end')
    .option('--json', 'as JSON')
    .action((id: string, flags: RunsFlags) => finish(() => showRunCommand(id, flags)));
  runs
    .command('stop <run>')
    .description('stop a run, whoever works on it')
    .action((id: string) => finish(() => actOnRunCommand('stop', id)));
  runs
    .command('retry <run>')
    .description('let a run that ended go on after its last finished stage')
    .action((id: string) => finish(() => actOnRunCommand('retry', id)));
}

function evaluationVerbs(): void {
  program
    .command('eval')
    .description('run a data set under several arms and report what each is worth (docs/evaluation.md)')
    .option('--data <file>', 'JSON lines as SWE-bench publishes them or `fathom backtest` writes them')
    .option('--repos <folder>', 'clones, one a repository, named owner+name')
    .option('--out <folder>', 'where runs and the report go; the same folder goes on after a stop')
    .option('--arms <names>', 'as none,both,both@resolver=MODEL')
    .option('--only <scope>', 'localize | diagnose | resolve (default)')
    .option('--instances <ids>', 'only these')
    .option('--limit <n>', 'only the first n instances')
    .option('--parallel <n>', 'runs at a time (default: 2)')
    .option('--budget <dollars>', 'for everything (default: 50)')
    .option('--run-budget <dollars>', 'for each run (FATHOM_BUDGET_USD)')
    .option('--seconds <n>', 'for everything (default: a day)')
    .option('--run-seconds <n>', 'for each run (FATHOM_RUN_SECONDS)')
    .option('--tests <where>', 'environment (default) | swebench | none: how a change is tested')
    .option('--judge <model>', 'also let this model judge questions, answers and findings')
    .option('--repetitions <n>', 'of each judgement (default: 3)')
    .option('--stand-in <kind>', 'lexical: no model, the word ranking in its place; only with --only localize')
    .option('--dry-run', 'check everything and estimate money and time; start nothing')
    .option('--model <name>', 'the model of every role (FATHOM_MODEL)')
    .option('--api <api>', 'responses | chat (FATHOM_API)')
    .option('--protocol <protocol>', 'native | text (FATHOM_PROTOCOL)')
    .action((flags: EvalFlags) => finish(async () => (await import('./eval-command.ts')).evalCommand(flags)));
  program
    .command('backtest <repository>')
    .description("make a data set of a repository's own closed issues and their merged fixes (GITHUB_TOKEN)")
    .option('--out <file>', 'the data set, as JSON lines; the same file goes on after a stop')
    .option('--base-url <url>', 'of the API, for GitHub Enterprise: https://HOST/api/v3')
    .option('--limit <n>', 'take at most n instances')
    .option('--since <date>', 'only issues that changed since then (ISO)')
    .action((repository: string, flags: BacktestFlags) =>
      finish(async () => (await import('./backtest-command.ts')).backtestCommand(repository, flags)),
    );
}

/** Sets the exit code; errors that a person can do something about are shown without a stack. */
async function finish(work: () => Promise<number>): Promise<void> {
  for (const sentence of unknownSettings(readVariables().variables)) process.stderr.write(`fathom: ${sentence}\n`);
  try {
    process.exitCode = await work();
  } catch (error) {
    if (!(error instanceof FathomError)) throw error;
    process.stderr.write(`${describeError(error)}\n`);
    process.exitCode = error instanceof InputError ? exitCodes.input : exitCodes.failed;
  }
}

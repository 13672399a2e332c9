import { SandboxError } from '../domain/errors.ts';
import type { FileKind, Patch } from '../domain/patch.ts';
import type { ExecResult, Sandbox } from '../domain/ports/sandbox-host.ts';
import type { Workspace } from '../domain/ports/workspaces.ts';
import type { ProofRun } from '../domain/proof.ts';
import { explainFailure, type Failure, readTestResults } from '../environment/read-test-results.ts';
import { withSandbox } from './agent-run.ts';
import type { PreparedEnvironment } from './artefacts.ts';
import { broughtBy } from './brought-names.ts';
import { ownWords } from './own-words.ts';
import type { RunContext } from './run-context.ts';

const SHOWN_CHARACTERS = 60_000;
/** As much as the sandbox keeps of an output. */
const MOST_BYTES = 9_000_000;
const TAIL_LINES = 40;

/** A run with what its whole shown output says; that part is for the verdict and is not kept. */
export interface ObservedRun extends ProofRun {
  failure: Failure;
  framework?: string;
}

/** One command on one clean checkout: base, base with a part of the patch, or base with all of it. */
export interface Check {
  what: ProofRun['what'];
  on: ProofRun['on'];
  command: string;
  patch: Patch | undefined;
  only?: FileKind;
}

export interface CheckPlace {
  context: RunContext;
  environment: PreparedEnvironment;
  workspace: Workspace;
  /** The text, whose errors are the reported ones. */
  reported: string;
}

/** Runs a check in a container of its own, without a network. That it could not be run is in the result. */
export async function runCheck(place: CheckPlace, check: Check, name: string): Promise<ObservedRun> {
  const { context, environment, workspace } = place;
  await context.emit({
    type: 'progress',
    text: `run ${nameInWords[check.what]} on ${check.on}: ${oneLine(check.command)}`,
  });
  const copy = await workspace.checkout(name, check.patch, check.only);
  if (!copy.applied) return notRun(check, copy.reason);
  const { image, variables } = environment;
  const seconds = context.settings.tests.timeoutSeconds;
  try {
    const spec = { purpose: name, image, mount: copy.mount, variables };
    return await withSandbox(context, spec, async (sandbox) => {
      const options = { seconds, shownCharacters: SHOWN_CHARACTERS };
      const result = await sandbox.exec(check.command, options, context.signal);
      return observed(check, { ...result, output: await wholeOutput(sandbox, result) }, place.reported);
    });
  } catch (error) {
    if (error instanceof SandboxError && error.lost) return notRun(check, `The container was lost: ${error.message}`);
    throw error;
  }
}

const nameInWords = { regression: 'the regression test', suite: "the repository's tests" } as const;

const oneLine = (command: string): string => {
  const line = command.replaceAll(/\s+/g, ' ').trim();
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
};

/** Failing tests may be named anywhere in a long output. The command could have changed the file: it is its own output. */
async function wholeOutput(sandbox: Sandbox, { output, spillPath }: ExecResult): Promise<string> {
  const bytes = spillPath === undefined ? undefined : await sandbox.readFile(spillPath, MOST_BYTES);
  return bytes === undefined ? output : bytes.toString('utf8');
}

function observed(check: Check, result: ExecResult, reported: string): ObservedRun {
  const { output, exitCode, seconds } = result;
  const { counts, failing, framework } = readTestResults(output);
  const tail = output.split('\n').slice(-TAIL_LINES).join('\n');
  return {
    ...known(check),
    exitCode,
    seconds,
    ...(counts ? { counts } : {}),
    ...(framework === undefined ? {} : { framework }),
    failing,
    tail: result.ending === 'output-limit' ? `${tail}\n[stopped: it printed too much]` : tail,
    failure: failureOf(check, result, reported),
  };
}

function failureOf({ what, on, patch }: Check, { output, exitCode }: ExecResult, reported: string): Failure {
  const failure = explainFailure(output, reported, exitCode, on === 'base' ? broughtBy(patch) : undefined);
  if (failure.reason !== 'unknown' || exitCode === 0 || what !== 'regression') return failure;
  const line = ownWords(output, patch);
  return line === undefined ? failure : { reason: 'assertion', line, reported: false, ownWords: true };
}

const notRun = (check: Check, tail: string): ObservedRun => ({
  ...known(check),
  exitCode: null,
  seconds: 0,
  failing: [],
  tail,
  failure: { reason: 'unknown', reported: false },
});

const known = ({ what, on, command }: Check) => ({ what, on, command });

/**
 * The base of all errors that a person may meet. `message` says what is wrong and where it came from, `remedy` what to
 * do about it. One subclass for each decision of a caller; nobody compares messages.
 */
export class FathomError extends Error {
  readonly code: string;
  readonly remedy: string;

  constructor(code: string, message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this.remedy = remedy;
  }
}

/** One thing wrong with what was given: where it came from, what it is, what to do. */
export interface Problem {
  source: string;
  message: string;
  remedy: string;
}

/** What was given cannot be used. Carries every problem at once. Retrying does not help. */
export class InputError extends FathomError {
  readonly problems: Problem[];

  constructor(problems: Problem[], options?: ErrorOptions) {
    const lines = problems.map((problem) => `${problem.source}: ${problem.message}`);
    super('input', lines.join('\n'), problems.map((problem) => problem.remedy).join('\n'), options);
    this.problems = problems;
  }
}

/** The Docker Engine, an image or a container cannot be had. `lost` is set when a running container went away. */
export class SandboxError extends FathomError {
  readonly lost: boolean;

  constructor(message: string, remedy: string, options?: ErrorOptions & { lost?: boolean }) {
    super('sandbox', message, remedy, options);
    this.lost = options?.lost ?? false;
  }
}

/** Why a model call failed for good. Calls that may succeed later were already retried. */
export type ModelFailure =
  | 'unreachable'
  | 'unauthorized'
  | 'unknown-model'
  | 'no-tools'
  | 'context-overflow'
  | 'rate-limited'
  | 'refused'
  | 'invalid-reply'
  | 'recording-ended';

export class ModelError extends FathomError {
  readonly failure: ModelFailure;

  constructor(failure: ModelFailure, message: string, remedy: string, options?: ErrorOptions) {
    super(`model-${failure}`, message, remedy, options);
    this.failure = failure;
  }
}

/** Why the code host did not do what was asked. What may pass by itself was already waited out. */
export type ForgeFailure =
  | 'unreachable'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'gone'
  | 'conflict'
  | 'unprocessable'
  | 'rate-limited'
  | 'not-installed';

/** What may be otherwise later, without anybody's doing: GitHub may not know a new token yet. */
export const passingForgeFailures: readonly ForgeFailure[] = ['unreachable', 'rate-limited', 'unauthorized'];

export class ForgeError extends FathomError {
  readonly failure: ForgeFailure;

  constructor(failure: ForgeFailure, message: string, remedy: string, options?: ErrorOptions) {
    super(`forge-${failure}`, message, remedy, options);
    this.failure = failure;
  }
}

/** The disk, the database or git refused: the environment has to change before it can work. */
export class EnvironmentError extends FathomError {}

/** The run's signal was aborted. `by` says who stopped it. */
export class CancelledError extends FathomError {
  readonly by: string;

  constructor(by: string) {
    super('cancelled', `stopped by ${by}`, 'Start it again, or go on with --resume.');
    this.by = by;
  }
}

/** This process is to let go of the run, which another attempt goes on with: it has not ended, and nobody is told so. */
export class HandedOverError extends CancelledError {}

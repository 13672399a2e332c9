import { SandboxError } from '../domain/errors.ts';
import type { RunContext } from './run-context.ts';

/**
 * Looks at the engine and its image before the first model is paid: what the questions cost would be lost where nobody can
 * answer them. A run without Answerers and without a repair needs neither.
 * @throws SandboxError, upon which a server's run pauses as it does when an engine goes away later.
 */
export async function lookAtEngine({ run, settings, ports }: RunContext): Promise<void> {
  const toAnswer = run.knowledge?.pairs.filter(({ answer }) => answer === undefined).length ?? settings.questions;
  if (toAnswer === 0 && run.mode === 'diagnose') return;
  const { sandboxImage, tests } = settings;
  if ((await ports.sandboxes.imageDigest(sandboxImage)) !== undefined) return;
  // A repository with an image of its own may do without ours.
  if (tests.image !== undefined && (await ports.sandboxes.imageDigest(tests.image)) !== undefined) return;
  const message = `the engine does not have the image ${sandboxImage}`;
  throw new SandboxError(message, 'Make the sandbox image with `npm run provide`, or pull the image.');
}

import { SandboxError } from '../domain/errors.ts';
import type { ExecResult, Mount, Sandbox, SandboxHost } from '../domain/ports/sandbox-host.ts';
import type { SetUpAccess } from '../domain/set-up-access.ts';
import { SET_UP_VARIABLES } from './container-variables.ts';
import { IMAGE_NAME } from './image-key.ts';
import { keptImage } from './kept-image.ts';
import { accessVariables, lendingScript } from './lend-access.ts';
import { KEEP_INSTALLED, TAKE_COPY } from './set-up-scripts.ts';
import { quoted, type TestPlan } from './test-plan.ts';

/** Where the set-up container sees the checkout; the copy that it works on is at the mount's own target. */
const CHECKOUT = '/mnt/fathom-checkout';
const SHOWN_CHARACTERS = 8_000;
const LOG_LINES = 40;
const SCRIPT_SECONDS = 300;
export interface EnvironmentRequest {
  plan: Pick<TestPlan, 'setup' | 'inputs'>;
  host: SandboxHost;
  /** A clean checkout of the base commit. */
  mount: Mount;
  run: string;
  /** Names the repository; images are not shared between any two. */
  repository: string;
  /** The image to start from. */
  image: string;
  timeoutSeconds: number;
  access?: SetUpAccess | undefined;
}

/** `image` is always one to work with; `log` says in its last lines why it is not a prepared one, where it should be. */
export interface Environment {
  image: string;
  prepared: boolean;
  log: string;
}

/**
 * The image for everything that runs in the repository. A set-up command runs once, as root without capabilities and with
 * a network, on a copy inside the container; what it left is kept as an image under a key over all that went in, and is
 * taken from there the next time. Any failure is a value. @throws CancelledError
 */
export async function prepareEnvironment(request: EnvironmentRequest, signal: AbortSignal): Promise<Environment> {
  const { plan, image } = request;
  if (plan.setup === undefined) return { image, prepared: true, log: '' };
  try {
    return await fromSetUp({ ...request, setup: plan.setup }, signal);
  } catch (error) {
    if (error instanceof SandboxError) return { image, prepared: false, log: error.message };
    throw error;
  }
}

type SetUpRequest = EnvironmentRequest & { setup: string };

async function fromSetUp(request: SetUpRequest, signal: AbortSignal): Promise<Environment> {
  const { image, plan } = request;
  const kept = await keptImage({ ...request, inputs: plan.inputs });
  if (kept.isThere) return { image: kept.name, prepared: true, log: '' };
  const sandbox = await startSetUp(request, signal);
  try {
    const result = await runSetUp(sandbox, request, signal);
    if (result.exitCode !== 0) {
      return { image, prepared: false, log: explained(result, request, sandbox.refusals?.() ?? []) };
    }
    await sandbox.saveAs(kept.name);
    await makeRoom(request);
    return { image: kept.name, prepared: true, log: lastLines(result.output) };
  } finally {
    await sandbox.remove();
  }
}

/** Longer than a run needs between its containers, during which nothing holds its image. */
const IDLE_SECONDS = 3 * 3600;

async function makeRoom({ host, access }: SetUpRequest): Promise<void> {
  const bytes = access?.imageBytes;
  // That others could not be removed is no fault of this image.
  if (bytes !== undefined) await host.pruneImages?.(IMAGE_NAME, { bytes, idleSeconds: IDLE_SECONDS }).catch(() => 0);
}

function startSetUp({ host, run, image, mount }: SetUpRequest, signal: AbortSignal): Promise<Sandbox> {
  const checkout: Mount = { ...mount, target: CHECKOUT, readOnly: true };
  const spec = { run, purpose: 'set-up', image, mounts: [checkout], workdir: CHECKOUT, writableRoot: true };
  return host.start({ ...spec, network: 'setup', env: SET_UP_VARIABLES }, signal);
}

/** The result of the set-up command, or of the first step around it that failed. */
async function runSetUp(sandbox: Sandbox, request: SetUpRequest, signal: AbortSignal): Promise<ExecResult> {
  const { target } = request.mount;
  const access = request.access ?? { variables: {} };
  const step = (command: string, cwd: string, seconds: number, env = {}): Promise<ExecResult> =>
    sandbox.exec(command, { seconds, cwd, env, root: true, shownCharacters: SHOWN_CHARACTERS }, signal);
  const copied = await step(`from=${CHECKOUT} to=${quoted(target)}\n${TAKE_COPY}`, '/', SCRIPT_SECONDS);
  if (copied.exitCode !== 0) return copied;
  const lent = await step(lendingScript(access) ?? 'true', '/', SCRIPT_SECONDS);
  if (lent.exitCode !== 0) return lent;
  const result = await step(request.setup, target, request.timeoutSeconds, accessVariables(access));
  if (result.exitCode !== 0) return result;
  const kept = await step(`to=${quoted(target)}\n${KEEP_INSTALLED}`, '/', SCRIPT_SECONDS);
  return kept.exitCode === 0 ? result : kept;
}

function explained(
  { ending, exitCode, output }: ExecResult,
  { setup, timeoutSeconds }: SetUpRequest,
  refusals: string[],
): string {
  const how =
    ending === 'timed-out'
      ? `did not end within ${timeoutSeconds} seconds`
      : ending === 'output-limit'
        ? 'printed too much'
        : ending === 'disk-limit'
          ? 'wrote too much'
          : `ended with exit code ${exitCode}`;
  const hint = HINTS.find(([sign]) => sign.test(output))?.[1];
  const refused = refusals.length === 0 ? [] : [`It was not let out: ${refusals.slice(0, SHOWN_REFUSALS).join('; ')}.`];
  return [lastLines(output), `The set-up \`${setup}\` ${how}.`, ...(hint === undefined ? [] : [hint]), ...refused]
    .join('\n')
    .trimStart();
}

const SHOWN_REFUSALS = 5;

/** What an operator can do about what installers print most when they cannot reach a registry. */
const HINTS: [sign: RegExp, hint: string][] = [
  [
    /SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT_LOCALLY)|CERTIFICATE_VERIFY_FAILED|certificate verif(?:y|ication) failed/,
    'A proxy here signs with its own authority: name its certificate with FATHOM_EXTRA_CA.',
  ],
  [
    /EAI_AGAIN|ENOTFOUND|Temporary failure (?:in name resolution|resolving)|Could not resolve|NameResolutionError/,
    'A program did not go through the proxy (http_proxy, https_proxy), which is the only way out of a set-up.',
  ],
];

const lastLines = (output: string): string => output.trimEnd().split('\n').slice(-LOG_LINES).join('\n');

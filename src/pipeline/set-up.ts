import type { Workspace } from '../domain/ports/workspaces.ts';
import { discoverTests } from '../environment/discover-tests.ts';
import { keptImage } from '../environment/kept-image.ts';
import { prepareEnvironment } from '../environment/prepare-environment.ts';
import type { TestPlan } from '../environment/test-plan.ts';
import { PreparedEnvironment } from './artefacts.ts';
import { keepPart, type RunContext } from './run-context.ts';

/**
 * How the repository is set up and tested, and the image in which that was done. It runs beside the questions and never
 * stands in their way: a failed set-up costs the proof, not the diagnosis, and is told in `log`.
 */
export function setUp(context: RunContext, workspace: Workspace): Promise<PreparedEnvironment> {
  return keepPart(context, 'environment', PreparedEnvironment, () => makeEnvironment(context, workspace));
}

/** The same for a workspace beside the run's own; nothing but the image is kept. */
export async function makeEnvironment(context: RunContext, workspace: Workspace): Promise<PreparedEnvironment> {
  const { settings, run, ports, signal } = context;
  const plan = await discoverTests(workspace.tree, settings.tests);
  const copy = await workspace.checkout('set-up');
  const known = knownFrom(plan, copy.applied ? copy.mount.target : '.');
  if (!copy.applied) return { ...known, image: settings.sandboxImage, prepared: false, log: copy.reason };
  const prepared = await prepareEnvironment(
    {
      plan,
      host: ports.sandboxes,
      mount: copy.mount,
      run: run.id,
      repository: repositoryOf(context),
      image: settings.tests.image ?? settings.sandboxImage,
      timeoutSeconds: settings.tests.timeoutSeconds,
      access: ports.access,
    },
    signal,
  );
  if (!prepared.prepared)
    await context.emit({ type: 'note', text: `The set-up did not finish. ${lastSentences(prepared.log)}` });
  return { ...known, image: prepared.image, prepared: prepared.prepared, log: prepared.log };
}

/**
 * What there is to work in without setting anything up: an image that an earlier set-up of the same parts left, else the
 * plain one, and then `skipped` says so. @throws SandboxError when the engine does not answer
 */
export async function environmentAtHand(context: RunContext, workspace: Workspace): Promise<PreparedEnvironment> {
  const { settings, ports } = context;
  const plan = await discoverTests(workspace.tree, settings.tests);
  const mount = await workspace.reader();
  const image = await plainImage(context);
  const known = { ...knownFrom(plan, mount.target), log: '' };
  const { setup, inputs } = plan;
  if (setup === undefined) return { ...known, image, prepared: true };
  const kept = await keptImage({
    host: ports.sandboxes,
    repository: repositoryOf(context),
    image,
    mount,
    setup,
    inputs,
  });
  if (kept.isThere) return { ...known, image: kept.name, prepared: true };
  return { ...known, image, prepared: false, skipped: true };
}

/** The image that the repository asks for, where the engine has it: nothing is fetched for a diagnosis alone. */
async function plainImage({ settings, ports }: RunContext): Promise<string> {
  const { image } = settings.tests;
  const isThere = image !== undefined && (await ports.sandboxes.imageDigest(image)) !== undefined;
  return isThere ? image : settings.sandboxImage;
}

const repositoryOf = ({ run }: RunContext): string =>
  run.repository.kind === 'remote' ? run.repository.url : run.repository.path;

const knownFrom = (plan: TestPlan, target: string) => ({
  variables: searchPathsAt(target, plan.searchPaths),
  sources: plan.sources,
  ...(plan.test === undefined ? {} : { test: plan.test }),
  ...(plan.setup === undefined ? {} : { setup: plan.setup }),
  ...(plan.needsNothing ? { needsNothing: true } : {}),
});

function searchPathsAt(target: string, paths: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(paths).map(([name, folder]) => [name, folder === '.' ? target : `${target}/${folder}`]),
  );
}

const SHOWN_LINES = 3;

/** The end of a set-up's log, which says why it failed. */
export const lastSentences = (log: string): string =>
  log
    .trim()
    .split('\n')
    .slice(-SHOWN_LINES)
    .map((line) => line.trim().slice(0, 200))
    .join(' ');

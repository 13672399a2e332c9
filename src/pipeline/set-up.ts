import type { Workspace } from '../domain/ports/workspaces.ts';
import { discoverTests } from '../environment/discover-tests.ts';
import { prepareEnvironment } from '../environment/prepare-environment.ts';
import { PreparedEnvironment } from './artefacts.ts';
import { keepPart, type RunContext } from './run-context.ts';

/**
 * How the repository is set up and tested, and the image in which that was done. It runs beside the questions and never
 * stands in their way: a failed set-up costs the proof, not the diagnosis, and is told in `log`.
 */
export function setUp(context: RunContext, workspace: Workspace): Promise<PreparedEnvironment> {
  return keepPart(context, 'environment', PreparedEnvironment, async () => {
    const { settings, run, ports, signal } = context;
    const plan = await discoverTests(workspace.tree, settings.tests);
    const copy = await workspace.checkout('set-up');
    const variables = searchPathsAt(copy.applied ? copy.mount.target : '.', plan.searchPaths);
    const known = {
      variables,
      sources: plan.sources,
      ...(plan.test === undefined ? {} : { test: plan.test }),
      ...(plan.setup === undefined ? {} : { setup: plan.setup }),
    };
    if (!copy.applied) return { ...known, image: settings.sandboxImage, prepared: false, log: copy.reason };
    const prepared = await prepareEnvironment(
      {
        plan,
        host: ports.sandboxes,
        mount: copy.mount,
        run: run.id,
        repository: run.repository.kind === 'remote' ? run.repository.url : run.repository.path,
        image: settings.tests.image ?? settings.sandboxImage,
        timeoutSeconds: settings.tests.timeoutSeconds,
        access: ports.access,
      },
      signal,
    );
    if (!prepared.prepared)
      await context.emit({ type: 'note', text: `The set-up did not finish. ${lastSentences(prepared.log)}` });
    return { ...known, image: prepared.image, prepared: prepared.prepared, log: prepared.log };
  });
}

function searchPathsAt(target: string, paths: Record<string, string> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(paths).map(([name, folder]) => [name, `${target}/${folder}`]));
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

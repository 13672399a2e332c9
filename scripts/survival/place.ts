import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '../../test/jobs/support/postgres.ts';
import type { GitHubFront } from '../github-front/github-front.ts';
import { startLeapFront } from '../leap-front.ts';
import { createFleet, type Fleet, type MemberName } from './fleet.ts';
import type { DatabaseKind } from './kill-points.ts';
import { type ScriptedModel, startScriptedModel } from './scripted-model.ts';

/** Everything that one part of the test needs on one database: a front, a model, an empty database, no process yet. */
export interface Place extends AsyncDisposable {
  kind: DatabaseKind;
  front: GitHubFront;
  model: ScriptedModel;
  fleet: Fleet;
  /** Processes that work on runs. */
  members: MemberName[];
  /** Where the ledger is. */
  database: { url: string | undefined; dataDir: string };
}

export interface PlaceOptions {
  variables?: Record<string, string>;
  /** False: no model is configured, and runs only rank files. */
  model?: boolean;
  /** Another server than `npm start`'s, as the arguments of Node. */
  program?: string[];
  /** How long the model thinks. */
  thinkMs?: number;
}

export async function openPlace(kind: DatabaseKind, options: PlaceOptions = {}): Promise<Place> {
  await using opened = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'fathom-survival-'));
  opened.defer(atExit(() => rmSync(folder, { recursive: true, force: true })));
  const cluster = kind === 'postgres' ? startCluster() : undefined;
  if (cluster !== undefined) opened.defer(atExit(() => cluster.remove()));
  const model = opened.adopt(await startScriptedModel(options.thinkMs), (one) => one.close());
  const front = opened.adopt(await startLeapFront(), (one) => one.stop());
  const database: Record<string, string> = cluster === undefined ? {} : { DATABASE_URL: cluster.url };
  const speaks: Record<string, string> =
    options.model === false ? {} : { OPENAI_API_KEY: 'survival', OPENAI_BASE_URL: model.url, FATHOM_MODEL: 'scripted' };
  const variables = { ...speaks, ...database, ...options.variables };
  const fleet = opened.adopt(createFleet({ front, folder, variables, ...programOf(options) }), (one) => one.stop());
  const parts = opened.move();
  return {
    kind,
    front,
    model,
    fleet,
    members: kind === 'postgres' ? ['server', 'worker'] : ['server'],
    database: { url: cluster?.url, dataDir: fleet.dataDir('server') },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Done when this process ends, too, if it ends before. */
function atExit(clear: () => void): () => void {
  process.on('exit', clear);
  return () => {
    process.off('exit', clear);
    clear();
  };
}

const programOf = ({ program }: PlaceOptions) => (program === undefined ? {} : { program });

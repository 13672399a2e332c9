import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWorkspaces } from '../../src/git/workspaces.ts';
import { openRepository } from '../../src/repository/open-repository.ts';
import { alternate, type Measured } from './alternate.ts';
import { exampleClone } from './example-clone.ts';

const rounds = 5;

/** What a run does before the first model call: the workspace, a writable copy, and the ranking of suspects. */
export async function benchPrepare(): Promise<Measured[]> {
  const path = exampleClone();
  const workspaces = createWorkspaces({
    dataDir: mkdtempSync(join(tmpdir(), 'fathom-bench-')),
    environment: process.env,
  });
  const signal = new AbortController().signal;
  const open = (run: string) =>
    workspaces.open({ run, repository: { kind: 'local', path }, protectedPaths: [] }, signal);
  const workspace = await open('kept');
  let count = 0;
  try {
    return await alternate(rounds, {
      'prepare: open a workspace (40 files)': async () => (await open(`bench-${count++}`)).dispose(),
      'prepare: a writable copy': () => workspace.writer(`writer-${count++}`),
      'prepare: rank suspects, cold': async () => {
        const repository = openRepository(workspace.tree);
        await repository.rank('CSV export total depends on the order of subscriptions', 10);
        await repository.close();
      },
    });
  } finally {
    await workspace.dispose();
  }
}

import { join } from 'node:path';
import { defaultRunSettings } from '#src/domain/default-settings.ts';
import { Diagnosis } from '#src/domain/diagnosis.ts';
import type { RunEnd } from '#src/domain/ends.ts';
import { hashOfIssue, type IssueSnapshot } from '#src/domain/issue-snapshot.ts';
import type { ChatModel, RunLedger, SandboxHost, SandboxSpec } from '#src/domain/ports/index.ts';
import { Receipt } from '#src/domain/receipt.ts';
import type { Run } from '#src/domain/run.ts';
import type { RunEvent } from '#src/domain/run-events.ts';
import type { RunSettings } from '#src/domain/settings.ts';
import { systemClock } from '#src/domain/system-clock.ts';
import { createWorkspaces } from '#src/git/workspaces.ts';
import { createFolderLedger } from '#src/jobs/folder-ledger.ts';
import { createFolderTrajectories } from '#src/jobs/folder-trajectories.ts';
import { createRunBudget } from '#src/jobs/run-budget.ts';
import { Prepared } from '#src/pipeline/artefacts.ts';
import { executeRun } from '#src/pipeline/execute-run.ts';
import { PARTIAL } from '#src/pipeline/partial-diagnosis.ts';
import { loadPrompts } from '#src/prompts/load-prompts.ts';
import { renderDiagnosis } from '#src/report/render-diagnosis.ts';
import { applyRepositoryConfig } from '#src/repository-config.ts';
import { testSandbox } from '../agents/agent-fixture.ts';
import { never, temporaryFolder } from '../git/repositories.ts';

export interface DiagnoseOptions {
  title?: string;
  body?: string;
  settings?: Partial<RunSettings>;
  /** What commands in the containers print. */
  printed?: (command: string) => string;
  /** Real ones, in place of `printed`. */
  sandboxes?: SandboxHost;
  /** A run's folder of before, to go on with. */
  folder?: string;
}

export interface Diagnosed {
  end: RunEnd;
  folder: string;
  events: RunEvent[];
  diagnosis: Diagnosis | undefined;
  partial: Diagnosis | undefined;
  /** The whole or partial diagnosis as a reader sees it. */
  markdown: string;
  usd: number;
}

/** A diagnosis of a clone, with real git and reading, and containers that answer from memory. */
export async function diagnosing(clone: string, model: ChatModel, options: DiagnoseOptions = {}): Promise<Diagnosed> {
  const folder = options.folder ?? temporaryFolder();
  const ledger = createFolderLedger(folder);
  const events: RunEvent[] = [];
  const run = runOn(clone, options);
  const end = await executeRun(
    run,
    {
      model,
      sandboxes: options.sandboxes ?? containersInMemory(options.printed ?? (() => '')),
      workspaces: createWorkspaces({ dataDir: join(folder, 'data'), environment: process.env }),
      ledger,
      trajectories: createFolderTrajectories(join(folder, 'trajectories')),
      budget: createRunBudget(limitsOf(run.settings), ledger, await ledger.spent(run.id)),
      clock: systemClock,
      prompts: loadPrompts(join(import.meta.dirname, '../../prompts')),
      publishers: [{ publish: (_run, event) => void events.push(event), flush: async () => undefined }],
      repositorySettings: applyRepositoryConfig,
      version: 'test',
    },
    never,
  );
  const diagnosis = await ledger.load(run.id, 'report', Diagnosis);
  const partial = await ledger.load(run.id, PARTIAL, Diagnosis);
  const markdown = await shown(ledger, run.id, diagnosis ?? partial);
  return { end, folder, events, diagnosis, partial, markdown, usd: (await ledger.spent(run.id)).usd };
}

function runOn(clone: string, { title = 'It is wrong', body = '', settings }: DiagnoseOptions): Run {
  const at = '2026-01-01T00:00:00.000Z';
  const text = { title, body, comments: [] };
  const snapshot: IssueSnapshot = {
    ...text,
    trigger: { kind: 'terminal', actor: 'somebody', at },
    hash: hashOfIssue(text),
  };
  return {
    id: 'run-1',
    mode: 'diagnose',
    repository: { kind: 'local', path: clone },
    snapshot,
    settings: { ...defaultRunSettings('test-model'), ...settings },
    startedAt: at,
  };
}

const limitsOf = ({ budgetUsd, budgetTokens }: RunSettings) => ({
  usd: budgetUsd,
  unpricedTokens: budgetTokens,
  agentUsd: () => Number.POSITIVE_INFINITY,
});

/** Containers that answer from memory; `started` hears of each. */
export function containersInMemory(
  printed: (command: string) => string,
  started: (spec: SandboxSpec) => void = () => undefined,
): SandboxHost {
  return {
    start: async (spec) => {
      started(spec);
      return testSandbox((command) => ({ output: printed(command) }));
    },
    inspect: async () => ({ reachable: true, address: 'memory', problems: [] }),
    imageDigest: async (image) => (image === defaultRunSettings('').sandboxImage ? 'sha256:memory' : undefined),
    sweep: async () => 0,
  };
}

async function shown(ledger: RunLedger, run: string, diagnosis: Diagnosis | undefined): Promise<string> {
  const receipt = await ledger.load(run, 'receipt', Receipt);
  const prepared = await ledger.load(run, 'prepare', Prepared);
  if (!receipt || !prepared || !diagnosis) return '';
  const link = (place: { path: string; startLine: number }) => `https://example.org/${place.path}#L${place.startLine}`;
  return renderDiagnosis({ diagnosis, receipt, issue: prepared.issue, link });
}

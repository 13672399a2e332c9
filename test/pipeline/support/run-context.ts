import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { promptsFolder } from '#src/cli/compose.ts';
import { defaultRunSettings } from '#src/domain/default-settings.ts';
import { hashOfIssue } from '#src/domain/issue-snapshot.ts';
import type { RunEventBody } from '#src/domain/run-events.ts';
import type { RunSettings } from '#src/domain/settings.ts';
import { systemClock } from '#src/domain/system-clock.ts';
import { createWorkspaces } from '#src/git/workspaces.ts';
import { createFolderLedger } from '#src/jobs/folder-ledger.ts';
import { createFolderTrajectories } from '#src/jobs/folder-trajectories.ts';
import { createRunBudget } from '#src/jobs/run-budget.ts';
import type { PipelinePorts, RunContext } from '#src/pipeline/run-context.ts';
import { loadPrompts } from '#src/prompts/load-prompts.ts';
import { applyRepositoryConfig } from '#src/repository-config.ts';
import { createDockerHost } from '#src/sandbox/create-docker-host.ts';

export interface TestRun {
  context: RunContext;
  /** What the run told so far. */
  events: RunEventBody[];
  folder: string;
}

/** A run on the clone at `path` with everything real but the model; gone when the test is over. */
export function testRun(
  path: string,
  issue: { title: string; body: string },
  options: { settings?: Partial<RunSettings>; ports?: Partial<PipelinePorts>; signal?: AbortSignal } = {},
): TestRun {
  const folder = mkdtempSync(join(tmpdir(), 'fathom-pipeline-'));
  const settings = { ...defaultRunSettings('scripted'), ...options.settings };
  const ledger = createFolderLedger(folder);
  const limits = { usd: settings.budgetUsd, unpricedTokens: settings.budgetTokens, agentUsd: () => 100 };
  const sandboxes = createDockerHost({});
  const id = `pipeline-${folder.slice(-6).toLowerCase()}`;
  const none = { tokens: { input: 0, cached: 0, output: 0, reasoning: 0 }, usd: 0, calls: 0, unpriced: 0 };
  const text = { ...issue, comments: [] };
  const events: RunEventBody[] = [];
  onTestFinished(async () => {
    await sandboxes.sweep(id);
    rmSync(folder, { recursive: true, force: true });
  });
  const context: RunContext = {
    run: {
      id,
      mode: 'resolve',
      repository: { kind: 'local', path },
      snapshot: {
        ...text,
        trigger: { kind: 'terminal', actor: 'dev', at: '2026-01-01T00:00:00.000Z' },
        hash: hashOfIssue(text),
      },
      settings,
      startedAt: '2026-01-01T00:00:00.000Z',
    },
    ports: {
      model: undefined,
      sandboxes,
      workspaces: createWorkspaces({ dataDir: join(folder, 'data') }),
      ledger,
      trajectories: createFolderTrajectories(join(folder, 'trajectories')),
      budget: createRunBudget(limits, ledger, none),
      clock: systemClock,
      prompts: loadPrompts(promptsFolder),
      publishers: [],
      repositorySettings: applyRepositoryConfig,
      version: 'test',
      ...options.ports,
    },
    settings,
    signal: options.signal ?? new AbortController().signal,
    emit: async (event) => {
      events.push(event);
    },
  };
  return { context, events, folder };
}

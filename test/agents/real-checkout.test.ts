import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { localize } from '#src/agents/localizer.ts';
import { openRepository } from '#src/repository/open-repository.ts';
import type { Repository } from '#src/repository/repository.ts';
import { callingTool, modelSaying } from '../fakes/scripted-model.ts';
import { allText, issue, lastText, neverAborted, testAgent } from './agent-fixture.ts';

let folder: string;
let repository: Repository;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'checkout-'));
  mkdirSync(join(folder, 'src'));
  writeFileSync(
    join(folder, 'src/sum.ts'),
    'export function sum(values: number[]) {\n  return values.length + 1;\n}\n',
  );
  repository = openRepository(folder);
});

afterAll(async () => {
  await repository.close();
  rmSync(folder, { recursive: true });
});

it('the Localizer reads a real checkout with each of its tools', async () => {
  const model = modelSaying(
    callingTool('view_file', { path: 'src/sum.ts' }),
    callingTool('codebase_search', { query: 'values.length' }),
    callingTool('repo_tree', {}),
    callingTool('connected_tree', { path: 'src/sum.ts' }),
    callingTool('view_file', { path: 'src/total.ts' }),
    callingTool('submit_findings', { abstention: 'Enough seen.' }),
  );
  const result = await localize({ issue, repository, suspects: [] }, testAgent(model).context, neverAborted);
  expect(result.end).toBe('submitted');
  const told = model.requests.map(lastText);
  expect(allText(model.requests[0] ?? { messages: [] })).toContain('sum.ts');
  expect(told[1]).toContain('return values.length + 1;');
  expect(told[2]).toContain('src/sum.ts');
  expect(told[3]).toContain('sum.ts');
  expect(told[4]).toContain('import');
  expect(told[5]).toContain('src/total.ts');
});

it('the Localizer is told once what a file imports, however often and under whatever name it opens it', async () => {
  const first = { path: 'src/sum.ts', startLine: 1, endLine: 1 };
  const model = modelSaying(
    callingTool('view_file', first),
    callingTool('view_file', { path: 'src/sum.ts', startLine: 2, endLine: 3 }),
    callingTool('view_file', { path: 'repo/src/sum.ts' }),
    callingTool('codebase_search', { query: 'values' }),
    callingTool('view_file', first),
    callingTool('submit_findings', { abstention: 'Enough seen.' }),
  );
  await localize({ issue, repository, suspects: [] }, testAgent(model).context, neverAborted);
  const told = model.requests.map(lastText);
  expect(told[1]).toContain('imports: none found');
  expect(told[2]).toContain('return values.length + 1;');
  expect(told[2]).not.toContain('imports:');
  expect(told[3]).toContain('return values.length + 1;');
  expect(told[3]).not.toContain('imports:');
  // The same call gives the same: that it is useless can still be noticed.
  expect(told[5]).toContain('imports: none found');
  expect(told[5]).toContain('called `view_file` 2 times');
});

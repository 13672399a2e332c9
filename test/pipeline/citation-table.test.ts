import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Citation } from '#src/domain/citation.ts';
import type { TrajectoryEntry } from '#src/domain/ports/index.ts';
import { auditPair } from '#src/pipeline/audit-pair.ts';
import { checkDependency } from '#src/pipeline/check-dependency.ts';
import { openRepository } from '#src/repository/open-repository.ts';
import { neverAborted, testSandbox } from '../agents/agent-fixture.ts';
import { makeTree } from '../repository/trees.ts';
import { cases, files, installed, printed } from './citation-cases.ts';

const at = '2026-01-01T00:00:00Z';
const trajectory: TrajectoryEntry[] = printed.flatMap(([command, output], index): TrajectoryEntry[] => {
  const step = index + 1;
  const toolCalls = [{ id: 'same', name: 'shell', arguments: JSON.stringify({ command }) }];
  return [
    { type: 'message', at, step, message: { role: 'assistant', text: '', toolCalls } },
    { type: 'message', at, step, message: { role: 'tool', callId: 'same', name: 'shell', text: output } },
  ];
});

it('the table of citation cases in docs/diagnosis.md says what the audit makes of each', async () => {
  const tree = makeTree(files);
  const outside = makeTree({ 'secret.py': 'token = 1\n' });
  symlinkSync(join(outside, 'secret.py'), join(tree, 'secret.py'));
  symlinkSync(outside, join(tree, 'linked'));
  const repository = openRepository(tree);
  try {
    const rows: string[] = [];
    for (const [name, citation] of cases) rows.push(await row(name, citation, repository));
    const table = ['| case | cited | verdict | note |', '| --- | --- | --- | --- |', ...rows].join('\n');
    const page = readFileSync(join(import.meta.dirname, '../../docs/diagnosis.md'), 'utf8');
    expect(page.split('<!-- cases -->')[1]?.trim()).toBe(table);
  } finally {
    await repository.close();
  }
});

async function row(name: string, citation: Citation, repository: ReturnType<typeof openRepository>): Promise<string> {
  const sandbox = testSandbox(() => ({ output: installed['package' in citation ? citation.package : ''] ?? '' }));
  const dependencies =
    citation.kind === 'dependency' ? [await checkDependency(citation, sandbox, neverAborted)] : undefined;
  const answer = { outcome: 'answered', text: 'So.', citations: [citation] } as const;
  const question = { id: 'Q1', category: 'Design & Usage', text: 'How?' } as const;
  const pair = { question, end: 'submitted', answer: { ...answer, citations: [citation] }, dependencies };
  const { checked } = await auditPair(pair, trajectory, repository);
  const [one] = checked;
  return `| ${[name, shown(citation), one?.verdict, one?.note ?? ''].join(' | ')} |`;
}

function shown(citation: Citation): string {
  switch (citation.kind) {
    case 'repository':
      return inCode(`${citation.path}:${citation.startLine}-${citation.endLine} ${citation.symbol ?? ''}`);
    case 'dependency': {
      const { package: name, version, path, symbol, startLine, endLine } = citation;
      const file = startLine === undefined ? path : `${path}:${startLine}-${endLine}`;
      return inCode([name, version, file, symbol].filter(Boolean).join(' '));
    }
    case 'observation':
      return `${inCode(citation.command)} printed ${inCode(citation.output.replaceAll('\n', ' ⏎ '))}`;
    case 'standard':
      return citation.name;
  }
}

const inCode = (text: string): string => (text.trim() === '' ? 'nothing' : `\`${text.trim()}\``);

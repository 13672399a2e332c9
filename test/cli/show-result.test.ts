import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { showResult } from '#src/cli/show-result.ts';
import { loadConfig } from '#src/config.ts';
import type { RunEnd } from '#src/domain/ends.ts';
import { createFolderLedger } from '#src/jobs/folder-ledger.ts';
import { snapshot } from '../report/fixtures.ts';

async function told(end: RunEnd): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'fathom-shown-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const lines: string[] = [];
  const { settings } = loadConfig({}, folder, {});
  await showResult({
    run: {
      id: 'r1',
      mode: 'resolve',
      repository: { kind: 'local', path: folder },
      snapshot,
      settings,
      startedAt: '2026-11-30T12:00:00.000Z',
    },
    folder,
    end,
    ledger: createFolderLedger(folder),
    json: false,
    tell: (line) => lines.push(line),
  });
  return lines.join('\n');
}

const HOSTILE = 'Nothing\u001b[2J to do\u202e, pass\u00adword\u009b1m';

describe('what a terminal shows at the end of a run', () => {
  it.each<[string, RunEnd]>([
    ['a reason that a model wrote', { kind: 'no-pull-request', reason: HOSTILE }],
    [
      'a failure with the words of others',
      { kind: 'failed', code: 'model-refused', message: HOSTILE, remedy: HOSTILE },
    ],
    ['something given that is wrong', { kind: 'failed', code: 'input', message: HOSTILE, remedy: HOSTILE }],
  ])('moves no cursor and hides nothing by %s', async (_what, end) => {
    const shown = await told(end);
    expect(shown).toContain('Nothing to do⟨U+202E⟩, pass⟨U+00AD⟩word');
    expect(shown).not.toMatch(/[^\P{Cc}\n]|[\u202e\u00ad]/u);
  });
});

import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const example = join(import.meta.dirname, '../../examples/ledgerline');

/** The example as a git repository in a folder of its own. */
export function exampleClone(): string {
  const repo = join(mkdtempSync(join(tmpdir(), 'fathom-bench-')), 'ledgerline');
  cpSync(example, repo, { recursive: true });
  const git = (...args: string[]) => execFileSync('git', ['-C', repo, ...args], { stdio: 'ignore' });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('-c', 'user.name=Bench', '-c', 'user.email=bench@example.org', 'commit', '-qm', 'Import');
  return repo;
}

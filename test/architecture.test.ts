import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const biome = join(root, 'node_modules/.bin/biome');

async function lint(file: string): Promise<string> {
  const run = promisify(execFile)(biome, ['lint', '--config-path', root, '--vcs-enabled=false', file], { cwd: root });
  return run.then(
    () => '',
    (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
  );
}

/** Lints `text` as if it stood in `folder` of this checkout. */
async function planted(folder: string, text: string): Promise<string> {
  mkdirSync(join(root, folder), { recursive: true });
  const place = mkdtempSync(join(root, folder, 'planted-'));
  try {
    writeFileSync(join(place, 'planted.ts'), text);
    return await lint(join(place, 'planted.ts'));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

describe('the folder table', () => {
  it.each([
    ['src/sandbox', '../../git/create-workspaces.ts'],
    ['src/pipeline', '../../model/create-chat-model.ts'],
    ['src/domain', '../../agents/loop.ts'],
    ['src/report', '../../pipeline/execute-run.ts'],
    ['src/agents', '../../config.ts'],
  ])('an import from %s of %s is an error', async (folder, path) => {
    expect(await planted(folder, `export { x } from '${path}';\n`)).toContain('noRestrictedImports');
  });

  it('an import that the table allows is none', async () => {
    expect(await planted('src/pipeline', `export { x } from '../../agents/loop.ts';\n`)).not.toContain('Restricted');
  });

  it('the environment is read in one place only', async () => {
    expect(await planted('src/jobs', 'export const x = process.env;\n')).toContain('noProcessEnv');
  });

  it('the documented table is the enforced one', () => {
    const documented = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
    const config = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'));
    for (const override of config.overrides) {
      const folder = /^src\/(\w+)\/\*\*$/.exec(override.includes[0])?.[1];
      const rule = override.linter.rules.style?.noRestrictedImports;
      if (!folder || !rule) continue;
      const row = documented.split('\n').find((line) => line.startsWith(`| \`src/${folder}/\``));
      const allowed = row?.split('|').at(-2)?.trim() ?? '';
      const message = rule.options.patterns[0].message.replace(/^.* may import itself(, )?/, '').replace(/ \(.*$/, '');
      expect(`${folder}: ${allowed.replace('zod', '')}`).toBe(`${folder}: ${message}`);
    }
  });
});

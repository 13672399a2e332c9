import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repeatCommand } from '../../src/environment/repeat-command.ts';
import { SANDBOX_IMAGE } from '../../src/sandbox/sandbox-image.ts';
import { leapRepository } from '../cli/leap-repository.ts';

it('gives the commands of an agent no network on the machine of whoever repeats a proof, and leaves no container', () => {
  const { repo, base } = leapRepository();
  writeFileSync(
    join(repo, 'fathom.patch'),
    'diff --git a/a b/a\nnew file mode 100644\n--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+a\n',
  );
  const interfaces = 'echo "reaches: $(tail -n +3 /proc/net/dev | cut -d: -f1 | xargs)"';
  const command = repeatCommand({
    base,
    image: SANDBOX_IMAGE,
    setup: 'echo set-up as $(id -u); hostname >/tmp/name',
    regression: undefined,
    suite: `${interfaces}; echo in $(cat /tmp/name)`,
    testFiles: [],
    variables: {},
  });
  const printed = execFileSync('bash', ['-c', command], { cwd: repo, encoding: 'utf8', stdio: 'pipe' });
  expect(printed).toContain('set-up as 0\n');
  expect(printed.match(/^reaches: .*$/gm)).toEqual(['reaches: lo', 'reaches: lo']);
  expect(printed.match(/exit code \d+/g)).toEqual(['exit code 0', 'exit code 0']);
  const name = /^in (\w+)$/m.exec(printed)?.[1] ?? 'no name';
  expect(execFileSync('docker', ['ps', '-aq', '--no-trunc'], { encoding: 'utf8' })).not.toContain(name);
});

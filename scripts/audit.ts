import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { readAudit } from './audit/read-audit.ts';

/**
 * The last step of `npm run check`: known weaknesses of what is installed for production, as the registry knows them. A
 * grave one is a failure. A registry that cannot say (no network, no such address: a mirror often answers 405) is none,
 * on CI neither, and is told in one line that nobody can take for a pass.
 */
const SECONDS = 20;
const root = fileURLToPath(new URL('..', import.meta.url));
const output = await new Promise<string>((resolve) => {
  const options = { cwd: root, timeout: SECONDS * 1000, maxBuffer: 64 * 1024 * 1024 };
  // It ends with 1 for a weakness and for a refusal alike; what it printed tells them apart.
  execFile('npm', ['audit', '--omit=dev', '--json', '--fetch-retries=0'], options, (_error, stdout) => resolve(stdout));
});
const audit = readAudit(output);
if (audit.kind === 'clean') console.log(`audit: no grave weakness is known in ${audit.packages} packages`);
if (audit.kind === 'skipped') console.log(`!!! audit: dependencies were NOT audited: ${audit.because}`);
if (audit.kind === 'weak') {
  console.log(`audit: grave weaknesses\n${audit.lines.join('\n')}\nSee \`npm audit --omit=dev\`.`);
  process.exitCode = 1;
}

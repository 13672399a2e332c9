#!/usr/bin/env node
// `npx fathom` may be started by an older Node than the one that runs TypeScript; the checkout brings Node 24 along.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url));
const bundled = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));

if (Number(process.versions.node.split('.')[0]) >= 24) {
  await import(main);
} else if (existsSync(bundled)) {
  const child = spawn(bundled, [main, ...process.argv.slice(2)], { stdio: 'inherit' });
  // The terminal sends Ctrl-C to both; this one waits for the other to clean up.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => signal === 'SIGINT' || child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
  });
} else {
  process.stderr.write('fathom needs Node 24, which this checkout brings along: run `npm ci` in it first.\n');
  process.exitCode = 2;
}

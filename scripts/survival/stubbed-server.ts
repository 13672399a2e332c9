// A process of its own: `npm start` on stubbed containers, which says every few seconds what it holds.
import { startApp } from '../../src/app.ts';
import { serverSecrets } from '../../src/app-github.ts';
import { createLog } from '../../src/server/log.ts';
import { runUntilStopped } from '../../src/server/run-until-stopped.ts';
import { loadServerConfig } from '../../src/server-config.ts';
import { createStubSandboxes } from './stub-sandbox.ts';

const EVERY_MS = 3000;
const MIB = 2 ** 20;

const config = loadServerConfig();
const log = createLog(config.logLevel, undefined, serverSecrets(config).redactOwn);
const sandboxes = createStubSandboxes();
await runUntilStopped(() => startApp(config, log, { deliveries: true, sandboxes }), log);
setInterval(() => {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  log.info({ heapMiB: heapUsed / MIB, residentMiB: rss / MIB, containers: sandboxes.open() }, 'sample');
}, EVERY_MS).unref();

import { serverSecrets, startApp } from './app.ts';
import { describeError } from './cli/describe-error.ts';
import { FathomError } from './domain/errors.ts';
import { createLog } from './server/log.ts';
import { runUntilStopped } from './server/run-until-stopped.ts';
import { loadServerConfig } from './server-config.ts';

try {
  const config = loadServerConfig();
  const log = createLog(config.logLevel, undefined, serverSecrets(config).redactOwn);
  await runUntilStopped(() => startApp(config, log, { deliveries: true }), log);
} catch (error) {
  if (!(error instanceof FathomError)) throw error;
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
}

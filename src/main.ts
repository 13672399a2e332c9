import { startApp } from './app.ts';
import { serverSecrets } from './app-github.ts';
import { describeError } from './cli/describe-error.ts';
import { exitCodes } from './cli/exit-codes.ts';
import { readVariables } from './config.ts';
import { FathomError, InputError } from './domain/errors.ts';
import { createLog } from './server/log.ts';
import { runUntilStopped } from './server/run-until-stopped.ts';
import { loadServerConfig } from './server-config.ts';
import { unknownSettings } from './unknown-settings.ts';

for (const sentence of unknownSettings(readVariables().variables)) process.stderr.write(`fathom: ${sentence}\n`);
try {
  const config = loadServerConfig();
  const log = createLog(config.logLevel, undefined, serverSecrets(config).redactOwn);
  await runUntilStopped(() => startApp(config, log, { deliveries: true }), log);
} catch (error) {
  if (!(error instanceof FathomError)) throw error;
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = error instanceof InputError ? exitCodes.input : exitCodes.failed;
}

import { startApp } from '../app.ts';
import { serverSecrets } from '../app-github.ts';
import { InputError } from '../domain/errors.ts';
import { createLog } from '../server/log.ts';
import { runUntilStopped } from '../server/run-until-stopped.ts';
import { loadServerConfig } from '../server-config.ts';
import { exitCodes } from './exit-codes.ts';

/** `fathom worker`: works on runs beside a server that takes the deliveries, on the same PostgreSQL. */
export async function workerCommand(): Promise<number> {
  const config = loadServerConfig();
  if (config.databaseUrl === undefined) throw new InputError([noDatabase]);
  const log = createLog(config.logLevel, undefined, serverSecrets(config).redactOwn);
  await runUntilStopped(() => startApp(config, log, { deliveries: false }), log);
  return exitCodes.done;
}

const noDatabase = {
  source: 'DATABASE_URL',
  message: 'is not set',
  remedy: 'Workers share a PostgreSQL with the server. Without one, `npm start` alone does the work.',
};

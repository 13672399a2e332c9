import { writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { describeError } from '../src/cli/describe-error.ts';
import { FathomError } from '../src/domain/errors.ts';
import { provideEngine } from './provide/provide-engine.ts';
import { providePostgres } from './provide/provide-postgres.ts';
import { provideSandboxImage } from './provide/provide-sandbox-image.ts';
import { addResults, type PartResult, tableOf } from './survival/figures.ts';
import { flat } from './survival/flat.ts';
import { fullRuns } from './survival/full-runs.ts';
import { type DatabaseKind, planRuns } from './survival/kill-points.ts';
import { type PartName, readOptions, type SurvivalOptions } from './survival/options.ts';
import { queueAlone } from './survival/queue-alone.ts';
import { stops } from './survival/stops.ts';
import { isClean, tallyLine } from './survival/tally.ts';

/**
 * `npm run test:survival`: kills, storms, stops and three hundred runs, on both databases (docs/operations.md). The last
 * line says what was lost, doubled and done again; the exit code is 0 only when that is nothing and no promise is broken.
 * `--database embedded|postgres`, `--only kills,queue,stops,flat`, `--seed N`, `--json FILE`.
 */
type Part = (kind: DatabaseKind, options: SurvivalOptions) => Promise<PartResult>;

/** Over the databases. */
const STOPS = 20;
/** In one process. */
const RUNS = 300;

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const parts: Record<PartName, Part> = {
  kills: (kind, { databases, seed }) => fullRuns(kind, planRuns(databases, seed)[kind], say),
  queue: (kind) => queueAlone(kind, say),
  stops: (kind, { databases, seed }) => stops(kind, STOPS / databases.length, seed, say),
  flat: (kind) => flat(kind, RUNS, say),
};

process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));
try {
  await main(readOptions(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof FathomError)) throw error;
  say(describeError(error));
  process.exitCode = 2;
}

async function main(options: SurvivalOptions): Promise<void> {
  await provide(options);
  const machine = `${cpus()[0]?.model ?? 'unknown'} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  process.stdout.write(`${machine}, Node ${process.versions.node}, ${loads()}, seed ${options.seed}\n`);
  const started = Date.now();
  const results: PartResult[] = [];
  for (const name of options.parts) {
    for (const kind of options.databases) {
      say(`\n${name}, ${kind}`);
      const result = await parts[name](kind, options);
      results.push(result);
      say(`${name}, ${kind}: ${tallyLine(result.tally)}${result.broken.map((words) => `\n  ${words}`).join('')}`);
    }
  }
  report(addResults(results), { ...options, machine, minutes: (Date.now() - started) / 60_000 });
}

function loads(): string {
  return `load ${loadavg()[0]?.toFixed(1)}`;
}

async function provide({ databases, parts: wanted }: SurvivalOptions): Promise<void> {
  if (wanted.includes('kills') || wanted.includes('stops')) {
    await provideEngine();
    await provideSandboxImage();
  }
  if (databases.includes('postgres') && !(await providePostgres())) databases.splice(databases.indexOf('postgres'), 1);
}

function report(result: PartResult, about: SurvivalOptions & { machine: string; minutes: number }): void {
  const { tally, figures, broken } = result;
  if (about.json !== undefined) writeFileSync(about.json, `${JSON.stringify({ ...about, ...result }, null, 2)}\n`);
  process.stdout.write(`\n${tableOf(figures)}\n\n${about.minutes.toFixed(1)} minutes, ${loads()}\n`);
  for (const words of broken) process.stdout.write(`broken: ${words}\n`);
  process.stdout.write(`${tallyLine(tally)}\n`);
  process.exitCode = isClean(tally) && broken.length === 0 ? 0 : 1;
}

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Measured, medianOf } from './bench/alternate.ts';
import { benchApp } from './bench/app.ts';
import { compareKept, type Kept, readKept } from './bench/compare.ts';
import { benchNavigation } from './bench/navigation.ts';
import { benchPrepare } from './bench/prepare.ts';
import { benchStep } from './bench/sandbox-step.ts';
import { benchSetUp } from './bench/set-up.ts';
import { benchRun } from './bench/whole-run.ts';

// `npm run bench [name …]`: what is compared is alternated in one run, and medians are shown with their spread, because
// a shared machine drifts by more than most differences. The figures are kept as JSON so that commits can be compared.
// `navigation` needs large repositories: `--repos DIR` with clones as for eval:ranker. `--beside FILE` alternates it with
// another program, called as `node FILE graph|tree FOLDER`. `--against FILE` shows what changed since a kept file.
const { values: options, positionals: wanted } = parseArgs({
  options: { repos: { type: 'string' }, beside: { type: 'string' }, against: { type: 'string' } },
  allowPositionals: true,
});
const benches: Record<string, () => Promise<Measured[]>> = {
  step: benchStep,
  prepare: () => benchPrepare(options),
  'set-up': benchSetUp,
  navigation: () => benchNavigation(options),
  run: benchRun,
  app: benchApp,
};
const folder = '.fathom/bench';

const before = options.against === undefined ? undefined : readKept(options.against);
const unknown = wanted.filter((name) => !(name in benches));
if (unknown.length > 0) {
  process.stderr.write(`bench: no ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}\n`);
  process.exitCode = 2;
} else if (options.against !== undefined && before === undefined) {
  process.stderr.write(`bench: ${options.against} is no file that npm run bench kept; they are in ${folder}\n`);
  process.exitCode = 2;
} else {
  const names = wanted.length > 0 ? wanted : Object.keys(benches);
  const machine = `${cpus()[0]?.model ?? 'unknown'} × ${cpus().length}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
  process.stdout.write(`${machine}, Node ${process.versions.node}, load ${loadavg()[0]?.toFixed(1)}\n\n`);
  const measured: Measured[] = [];
  for (const name of names) {
    process.stderr.write(`bench: ${name} …\n`);
    try {
      measured.push(...((await benches[name]?.()) ?? []));
    } catch (error) {
      // What the others measured is kept.
      process.stderr.write(`bench: ${name} failed: ${error instanceof Error ? error.message : String(error)}\n`);
      process.exitCode = 1;
    }
  }
  process.stdout.write(tableOf(measured));
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${new Date().toISOString().replaceAll(':', '-')}.json`);
  const kept: Kept = { commit: commit(), machine, node: process.versions.node, measured };
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`);
  process.stdout.write(`\nKept in ${file}\n`);
  if (before !== undefined) process.stdout.write(`\nAgainst ${options.against}\n${compareKept(before, kept)}`);
}

function commit(): string {
  return execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim();
}

function tableOf(rows: Measured[]): string {
  const lines = rows.map(({ name, unit, values }) => {
    const sorted = [...values].sort((a, b) => a - b);
    const [low, high] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
    const figures = [medianOf(values), low, high].map((value) => value.toFixed(unit === 's' ? 2 : 0).padStart(9));
    return `${name.padEnd(52)}${figures.join('')}  ${unit.padEnd(4)} n=${values.length}`;
  });
  return `${''.padEnd(52)}${['median', 'min', 'max'].map((word) => word.padStart(9)).join('')}\n${lines.join('\n')}\n`;
}

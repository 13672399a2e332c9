import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { leapRepository } from '../../test/cli/leap-repository.ts';
import { scriptedDeveloper } from '../../test/cli/scripted-developer.ts';
import { startChatServer } from '../../test/fakes/chat-server.ts';
import type { Measured } from './alternate.ts';
import { peakKibibytes } from './peak-memory.ts';

const rounds = 5;
const main = join(import.meta.dirname, '../../src/cli/main.ts');

/** `fathom resolve` from start to end with a scripted model that answers at once: what is ours of a run's time. */
export async function benchRun(): Promise<Measured[]> {
  const model = await startChatServer(scriptedDeveloper);
  const seconds: Measured = { name: 'whole run: resolve, instant model', unit: 's', values: [] };
  const memory: Measured = { name: 'whole run: peak memory of the process', unit: 'MiB', values: [] };
  for (let round = 0; round <= rounds; round++) {
    const one = await resolveOnce(model.url);
    if (round === 0) continue;
    seconds.values.push(one.seconds);
    memory.values.push(one.mebibytes);
  }
  await model.close();
  return [seconds, memory];
}

async function resolveOnce(url: string): Promise<{ seconds: number; mebibytes: number }> {
  const { folder, repo, issue } = leapRepository();
  const out = join(mkdtempSync(join(tmpdir(), 'fathom-bench-')), 'out');
  const started = performance.now();
  const child = spawn(process.execPath, [main, 'resolve', '--repo', repo, '--issue', issue, '--out', out], {
    cwd: folder,
    env: { PATH: process.env['PATH'], OPENAI_API_KEY: 'bench', OPENAI_BASE_URL: url, FATHOM_MODEL: 'scripted' },
    stdio: 'ignore',
  });
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, peakKibibytes(child.pid ?? 0));
  }, 50);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(watch);
  if (code !== 0) throw new Error(`the run ended with ${code}; see ${out}`);
  return { seconds: (performance.now() - started) / 1000, mebibytes: peak / 1024 };
}

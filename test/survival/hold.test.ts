import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { askToHold, holdingArguments } from '../../scripts/survival/hold.ts';
import { until } from '../jobs/support/worker.ts';

const log = join(import.meta.dirname, '../../src/server/log.ts');
const program = `
  import { createLog } from ${JSON.stringify(log)};
  const log = createLog('info');
  for (const stage of ['ask', 'answer', 'audit']) log.info({ issue: '1#7', type: 'stage-started', stage }, 'a line');
  setInterval(() => undefined, 1000);`;

it.skipIf(process.platform !== 'linux')(
  'a server holds still after the line that was asked for, and before the next one',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fathom-hold-'));
    const file = join(folder, 'hold.json');
    askToHold(file, { issue: '#7', line: { type: 'stage-started', stage: 'answer' }, turns: 0 });
    const args = [...holdingArguments(file), '--input-type=module', '-e', program];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    // Third field of proc(5)'s stat: T is a process that was stopped by a signal.
    await until(() => readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]?.startsWith('T') && said !== '');
    await until(() => said.includes('answer'));
    expect(said).not.toContain('audit');
  },
);

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { roleOf } from '../cli/scripted-developer.ts';
import { type ChatServer, type ServedAnswer, type ServedRequest, startChatServer } from '../fakes/chat-server.ts';
import { ledgerlineDeveloper } from './ledgerline-developer.ts';

const demo = join(import.meta.dirname, '../../scripts/demo.ts');
const folder = mkdtempSync(join(tmpdir(), 'demo-'));
const recording = join(folder, 'run.jsonl');
let model: ChatServer;
let script: (request: ServedRequest) => ServedAnswer | Promise<ServedAnswer> = ledgerlineDeveloper;

beforeAll(async () => {
  model = await startChatServer((request) => script(request));
});
afterAll(() => model.close());

/** Runs the demonstration with temporary files in a folder of its own, so that what it leaves behind is seen. */
function startDemo(name: string, ...options: string[]) {
  const temporary = mkdtempSync(join(folder, 't'));
  const out = join(folder, name);
  const child = spawn(process.execPath, [demo, '--out', out, ...options], {
    env: {
      PATH: process.env['PATH'],
      TMPDIR: temporary,
      OPENAI_API_KEY: 'test',
      OPENAI_BASE_URL: model.url,
      FATHOM_MODEL: 'scripted',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const done = Promise.all([closed, text(child.stdout), text(child.stderr)]).then(([code, shown, complaints]) => {
    const log = readFileSync(join(out, 'fathom.log'), 'utf8');
    const run = /"run":"([0-9a-f]+)"/.exec(log)?.[1] ?? 'none';
    const file = (path: string) => readFileSync(join(out, path), 'utf8');
    return { code, shown, complaints, run, file, left: readdirSync(temporary) };
  });
  return { child, done };
}

const containers = (run: string) =>
  execFileSync('docker', ['ps', '-aq', '--filter', `label=fathom.run=${run}`], { encoding: 'utf8' }).trim();

test('a label becomes a diagnosis, a proof and a draft pull request, and nothing is left behind', async () => {
  const { code, shown, complaints, run, file, left } = await startDemo('live', '--record', recording).done;
  expect(complaints).toBe('');
  expect(code, shown).toBe(0);
  expect(file('diagnosis.md')).toContain('so the weekday 0 (Sunday) disappears');
  expect(file('diagnosis.md')).toContain('**Result**: [draft pull request');
  expect(shown).toContain('Most likely cause: Boolean(value) takes 0 for a value that is not set');
  expect(shown).toMatch(/Regression test on base {2,}1, again 1 {2,}1 failed/);
  expect(shown).toMatch(/Regression test on base\+patch {2,}0, again 0 {2,}1 passed/);
  expect(shown).toMatch(/Pull request #\d+, draft/);
  expect(shown).toContain('+  return Array.isArray(value) ? value.length > 0 : value === 0 || Boolean(value);');
  expect(file('pull-request.md')).toContain('Fixes #1');
  expect(file('pull-request.md')).toContain('9 steps');
  expect(file('change.diff')).toContain('test/order.test.js');
  expect(shown).toContain(`Who spoke: scripted at ${model.url}`);
  expect(run).not.toBe('none');
  expect(containers(run)).toBe('');
  expect(left).toEqual([]);
});

test('what was recorded plays again without the model, and says so wherever it is shown', async () => {
  const asked = model.requests.length;
  const { code, shown, file, left } = await startDemo('played', '--play', recording).done;
  expect(code, shown).toBe(0);
  expect(shown).toMatch(/Pull request #\d+, draft/);
  expect(model.requests).toHaveLength(asked);
  expect(shown).toContain('recorded run of scripted');
  expect(file('diagnosis.md')).toContain('(recorded)');
  expect(file('pull-request.md')).toContain('(recorded)');
  expect(left).toEqual([]);
});

test('Ctrl-C in the middle of a run leaves no container, process or file', async () => {
  const { child, done } = startDemo('stopped');
  let pressed = false;
  script = (request) => {
    if (roleOf(request) !== 'answerer') return ledgerlineDeveloper(request);
    // Both Answerers ask; a second Ctrl-C would mean: leave at once, whatever is left behind.
    if (!pressed) child.kill('SIGINT');
    pressed = true;
    return new Promise(() => undefined);
  };
  const { code, run, left } = await done;
  expect(code).toBe(130);
  expect(run).not.toBe('none');
  expect(containers(run)).toBe('');
  expect(left).toEqual([]);
});

test('no pull request is an exit code that scripts can see', async () => {
  const refusal = { summary: 'Nothing to do.', noChangeReason: 'It is documented like that.', notChecked: 'all' };
  script = (request) =>
    roleOf(request) === 'resolver'
      ? { toolCalls: [{ name: 'submit_resolution', arguments: refusal }] }
      : ledgerlineDeveloper(request);
  const { code, shown } = await startDemo('refused').done;
  expect(code, shown).toBe(1);
  expect(shown).toContain('No pull request was opened: It is documented like that.');
});

import { describe, expect, it } from 'vitest';
import { CancelledError, ModelError } from '#src/domain/errors.ts';
import { Patch } from '#src/domain/patch.ts';
import type { ChatRequest, Workspace } from '#src/domain/ports/index.ts';
import type { RunSettings } from '#src/domain/settings.ts';
import type { PreparedEnvironment } from '#src/pipeline/artefacts.ts';
import { RECOVERED, resolve } from '#src/pipeline/resolve.ts';
import { createDockerHost } from '#src/sandbox/create-docker-host.ts';
import { SANDBOX_IMAGE } from '#src/sandbox/sandbox-image.ts';
import { leapRepository } from '../cli/leap-repository.ts';
import { callingTool, type ScriptedReply, scriptedModel } from '../fakes/scripted-model.ts';
import { testRun } from './support/run-context.ts';

const shell = (command: string) => callingTool('shell', { command });
const edit = (text: string) => shell(`sed -i 's/return year % 4 == 0/return ${text}/' dates/calendar.py`);
const RIGHT = 'year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)';
const TEST = [
  "cat > tests/test_century.py <<'E'",
  'import unittest',
  'from dates.calendar import is_leap',
  'class Century(unittest.TestCase):',
  '    def test_1900(self):',
  '        self.assertFalse(is_leap(1900))',
  'E',
].join('\n');
const submit = callingTool('submit_resolution', {
  summary: 'Centuries are no leap years.',
  regressionTest: 'python3 -m unittest tests.test_century',
});

interface Options {
  limits?: Partial<RunSettings['roles']['resolver']['limits']>;
  settings?: Partial<RunSettings>;
  signal?: AbortSignal;
}

async function resolving(
  reply: (request: ChatRequest) => ScriptedReply | Promise<ScriptedReply>,
  options: Options = {},
) {
  const { repo } = leapRepository();
  const model = scriptedModel(reply);
  const issue = { title: '1900', body: '1900 was no leap year.' };
  const { context, events } = testRun(repo, issue, {
    ports: { model },
    settings: { tests: { timeoutSeconds: 60 }, ...options.settings },
    ...(options.signal ? { signal: options.signal } : {}),
  });
  const { resolver } = context.settings.roles;
  const roles = {
    ...context.settings.roles,
    resolver: { ...resolver, limits: { ...resolver.limits, ...options.limits } },
  };
  const limited = { ...context, settings: { ...context.settings, roles } };
  const { ports, run } = limited;
  const request = { run: run.id, repository: run.repository, protectedPaths: [] };
  const workspace: Workspace = await ports.workspaces.open(request, new AbortController().signal);
  const environment: PreparedEnvironment = { image: SANDBOX_IMAGE, prepared: true, sources: [], log: '' };
  const rendered = { title: issue.title, text: issue.body, hidden: [] };
  const prepared = { base: workspace.base, settings: limited.settings, issue: rendered, suspects: [], notes: [] };
  const diagnosis = { base: workspace.base, knowledge: [], findings: [], suspects: [], notes: [] };
  const result = resolve(limited, prepared, diagnosis, environment, workspace);
  return { result, model, events, context: limited };
}

const told = (request: ChatRequest | undefined): string => request?.messages.at(-1)?.text ?? '';
const notes = (events: { type: string }[]) => events.flatMap((event) => ('text' in event ? [String(event.text)] : []));

describe('commands that are none of a Resolver’s business get a hint, and leave nothing behind', () => {
  it.each([
    ['hangs', 'sleep 971', /Stopped after \d+ seconds: it did not end by itself/],
    ['is interactive', 'vi dates/calendar.py', /wants somebody at a terminal/],
    ['waits for input', 'cat', /wants somebody at a terminal/],
    [
      'runs on in the background',
      'setsid sleep 972 & echo started',
      /these processes were still running[\s\S]*sleep 972/,
    ],
    ['forks without end', 'f() { f | f & }; f; sleep 973', /Stopped after|exit code/],
    ['prints 5 GB', 'head -c 5G /dev/zero', /Stopped: it printed too much/],
    ['prints much', 'seq 40000', /The whole output \(\d+ bytes\) is in|command-output-/],
    ['prints bytes', 'head -c 300 /dev/urandom', /\d+ bytes of the output are not UTF-8/],
    ['prints Latin-1', "printf 'na\\357f\\n'", /1 bytes of the output are not UTF-8/],
    // On a busy machine it takes its time to eat so much.
    ['eats memory', 'python3 -c "x = bytearray(4 * 10**9)"', /exit code|MemoryError|too much memory/, 90],
    ['does not exist', 'pytets', /a command was not found/],
  ])('one that %s', async (_what, command, hint, commandSeconds = 8) => {
    const script = [
      shell(command),
      shell('ps -eo args | grep -c "[s]leep 97"; git status --short | head'),
      edit(RIGHT),
      submit,
    ];
    const limits = { commandSeconds };
    const { result, model } = await resolving(({ step }) => script[step - 1] ?? submit, { limits });
    const { resolution } = await result;
    expect(told(model.requests[1])).toMatch(hint);
    expect(told(model.requests[2])).toMatch(/>\n0\n+<\//);
    expect(resolution.patch.files.map((file) => file.path)).toEqual(['dates/calendar.py']);
  });
});

describe('work is kept, however a Resolver ends', () => {
  it.each([
    ['steps', { steps: 2 }, 'step-limit'],
    ['money', { usd: 0.0025 }, 'cost-limit'],
    ['time', { seconds: 6 }, 'time-limit'],
  ])('it runs out of %s', async (_what, limits, end) => {
    const reply = ({ step }: ChatRequest) => (step === 1 ? edit(RIGHT) : shell('sleep 3; date'));
    const { result } = await resolving(reply, { limits });
    const { resolution } = await result;
    expect(resolution).toMatchObject({ end, recovered: true });
    expect(resolution.patch.files.map((file) => file.path)).toEqual(['dates/calendar.py']);
  });

  it('its container is lost', async () => {
    const host = createDockerHost({});
    const { result, context } = await resolving(async ({ step }) => {
      if (step === 2) await host.sweep(context.run.id);
      return step === 1 ? edit(RIGHT) : shell('date');
    });
    const { resolution } = await result;
    expect(resolution).toMatchObject({ end: 'sandbox-lost', recovered: true });
    expect(resolution.patch.files).toHaveLength(1);
  });

  it('its conversation outgrows the model', async () => {
    const overflow = new ModelError('context-overflow', 'too long', 'Use a model with more room.');
    const { result } = await resolving(({ step }) => (step === 1 ? edit(RIGHT) : overflow));
    const { resolution } = await result;
    expect(resolution).toMatchObject({ end: 'context-overflow', recovered: true });
    expect(resolution.patch.files).toHaveLength(1);
  });

  it.each([
    ['it is stopped', 'cancelled'],
    ['its model fails', 'model-rate-limited'],
  ])('%s: the stage starts anew, and what was changed is kept and said', async (_what, code) => {
    const stop = new AbortController();
    const { result, context, events } = await resolving(
      ({ step }) => {
        if (step === 1) return edit(RIGHT);
        if (code !== 'cancelled') return new ModelError('rate-limited', 'later', 'Wait.');
        stop.abort(new CancelledError('@alice'));
        return shell('date');
      },
      { signal: stop.signal },
    );
    await expect(result).rejects.toMatchObject({ code });
    const kept = await context.ports.ledger.load(context.run.id, RECOVERED, Patch);
    expect(kept?.files.map((file) => file.path)).toEqual(['dates/calendar.py']);
    expect(notes(events).join()).toContain(
      'What the Resolver had changed is kept (resolve/recovered): dates/calendar.py.',
    );
  });
});

describe('a change is looked at before it is handed in', () => {
  it('an empty one is sent back once, and is then no change', async () => {
    const { result, model } = await resolving(() => submit);
    const { resolution } = await result;
    expect(model.requests).toHaveLength(2);
    expect(told(model.requests[1])).toContain('no change that can be taken over');
    expect(resolution).toMatchObject({ end: 'submitted', patch: { files: [] } });
  });

  it('a leftover is named; what is taken back is gone, what stays is kept for the reviewer', async () => {
    const leave = shell("sed -i '1i breakpoint()' dates/calendar.py");
    const take = shell("sed -i '1d' dates/calendar.py");
    for (const [script, stray] of [
      [[edit(RIGHT), leave, submit, take, submit], undefined],
      [[edit(RIGHT), leave, submit, submit], [{ kind: 'debugging', path: 'dates/calendar.py', line: 1 }]],
    ] as const) {
      const { result, model } = await resolving(({ step }) => script[step - 1] ?? submit);
      const { resolution } = await result;
      expect(told(model.requests[3])).toContain('dates/calendar.py:1: looks like debugging output');
      expect(resolution.stray).toEqual(stray);
    }
  });
});

it('of several attempts within one budget the one is taken that was proven, and its proof with it', async () => {
  const script = (text: string) => [edit(text), shell(TEST), submit];
  const { result, model, events } = await resolving(
    ({ agent, step }) => script(agent === 'resolver-1' ? 'year % 4 == 0 and year > 0' : RIGHT)[step - 1] ?? submit,
    { settings: { attempts: 2 } },
  );
  const { resolution, proof } = await result;
  expect(model.requests.map(({ step }) => step)).toEqual([1, 2, 3, 1, 2, 3]);
  expect(proof?.verdict).toBe('proven');
  expect(Buffer.from(resolution.patch.diff, 'base64').toString()).toContain('year % 400');
  expect(notes(events)).toContain(
    'Of 2 attempts the second was taken: its test fails without the change and passes with it.',
  );
});

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evalCommand } from '#src/cli/eval-command.ts';
import { InputError } from '#src/domain/errors.ts';
import { runFathom, startFathom } from '../cli/fathom-process.ts';
import { type ChatServer, type ServedAnswer, type ServedRequest, startChatServer } from '../fakes/chat-server.ts';
import { leapEvaluation, outcomesIn } from './evaluation-process.ts';

const LOCALIZE = ['--only', 'localize', '--stand-in', 'lexical', '--arms', 'findings,no-hint,masked'];
const SLOW = 60_000;

const made: string[] = [];
const evaluation = () => {
  const one = leapEvaluation();
  made.push(one.folder);
  return one;
};
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

describe('fathom eval with the stand-in', () => {
  it(
    'measures every instance under every arm and says that no model was asked',
    async () => {
      const { args, folder, out } = evaluation();
      const { code, stderr } = await runFathom([...args, ...LOCALIZE], folder);
      expect(stderr).toContain('the lexical stand-in (no model) speaks');
      expect(code).toBe(0);
      expect(outcomesIn(out)).toHaveLength(6);
      expect(outcomesIn(out)[0]).toMatchObject({
        ...{ instance: 'acme__dates-1', arm: 'findings', files: { hitAt1: 1 }, end: { kind: 'diagnosed' } },
        gold: { files: ['dates/calendar.py'], chunks: [{ startLine: 2, endLine: 2 }] },
      });
      const page = readFileSync(join(out, 'report.html'), 'utf8');
      expect(page).toContain('No language model was asked.');
      expect(readFileSync(join(out, 'results.csv'), 'utf8').trim().split('\n')).toHaveLength(7);
      const results = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'));
      expect(results.summary).toMatchObject({ standIn: true, measure: 'hit@1', instances: 2, left: 0 });
    },
    SLOW,
  );

  it(
    'goes on after a kill with what is missing, and does nothing twice',
    async () => {
      const { args, folder, out } = evaluation();
      const first = startFathom([...args, ...LOCALIZE, '--parallel', '1'], folder);
      await first.shown('[2/6]');
      first.kill('SIGKILL');
      await first.done;
      const before = outcomesIn(out).map((outcome) => [outcome['run'], outcome['seconds']]);
      expect(before.length).toBeGreaterThanOrEqual(2);
      const { code, stderr } = await runFathom([...args, ...LOCALIZE], folder);
      expect(code).toBe(0);
      expect(stderr).toContain(`${before.length} of 6 runs are kept from before`);
      expect(outcomesIn(out)).toHaveLength(6);
      expect(outcomesIn(out).map((outcome) => [outcome['run'], outcome['seconds']])).toEqual(
        expect.arrayContaining(before),
      );
    },
    SLOW,
  );

  it(
    'shows a run nothing of what came after its base commit',
    async () => {
      const { args, folder, out } = evaluation();
      await runFathom([...args, ...LOCALIZE, '--limit', '1', '--arms', 'findings'], folder);
      const transcript = join(out, 'runs/acme__dates-1/findings/trajectories/localizer.jsonl');
      expect(readFileSync(transcript, 'utf8')).toContain('calendar.py');
      expect(readFileSync(transcript, 'utf8')).not.toMatch(/later\.py|SECRET_OF_THE_FUTURE|uncommitted/);
    },
    SLOW,
  );

  it(
    'names bad input as what it is, and goes on with the rest',
    async () => {
      const { args, folder, out, instances, writeData } = evaluation();
      const [good] = instances;
      writeData(
        good as object,
        '{"instance_id": "cut',
        { ...good, instance_id: 'acme__gone-1', repo: 'acme/gone' },
        { ...good, instance_id: 'acme__dates-3', base_commit: 'f'.repeat(40) },
        { ...good, instance_id: 'acme__dates-4', patch: good?.patch.replace('year % 4 == 0', 'other') },
        { ...good, instance_id: 'acme__dates-5', patch: 'no diff' },
      );
      const { code, stderr } = await runFathom([...args, ...LOCALIZE], folder);
      expect(code).toBe(0);
      expect(stderr).toContain('line 2: malformed-line');
      expect(stderr).toContain('acme__gone-1: missing-repository');
      expect(stderr).toContain('acme__dates-3: base-gone');
      expect(stderr).toContain('acme__dates-4: patch-does-not-apply');
      expect(stderr).toContain('acme__dates-5: no-gold');
      expect(stderr).toContain('3 runs measured (0 failed), 0 not done, 5 skipped');
      expect(readFileSync(join(out, 'report.html'), 'utf8')).toContain('patch-does-not-apply');
    },
    SLOW,
  );

  it(
    'fails where every instance was left out, and takes no folder where there is none to begin with',
    async () => {
      const { args, folder, out, instances, writeData } = evaluation();
      writeData('{"instance_id": "cut');
      const cut = await runFathom([...args, ...LOCALIZE], folder);
      expect(cut.code).toBe(2);
      expect(cut.stderr).toContain('holds no instance; line 1 is not JSON');
      writeData('');
      expect((await runFathom([...args, ...LOCALIZE], folder)).code).toBe(2);
      writeData({ ...instances[0], repo: 'acme/gone' });
      const nowhere = await runFathom([...args, ...LOCALIZE, '--repos', 'nowhere'], folder);
      expect(nowhere.code).toBe(2);
      expect(nowhere.stderr).toContain('nowhere is no folder');
      expect(existsSync(out)).toBe(false);
      const { code, stderr } = await runFathom([...args, ...LOCALIZE], folder);
      expect(code).toBe(1);
      expect(stderr).toContain('0 runs measured (0 failed), 0 not done, 1 skipped');
    },
    SLOW,
  );

  it('estimates no money where no model is asked, starts nothing and leaves nothing in a dry run', async () => {
    const { args, folder, out } = evaluation();
    const { code, stdout } = await runFathom([...args, ...LOCALIZE, '--dry-run'], folder);
    expect(code).toBe(0);
    expect(stdout).toContain('2 instances × 3 arms');
    expect(stdout).toContain('to do: 6 runs, 0 done before');
    expect(stdout).toContain('the lexical stand-in (no model) speaks: no model is asked and nothing is paid');
    expect(stdout).not.toContain('$');
    expect(stdout).not.toContain('expected');
    expect(existsSync(out)).toBe(false);
  });

  it('says in a dry run that a recording plays, in place of what a model would cost', async () => {
    const { args, folder } = evaluation();
    writeFileSync(join(folder, 'kept.jsonl'), '');
    const localize = ['--only', 'localize', '--arms', 'findings', '--dry-run'];
    const { code, stdout } = await runFathom([...args, ...localize], folder, {
      FATHOM_PLAYBACK: join(folder, 'kept.jsonl'),
    });
    expect(code).toBe(0);
    expect(stdout).toContain('a recording plays (kept.jsonl): no model is asked and nothing is paid');
    expect(stdout).not.toMatch(/[$]|expected|unknown amount/);
  });

  it(
    'does not go on in a folder of another evaluation',
    async () => {
      const { args, folder, writeData, instances } = evaluation();
      await runFathom([...args, ...LOCALIZE, '--limit', '1', '--arms', 'findings'], folder);
      writeData(instances[1] as object);
      const { code, stderr } = await runFathom([...args, ...LOCALIZE], folder);
      expect(code).toBe(2);
      expect(stderr).toContain('holds an evaluation that differs in the data set');
    },
    SLOW,
  );

  it.each([
    [{ only: 'resolve' }, '--stand-in can only localize'],
    [{ arms: 'none' }, 'none has no Localizer'],
    [{ budget: '1' }, 'less than one run may cost'],
    [{ instances: 'nobody-1' }, 'nobody-1 is not in'],
    [{ parallel: '0' }, '--parallel'],
    [{ data: '/nowhere/data.jsonl' }, '/nowhere/data.jsonl cannot be read'],
  ])('refuses %j before it starts', async (more, said) => {
    const { folder, repos, out } = evaluation();
    const data = join(folder, 'data.jsonl');
    const flags = { data, repos, out, only: 'localize', standIn: 'lexical', arms: 'findings', ...more };
    await expect(evalCommand(flags)).rejects.toThrow(InputError);
    await expect(evalCommand(flags)).rejects.toThrow(said.replace('--stand-in ', '--stand-in: '));
    expect(existsSync(out)).toBe(false);
  });
});

describe('fathom eval with a model', () => {
  let model: ChatServer;
  let script: (request: ServedRequest) => ServedAnswer | Promise<ServedAnswer>;
  beforeAll(async () => {
    model = await startChatServer((request) => script(request));
  });
  afterAll(() => model.close());
  const variables = () => ({
    ...{ OPENAI_API_KEY: 'test', OPENAI_BASE_URL: model.url, FATHOM_MODEL: 'm' },
    ...{ FATHOM_PRICE_INPUT: '10', FATHOM_PRICE_OUTPUT: '10' },
  });
  const place = { path: 'dates/calendar.py', startLine: 1, endLine: 2 };
  const fields = ['locationExplanation', 'rootCause', 'solutionIdea', 'dependencies', 'testingImpact'];
  const finding = { ...Object.fromEntries(fields.map((field) => [field, 'text'])), locations: [place] };
  const submits = (): ServedAnswer => ({
    toolCalls: [{ name: 'submit_findings', arguments: { findings: [finding] } }],
  });

  it(
    'stops before its money is passed, keeps what was done, and goes on with more money',
    async () => {
      script = submits;
      const { args, folder, out } = evaluation();
      const localize = ['--only', 'localize', '--arms', 'findings', '--run-budget', '2', '--parallel', '1'];
      const poor = await runFathom([...args, ...localize, '--budget', '2'], folder, variables());
      expect(poor.stderr).toContain('what is left of --budget is less than one run may cost');
      expect(poor.code).toBe(1);
      expect(outcomesIn(out)).toHaveLength(1);
      const rich = await runFathom([...args, ...localize, '--budget', '10'], folder, variables());
      expect(rich.code).toBe(0);
      expect(outcomesIn(out)).toHaveLength(2);
    },
    SLOW,
  );

  it(
    'stops at once where the key is refused, and counts no failure',
    async () => {
      script = () => ({ status: 401, json: { error: { message: 'Incorrect API key', code: 'invalid_api_key' } } });
      const { args, folder, out } = evaluation();
      const localize = ['--only', 'localize', '--arms', 'findings', '--parallel', '1'];
      const refused = await runFathom([...args, ...localize], folder, variables());
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain('0 runs measured');
      expect(outcomesIn(out)).toEqual([]);
      script = submits;
      expect((await runFathom([...args, ...localize], folder, variables())).code).toBe(0);
      expect(outcomesIn(out)).toHaveLength(2);
    },
    SLOW,
  );

  it(
    'does not let two processes work in one folder',
    async () => {
      const gate = Promise.withResolvers<void>();
      script = async () => {
        await gate.promise;
        return submits();
      };
      const { args, folder } = evaluation();
      const localize = ['--only', 'localize', '--arms', 'findings', '--limit', '1'];
      const before = model.requests.length;
      const first = startFathom([...args, ...localize], folder, variables());
      await expect.poll(() => model.requests.length, { timeout: 30_000 }).toBeGreaterThan(before);
      const second = await runFathom([...args, ...localize], folder, variables());
      expect(second.code).toBe(2);
      expect(second.stderr).toContain('is working on this run');
      gate.resolve();
      expect((await first.done).code).toBe(0);
    },
    SLOW,
  );

  it(
    'gives a masked issue to the model in the masked arm and in no other',
    async () => {
      script = submits;
      const { args, folder } = evaluation();
      const before = model.requests.length;
      const localize = ['--only', 'localize', '--arms', 'findings,masked', '--instances', 'acme__dates-2'];
      await runFathom([...args, ...localize], folder, variables());
      const issues = model.requests.slice(before).map((request) => request.text.includes('in dates/calendar.py'));
      expect(issues.filter(Boolean)).toHaveLength(issues.length / 2);
      expect(model.requests.slice(before).some((request) => request.text.includes('in [PATH]'))).toBe(true);
    },
    SLOW,
  );
});

it(
  'a page never lets an issue, a model or a repository speak HTML',
  async () => {
    const { args, folder, out, instances, writeData } = evaluation();
    const evil = '<script>alert(1)</script><img src="https://evil.example/x"> " onload="x';
    writeData({ ...instances[0], problem_statement: `${evil}\nis_leap ${evil}` });
    await runFathom([...args, ...LOCALIZE, '--arms', 'findings'], folder);
    const page = readFileSync(join(out, 'report.html'), 'utf8');
    expect(page).toContain('&lt;script&gt;alert(1)');
    expect(page).not.toMatch(/<script>alert|<img|src="http|url\(http|<link/);
  },
  SLOW,
);

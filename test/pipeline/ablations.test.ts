import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ablated, readAblations } from '#src/domain/ablations.ts';
import { defaultRunSettings } from '#src/domain/default-settings.ts';
import type { ActionProtocol, RunSettings } from '#src/domain/settings.ts';
import { callingTool } from '../fakes/scripted-model.ts';
import { spokenIn } from '../fakes/text-protocol.ts';
import { COMMIT, repository } from '../git/repositories.ts';
import { answering, carefulModel, finding, locating, looking, toldTo } from './careful-model.ts';
import { diagnosing } from './run-fixture.ts';

const ends: (() => void)[] = [];
let clone = '';
beforeAll(() => {
  clone = repository(`mkdir src; printf 'def total(x):\\n    return abs(x)\\n' > src/ledger.py${COMMIT}`, (end) =>
    ends.push(end),
  );
});
afterAll(() => {
  for (const end of ends) end();
});

const found = () => locating(finding('src/ledger.py', 2, 2));
const title = 'The total of a ledger is wrong';

/** The settings of `--ablate`. */
const without = (names: string) =>
  ablated(defaultRunSettings('test-model'), readAblations(names, '--ablate').ablations);

/** All that a model is told before it has done anything: its texts and the tools that it is offered. */
const offered = ({ requests }: ReturnType<typeof carefulModel>, role: string): string => {
  const first = requests.find((request) => request.role === role);
  return JSON.stringify([first?.messages, first?.tools]);
};

async function withSettings(settings: Partial<RunSettings>, script: Parameters<typeof carefulModel>[0] = {}) {
  const model = carefulModel({ locate: found, ...script });
  const result = await diagnosing(clone, model, { title, settings });
  expect(result.end).toEqual({ kind: 'diagnosed' });
  return { ...result, model, agents: [...new Set(model.requests.map((request) => request.agent))].sort() };
}

describe('a diagnosis without a part', () => {
  it('without questions has findings only, and asks nobody else', async () => {
    const { agents, diagnosis } = await withSettings({ questions: 0 });
    expect(agents).toEqual(['localizer']);
    expect(diagnosis?.findings).toHaveLength(1);
    expect(diagnosis?.notes).toEqual([]);
  });

  it('without findings has knowledge only', async () => {
    const { agents, diagnosis } = await withSettings({ findings: false });
    expect(agents).toEqual(['answerer-Q1', 'answerer-Q2', 'questioner']);
    expect(diagnosis?.findings).toEqual([]);
    expect(diagnosis?.knowledge).toHaveLength(2);
  });

  it('with a proposal asks no Questioner, has one Answerer write it, and misses nothing', async () => {
    const { agents, model, diagnosis } = await withSettings({ asking: 'proposal', findings: false });
    expect(agents).toEqual(['answerer-Q1']);
    expect(toldTo(model, 'answerer')).toContain('You write a proposal');
    expect(diagnosis?.notes).toEqual([]);
  });

  it('without categories asks freely', async () => {
    const { model } = await withSettings({ asking: 'free' });
    expect(toldTo(model, 'questioner')).not.toContain('Ecosystem & Standards');
  });

  it('without the hint does not open the folders of such files to the Questioner either', async () => {
    const many = `for d in $(seq 40); do mkdir part$d; for n in $(seq 12); do seq 60 > part$d/a_module_of_part_$n.py; done; done`;
    const file = `mkdir small; for n in $(seq 11); do echo > small/a_module_of_small_$n.py; done; printf 'def ledger_total(x):\\n    return abs(x)\\n' > small/ledger_total.py`;
    const wide = repository(`${many}; ${file}${COMMIT}`, (end) => ends.push(end));
    const heard = async (hint: boolean) => {
      const model = carefulModel({ locate: found });
      await diagnosing(wide, model, { title: 'ledger_total is wrong', settings: { hint } });
      return toldTo(model, 'questioner');
    };
    expect(await heard(true)).toContain('ledger_total.py');
    expect(await heard(false)).not.toContain('ledger_total.py');
  });

  it('without the hint does not tell the Localizer which files resemble the issue', async () => {
    const heard = async (hint: boolean) => toldTo((await withSettings({ hint, questions: 0 })).model, 'localizer');
    expect(await heard(true)).toContain('Files that share rare words with the issue');
    expect(await heard(false)).not.toContain('Files that share rare words with the issue');
  });

  it.each(['view_file', 'codebase_search', 'repo_tree', 'connected_tree'] as const)(
    'without %s goes on when the model still calls it',
    async (left) => {
      const others = ['view_file', 'codebase_search', 'repo_tree', 'connected_tree'].filter((name) => name !== left);
      const locate = ({ step }: { step: number }) => (step === 1 ? looking() : found());
      const { model, diagnosis } = await withSettings(without(`no-questions,no-${left}`), { locate });
      expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual([...others, 'submit_findings']);
      expect(offered(model, 'localizer')).not.toContain(left);
      expect(toldTo(model, 'localizer')).toContain('There is no tool of that name');
      expect(diagnosis?.findings).toHaveLength(1);
    },
  );
});

describe('an Answerer without its shell', () => {
  const cited = { kind: 'repository', path: 'src/ledger.py', symbol: 'total', startLine: 1, endLine: 2 };

  it.each(['no-findings,no-shell', 'proposal,no-findings,no-shell'])(
    'is offered none and told of none (%s), and what it cites from memory is checked',
    async (names) => {
      const answer = ({ step }: { step: number }) =>
        step === 1 ? callingTool('shell', { command: 'ls' }) : answering('It is `total`.', [cited]);
      const { model, diagnosis } = await withSettings(without(names), { answer });
      expect(offered(model, 'answerer')).not.toMatch(/shell/i);
      expect(toldTo(model, 'answerer')).toContain('There is no tool of that name');
      expect(diagnosis?.knowledge[0]?.checked[0]?.verdict).toBe('confirmed');
    },
  );
});

describe('a model without native calls', () => {
  it('comes to the same diagnosis', async () => {
    const cited = { kind: 'repository', path: 'src/ledger.py', symbol: 'total', startLine: 1, endLine: 2 };
    const from = async (protocol: ActionProtocol) => {
      const model = carefulModel({
        answer: ({ step }) =>
          spokenIn(
            protocol,
            step === 1 ? callingTool('shell', { command: 'ls' }) : answering('It is `total`.', [cited]),
          ),
        locate: ({ step }) => spokenIn(protocol, step === 1 ? looking() : found()),
      });
      const { end, diagnosis } = await diagnosing(clone, model, { title, settings: { protocol } });
      expect(end).toEqual({ kind: 'diagnosed' });
      return diagnosis;
    };
    const native = await from('native');
    expect(native?.knowledge[0]?.checked[0]?.verdict).toBe('confirmed');
    expect(await from('text')).toEqual(native);
  });
});

describe('the full Verifier', () => {
  const ratings = { root_cause: 4, location: 4, actionability: 5, overall: 4, agreement: 'medium', supporting: [1, 2] };

  it('compares with five further Localizers, each on its own, and counts those that named nothing', async () => {
    const { agents, model, diagnosis } = await withSettings(
      { questions: 0, verifier: 'full' },
      { verify: () => ({ text: JSON.stringify(ratings) }) },
    );
    const further = [2, 3, 4, 5, 6].map((number) => `localizer-${number}`);
    expect(agents).toEqual(['localizer', ...further, 'verifier']);
    expect(toldTo(model, 'verifier')).toContain('# Attempt 5');
    expect(diagnosis?.verification).toMatchObject({ mode: 'full', agreement: 'medium', supporting: [1, 2] });
  });
});

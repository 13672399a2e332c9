import { rmSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createDockerHost } from '#src/sandbox/create-docker-host.ts';
import { callingTool } from '../fakes/scripted-model.ts';
import { COMMIT, repository, shell } from '../git/repositories.ts';
import { answering, asking, carefulModel, finding, locating, looking, question, toldTo } from './careful-model.ts';
import { diagnosing } from './run-fixture.ts';

const host = createDockerHost({});
const title = 'The total of a ledger is wrong';
const one = () => asking(question('How does `total` in the ledger module treat the sign of an entry?'));

describe('a diagnosis in real containers', () => {
  it('tells an Answerer what it has to work with, and holds what it cites against the container', async () => {
    const clone = repository(`mkdir src; printf 'def total(x):\\n    return abs(x)\\n' > src/ledger.py${COMMIT}`);
    const command =
      'cd src && python3 -c "import ledger; print(\'total is\', ledger.total(-2))"; touch x; echo "code $?"';
    const citations = [
      { kind: 'repository', path: 'src/ledger.py', symbol: 'total', startLine: 2, endLine: 2 },
      { kind: 'observation', command: 'touch x', output: "touch: cannot touch 'x': Read-only file system" },
      { kind: 'observation', command: "import ledger; print('total is', ledger.total(-2))", output: 'total is 2' },
      { kind: 'dependency', package: 'pytest', version: '0.1', path: '_pytest/main.py', symbol: 'Session' },
      { kind: 'dependency', package: 'python', path: 'json/decoder.py', symbol: 'JSONDecoder', startLine: 1 },
      { kind: 'dependency', package: 'left-pad', path: '/tmp/made-up.js' },
    ];
    const model = carefulModel({
      questions: one,
      answer: ({ step }) =>
        step === 1
          ? callingTool('shell', { command: `echo x > /tmp/made-up.js; ${command}` })
          : answering('It loses it (`src/ledger.py:2`).', citations),
    });
    const { diagnosis, end } = await diagnosing(clone, model, { title, sandboxes: host, settings: { questions: 1 } });
    expect(end).toEqual({ kind: 'diagnosed' });
    const told = toldTo(model, 'answerer');
    expect(told).toMatch(/Programs: Python 3\.\d+/);
    expect(told).toContain('Python: `python3`; there is no `python`.');
    expect(told).toContain('Set-up: none was found in the repository');
    const checked = diagnosis?.knowledge[0]?.checked ?? [];
    expect(checked.map((each) => each.verdict)).toEqual([
      'confirmed',
      'confirmed',
      'confirmed',
      'corrected',
      'confirmed',
      'struck',
    ]);
    expect(checked[3]).toMatchObject({
      citation: { path: '_pytest/main.py' },
      note: expect.stringMatching(/^the installed version is /),
    });
    expect(checked[5]?.note).toBe('it is a file that the agent itself could write');
  });

  it('of 50,000 files shows a tree within bounds, and ends', async () => {
    const clone = repository('', () => undefined);
    onTestFinished(() => rmSync(clone, { recursive: true, force: true }), 300_000);
    shell(clone, `${manyFiles(50_000)} | git fast-import --quiet && git reset -q --hard`);
    const model = carefulModel({
      questions: one,
      locate: ({ step }) => (step === 1 ? looking() : locating(finding('d499/f49999.py', 1, 1))),
    });
    const { end, diagnosis } = await diagnosing(clone, model, { title, sandboxes: host, settings: { questions: 1 } });
    expect(end).toEqual({ kind: 'diagnosed' });
    expect(diagnosis?.findings[0]?.checked[0]?.verdict).toBe('confirmed');
    expect(toldTo(model, 'localizer').length).toBeLessThan(120_000);
  }, 600_000);
});

/** A script that prints what `git fast-import` reads: one commit of so many files of one line, a hundred in a folder. */
const manyFiles = (count: number): string => `awk 'BEGIN {
  print "blob\\nmark :1\\ndata 10\\ntotal = 1\\n"
  print "commit refs/heads/main\\ncommitter a <a@example.org> 0 +0000\\ndata 1\\nm"
  for (i = 0; i < ${count}; i++) printf "M 100644 :1 d%d/f%d.py\\n", i / 100, i
  print ""
}'`;

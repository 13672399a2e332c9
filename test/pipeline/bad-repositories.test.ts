import { describe, expect, it } from 'vitest';
import { callingTool } from '../fakes/scripted-model.ts';
import { COMMIT, repository } from '../git/repositories.ts';
import { abstaining, answering, carefulModel, finding, locating, looking, toldTo } from './careful-model.ts';
import { diagnosing } from './run-fixture.ts';

const title = 'The total of a ledger is wrong';
const hint = { title, body: 'See `total`.' };

describe('a diagnosis of a repository', () => {
  it('that is empty says that there is nothing to name', async () => {
    const model = carefulModel({ locate: ({ step }) => (step === 1 ? looking() : abstaining('There is no code.')) });
    const { end, markdown } = await diagnosing(repository(COMMIT), model, hint);
    expect(end).toEqual({ kind: 'diagnosed' });
    expect(markdown).toContain('There is no code.');
  });

  it('with a file of 40 MB never shows it, and links none of its lines', async () => {
    const clone = repository(`yes total | head -c 41943040 > dump.sql; echo 'total = 1' > a.py${COMMIT}`);
    const model = carefulModel({
      locate: ({ step }) => (step === 1 ? looking() : locating(finding('dump.sql', 1, 2), finding('a.py', 1, 1))),
    });
    const { diagnosis, markdown } = await diagnosing(clone, model, hint);
    expect(diagnosis?.findings.map((one) => one.checked[0]?.verdict)).toEqual(['struck', 'confirmed']);
    expect(markdown).not.toContain('example.org/dump.sql');
    expect(toldTo(model, 'localizer').length).toBeLessThan(120_000);
  });

  it('in no known language still finds text and checks lines', async () => {
    const clone = repository(`printf 'RULE total\\n  SUM ALL\\n' > rules.zzq; printf 'x' > notes${COMMIT}`);
    const model = carefulModel({
      locate: ({ step }) => (step === 1 ? looking() : locating(finding('rules.zzq', 1, 2))),
    });
    const { diagnosis } = await diagnosing(clone, model, hint);
    expect(diagnosis?.findings[0]?.checked[0]?.verdict).toBe('confirmed');
    expect(toldTo(model, 'localizer')).toContain('SUM ALL');
  });

  it('with broken encodings and names that are no UTF-8 is read as far as it can be', async () => {
    const clone = repository(
      `printf 'caf\\351 = total\\n' > latin.py; printf '\\377\\376t\\000o\\000' > wide.py; printf 'a = "\\300\\257"\\ntotal = a\\n' > bad.py
printf 'x = total\\n' > $'n\\351.py'${COMMIT}`,
    );
    const model = carefulModel({
      locate: ({ step }) => (step === 1 ? looking() : locating(finding('latin.py', 1, 1), finding('bad.py', 2, 2))),
    });
    const { end, diagnosis } = await diagnosing(clone, model, hint);
    expect(end.kind).toBe('diagnosed');
    expect(diagnosis?.findings.map((one) => one.checked[0]?.verdict)).toEqual(['confirmed', 'confirmed']);
  });

  it('whose modules import each other in a circle shows both directions', async () => {
    const clone = repository(
      `mkdir src; echo 'from src import ledger' > src/a.py; echo 'from src import a' > src/ledger.py; touch src/__init__.py${COMMIT}`,
    );
    const both = callingTool('connected_tree', { path: 'src/a.py' });
    const model = carefulModel({ locate: ({ step }) => (step === 1 ? both : abstaining('Nothing.')) });
    const { end } = await diagnosing(clone, model, hint);
    expect(end.kind).toBe('diagnosed');
    const told = toldTo(model, 'localizer');
    expect(told).toMatch(/\nimports \(\d\):(?:\n {2}\S+)*\n {2}src\/ledger\.py\n/);
    expect(told).toMatch(/\nimported by \(1\):\n {2}src\/ledger\.py\n/);
  });

  it('with a bundle of megabytes in one line shows the place of a hit and little else, and confirms it', async () => {
    const clone = repository(
      `mkdir src; { yes 'function f(){return 1}' | head -c 3000000 | tr -d '\\n'; echo 'function total(){}'; } > src/app.js${COMMIT}`,
    );
    const model = carefulModel({
      locate: ({ step }) => (step === 1 ? looking() : locating(finding('src/app.js', 1, 1))),
    });
    const { end, diagnosis, markdown } = await diagnosing(clone, model, hint);
    expect(end.kind).toBe('diagnosed');
    expect(diagnosis?.findings[0]?.checked[0]?.verdict).toBe('confirmed');
    expect(toldTo(model, 'localizer')).toContain('src/app.js');
    expect(toldTo(model, 'localizer').length).toBeLessThan(60_000);
    expect(markdown.length).toBeLessThan(60_000);
  });

  it('with no commit at all says what is missing before any model is asked', async () => {
    const clone = repository('true');
    const model = carefulModel();
    const { end } = await diagnosing(clone, model, hint);
    expect(end).toMatchObject({ kind: 'failed', code: 'input' });
    expect(model.requests).toEqual([]);
  });

  it('with generated code and links out of the tree links nothing outside', async () => {
    const clone = repository(
      `mkdir gen; seq 1 60000 | sed 's/.*/def total&(): pass/' > gen/all.py; ln -s /etc/passwd passwd; ln -s / root; ln -s loop loop${COMMIT}`,
    );
    const outside = { kind: 'repository', path: 'passwd', startLine: 1, endLine: 1 };
    const model = carefulModel({
      answer: () => answering('It is in `root/etc/passwd:1`.', [outside]),
      locate: ({ step }) => (step === 1 ? looking() : locating(finding('gen/all.py', 59_999, 59_999))),
    });
    const { diagnosis, markdown } = await diagnosing(clone, model, hint);
    expect(diagnosis?.knowledge[0]?.checked.map((one) => one.verdict)).toEqual(['struck', 'struck']);
    expect(diagnosis?.findings[0]?.checked[0]?.verdict).toBe('confirmed');
    expect(markdown).not.toContain('example.org/passwd');
    expect(toldTo(model, 'localizer')).not.toContain('root:x:0');
    expect(toldTo(model, 'localizer').length).toBeLessThan(120_000);
  });
});

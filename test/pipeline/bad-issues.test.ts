import { getEventListeners } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import { COMMIT, never, repository } from '../git/repositories.ts';
import {
  abstaining,
  answering,
  asking,
  carefulModel,
  finding,
  locating,
  looking,
  question,
  toldTo,
} from './careful-model.ts';
import { type DiagnoseOptions, diagnosing } from './run-fixture.ts';

const LEDGER = `mkdir src
cat > src/ledger.py <<'PY'
def total(entries):
    result = 0
    for entry in entries:
        result += abs(entry)
    return result
PY`;

const ends: (() => void)[] = [];
let clone = '';

beforeAll(() => {
  clone = repository(`${LEDGER}${COMMIT}`, (clean) => ends.push(clean));
  return () => {
    for (const clean of ends) clean();
  };
});

const diagnosed = (model: ReturnType<typeof carefulModel>, options: DiagnoseOptions) =>
  diagnosing(clone, model, options);

describe('a diagnosis of an issue', () => {
  it('leaves nothing hanging on the signal that may stop it: hundreds of runs share one', async () => {
    const listeners = () => getEventListeners(never, 'abort').length;
    const before = listeners();
    await diagnosed(carefulModel(), { title: 'It is wrong' });
    expect(listeners()).toBe(before);
  });

  it('of one line says that there is no more, and why nothing is named', async () => {
    const model = carefulModel();
    const { end, markdown } = await diagnosed(model, { title: 'totals broken' });
    expect(end).toEqual({ kind: 'diagnosed' });
    expect(toldTo(model, 'localizer')).toContain('(The issue has no text beyond its title.)');
    expect(markdown).toContain('**No fault is named.**');
    expect(markdown).toContain('Nothing points to a place.');
  });

  it('of 60,000 characters reads its beginning and its end, once, and no prompt grows beyond bounds', async () => {
    const model = carefulModel();
    const body = `FIRST words\n\n${'some log line with total in it\n'.repeat(2_000)}\nLAST words`;
    const { end, markdown } = await diagnosed(model, { title: 'A long log', body });
    expect(end.kind).toBe('diagnosed');
    for (const role of ['questioner', 'localizer', 'answerer'] as const) {
      const [first] = model.requests.filter((request) => request.role === role);
      const text = first?.messages.map((message) => message.text).join('\n') ?? '';
      expect(text).toContain('FIRST words');
      expect(text).toContain('LAST words');
      expect(text.split('# A long log')).toHaveLength(2);
      expect(text.split('A long log')).toHaveLength(2);
      expect(text.length).toBeLessThan(90_000);
    }
    expect(markdown.length).toBeLessThan(60_000);
  });

  it.each([
    ['letters', 'QUJD'.repeat(15_000)],
    ['Korean', '합계가틀립니다'.repeat(8_600)],
    ['brackets', '[('.repeat(30_000)],
    ['quotes and marks', '> *`_'.repeat(12_000)],
  ])('of 60,000 characters in one line of %s ends with an honest diagnosis', async (_, body) => {
    const model = carefulModel();
    const { end, markdown } = await diagnosed(model, { title: 'totals broken', body });
    expect(end).toEqual({ kind: 'diagnosed' });
    expect(markdown).toContain('**No fault is named.**');
    const longest = Math.max(...model.requests.map((request) => JSON.stringify(request.messages).length));
    expect(longest).toBeLessThan(200_000);
  });

  it('in Korean is asked about in Korean, without a correction of questions that differ', async () => {
    const model = carefulModel({
      questions: () =>
        asking(
          question('`total` 함수는 음수 항목을 어떤 순서로 합산하며 부호는 어디에서 사라지는가?'),
          question('원장 모듈에서 `abs` 호출에 의존하는 다른 코드는 어디에 있는가?', 'Locating & Structure'),
        ),
    });
    const { end, markdown } = await diagnosed(model, { title: '합계가 틀립니다', body: '음수 항목이 더해집니다.' });
    expect(end.kind).toBe('diagnosed');
    expect(model.requests.filter((request) => request.role === 'questioner')).toHaveLength(1);
    expect(toldTo(model, 'answerer')).toContain('음수 항목이 더해집니다.');
    expect(markdown).toContain('함수는 음수 항목을');
  });

  it('that is only a screenshot tells the agents that there is a picture, loads nothing, and says what is needed', async () => {
    const model = carefulModel({
      locate: () => abstaining('The picture cannot be read; the text of the error is needed.'),
    });
    const body = '![Screenshot 2026](https://user-images.example.org/1.png)';
    const { end, markdown } = await diagnosed(model, { title: '.', body });
    expect(end.kind).toBe('diagnosed');
    expect(toldTo(model, 'localizer')).toContain('[image]');
    expect(markdown).toContain('the text of the error is needed');
    expect(markdown).not.toContain('<img');
    expect(markdown).not.toContain('![');
  });

  it('that asks for a feature names where it goes', async () => {
    const model = carefulModel({ locate: () => locating(finding('src/ledger.py', 1, 2)) });
    const { diagnosis } = await diagnosed(model, { title: 'Add `total(entries, signed=True)`', body: 'Please.' });
    expect(diagnosis?.findings[0]?.checked[0]?.verdict).toBe('confirmed');
  });

  it('that is a question may be answered without a finding', async () => {
    const cited = { kind: 'repository', path: 'src/ledger.py', symbol: 'total', startLine: 4, endLine: 4 };
    const model = carefulModel({
      answer: () => answering('It adds absolute values (`src/ledger.py:4`).', [cited]),
      locate: () => abstaining('It asks how totals work; nothing is reported as wrong.'),
    });
    const { diagnosis, markdown } = await diagnosed(model, { title: 'How are totals computed?' });
    expect(diagnosis?.knowledge[0]?.checked[0]?.verdict).toBe('confirmed');
    expect(markdown).toContain('It asks how totals work');
    expect(markdown).toContain('(1 of 1 citation checked)');
  });

  it('that is spam asks nothing, starts no Answerer and says so', async () => {
    const model = carefulModel({ questions: () => ({ text: '[]' }), locate: () => abstaining('It is advertising.') });
    const body = 'BUY NOW @everyone https://spam.example.org\n'.repeat(50);
    const { end, markdown, events } = await diagnosed(model, { title: 'CHEAP!!!', body });
    expect(end.kind).toBe('diagnosed');
    expect(events.some((event) => event.type === 'agent-started' && event.role === 'answerer')).toBe(false);
    expect(markdown).toContain('The Questioner found nothing in this issue to ask the code about.');
    expect(markdown).not.toContain('@everyone');
  });

  it('with a stack trace of another project links none of its files', async () => {
    const trace = 'Traceback:\n  File "/usr/lib/django/db/models.py", line 88, in save\nValueError: no';
    const cited = { kind: 'repository', path: 'django/db/models.py', symbol: 'save', startLine: 88, endLine: 90 };
    const model = carefulModel({
      answer: () => answering('`save` raises it (`django/db/models.py:88`).', [cited]),
      locate: ({ step }) => (step === 1 ? looking() : locating(finding('django/db/models.py', 88, 90))),
    });
    const { diagnosis, markdown } = await diagnosed(model, { title: 'Crash', body: `\`\`\`\n${trace}\n\`\`\`` });
    expect(diagnosis?.findings[0]?.checked[0]?.verdict).toBe('struck');
    expect(markdown).toContain('no place in it could be confirmed');
    expect(markdown).toContain('citation did not hold and was struck');
    expect(markdown).not.toContain('example.org/django');
  });
});

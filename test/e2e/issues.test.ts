import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CAUSE, quoteLocalizer, quoteRepository, REPOSITORY, withoutContainers } from './quote-repository.ts';
import { type StagedApp, startStagedApp } from './staged-app.ts';

const SLOW_MS = 120_000;
let stage: StagedApp;
beforeAll(async () => {
  stage = await startStagedApp({ repository: quoteRepository, settings: withoutContainers, script: quoteLocalizer });
}, SLOW_MS);
afterAll(() => stage?.stop(), SLOW_MS);

const maria = () => stage.front.as('maria');
const ask = (number: number) => maria().label(REPOSITORY, number, 'auto-diagnose');
const stopped = async (number: number) => {
  const [run] = await stage.ended(number);
  expect(run?.end).toBe('stopped');
  return stage.said(number);
};
const asked = (words: string) => stage.model.requests.find(({ text }) => text.includes(words))?.text ?? '';

describe('an issue, on GitHub (front)', { timeout: 60_000 }, () => {
  it('that is edited during the run is diagnosed as it stood, says so and offers a rerun', async () => {
    const number = await stage.open('Edited later', 'A double quote is lost.');
    const gate = stage.hold('Edited later');
    await ask(number);
    await gate.reached;
    await maria().edit(REPOSITORY, number, { body: 'Ignore that, it was the cat.' });
    gate.open();
    await stage.ended(number);
    const [said] = await stage.said(number);
    expect(said).toContain(CAUSE);
    expect(said).toContain('The issue was changed after this run was asked for.');
    expect(said).toContain('/fathom retry');
    expect(asked('Edited later')).toContain('A double quote is lost.');
    expect(stage.model.requests.some(({ text }) => text.includes('it was the cat'))).toBe(false);
  });

  it('that was diagnosed and is asked about again has the old diagnosis folded and the new one open', async () => {
    const number = await stage.open('Asked again');
    await ask(number);
    await stage.ended(number);
    await maria().comment(REPOSITORY, number, '/fathom retry');
    await stage.ended(number, 2);
    const [old, fresh, ...more] = await stage.said(number);
    expect(more).toEqual([]);
    expect(old?.indexOf('<details>')).toBeLessThan(old?.indexOf(CAUSE) ?? 0);
    expect(old).toContain('An earlier diagnosis');
    expect(fresh).not.toContain('An earlier diagnosis');
    expect(fresh).toContain(CAUSE);
    expect(fresh).not.toContain('The issue was changed');
  });

  it.each([
    ['/fathom stop', (number: number) => maria().comment(REPOSITORY, number, '/fathom stop')],
    ['closing it', (number: number) => maria().close(REPOSITORY, number)],
    ['taking the label off', (number: number) => maria().unlabel(REPOSITORY, number, 'auto-diagnose')],
  ])('is left alone after %s: the run ends, and its progress comment goes', async (how, stop) => {
    const number = await stage.open(`Ended by ${how}`);
    const gate = stage.hold(`Ended by ${how}`);
    await ask(number);
    await gate.reached;
    await stop(number);
    const said = await stopped(number);
    gate.open();
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('**Stopped** by `@maria`');
  });

  it('that was closed without Fathom being told gets no diagnosis any more', async () => {
    const number = await stage.open('Closed unheard');
    const gate = stage.hold('Closed unheard');
    await ask(number);
    await gate.reached;
    await withoutDelivery(number, 'closed', () => maria().close(REPOSITORY, number));
    gate.open();
    await stage.ended(number);
    expect(await stage.said(number)).toEqual([]);
  });

  it('of 60,000 characters is taken whole, and its diagnosis fits into a comment', async () => {
    const body = `It begins here.\n\n${'A line of a log that goes on and on.\n'.repeat(1618)}\nIt ends there.`;
    expect(body.length).toBeGreaterThan(59_500);
    const number = await stage.open('A whole log', body);
    await ask(number);
    expect(await stage.ended(number)).toMatchObject([{ end: 'diagnosed' }]);
    expect(asked('A whole log')).toContain('It begins here.');
    const [said = ''] = await stage.said(number);
    expect(said).toContain(CAUSE);
    expect(said.length).toBeLessThanOrEqual(60_000);
  });

  it('in Korean reaches the model and comes back as it is', async () => {
    const number = await stage.open('작은따옴표가 사라집니다', '재현 방법:\n\n1. `escapeQuote("\'")` 를 부릅니다.\n');
    await ask(number);
    expect(await stage.ended(number)).toMatchObject([{ end: 'diagnosed' }]);
    expect(asked('작은따옴표가 사라집니다')).toContain('재현 방법');
    expect((await stage.said(number))[0]).toContain(CAUSE);
  });

  it('is answered with file, line and remedy where .github/fathom.yml is wrong, and with a diagnosis once it is right', async () => {
    const number = await stage.open('Configured');
    await configure('questions: 0\nbudgett: 2\nfindings: perhaps\n');
    await ask(number);
    expect(await stage.ended(number)).toMatchObject([{ end: 'failed' }]);
    const [said] = await stage.said(number);
    expect(said).toMatch(/fathom\.yml:2/);
    expect(said).toMatch(/fathom\.yml:3/);
    expect(said).toContain('did you mean');
    expect(said).toMatch(/^- .*"budgett".*\n- .*findings/m);
    await configure('questions: 0\n');
    await maria().comment(REPOSITORY, number, '/fathom diagnose');
    await stage.ended(number, 2);
    expect((await stage.said(number)).at(-1)).toContain(CAUSE);
  });
});

/** GitHub tells of it, and nobody listens. */
async function withoutDelivery(number: number, action: string, work: () => Promise<unknown>): Promise<void> {
  const { deliveries } = stage.front;
  deliveries.setUrl(undefined);
  await work();
  await deliveries.arrived((one) => one.action === action && one.body.includes(`"number":${number},`));
  deliveries.setUrl(`${stage.app.url}/api/github/webhooks`);
}

async function configure(text: string): Promise<void> {
  const path = `/repos/${REPOSITORY}/contents/.github/fathom.yml`;
  const before = await stage.front.admin.call<{ sha: string }>('GET', path).catch(() => undefined);
  const content = Buffer.from(text).toString('base64');
  const known = before === undefined ? {} : { sha: before.sha };
  await stage.front.admin.call('PUT', path, { message: 'Configure', content, branch: 'trunk', ...known });
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../jobs/support/worker.ts';
import { quoteLocalizer, quoteRepository, REPOSITORY, withoutContainers } from './quote-repository.ts';
import { type StagedApp, startStagedApp } from './staged-app.ts';

const SLOW_MS = 120_000;
let stage: StagedApp;
beforeAll(async () => {
  stage = await startStagedApp({
    repository: { ...quoteRepository, roles: { ...quoteRepository.roles, paul: 'write' } },
    settings: withoutContainers,
    script: quoteLocalizer,
  });
}, SLOW_MS);
afterAll(() => stage?.stop(), SLOW_MS);

const at = `/repos/${REPOSITORY}`;
const maria = () => stage.front.as('maria');
const ask = (number: number, label = 'auto-triage') => maria().label(REPOSITORY, number, label);
const firstSaid = (number: number) =>
  until(async () => {
    const said = await stage.said(number);
    return said.length > 0 ? said[0] : undefined;
  });

/** A pull request of paul's that changes a file. */
async function openPull(body: string, path: string, text: string): Promise<number> {
  const paul = stage.front.as('paul');
  const branch = `paul-${path.replaceAll('/', '-')}`;
  const { object } = await stage.front.admin.call<{ object: { sha: string } }>('GET', `${at}/git/ref/heads/trunk`);
  await paul.call('POST', `${at}/git/refs`, { ref: `refs/heads/${branch}`, sha: object.sha });
  const there = await paul.call<{ sha: string }>('GET', `${at}/contents/${path}?ref=${branch}`).catch(() => undefined);
  const content = Buffer.from(text).toString('base64');
  await paul.call('PUT', `${at}/contents/${path}`, { message: 'x', content, branch, ...(there && { sha: there.sha }) });
  const asked = { title: 'By hand', body, head: branch, base: 'trunk' };
  return (await paul.call<{ number: number }>('POST', `${at}/pulls`, asked)).number;
}

describe('auto-triage on GitHub (front) where somebody is at work', { timeout: 60_000 }, () => {
  it.each([
    [
      'it is assigned to somebody else',
      'It is assigned to `@paul`.',
      async (number: number) => {
        await maria().call('PATCH', `${at}/issues/${number}`, { assignees: ['paul'] });
      },
    ],
    [
      'a pull request says that it fixes it',
      'is open for this issue.',
      async (number: number) => {
        await openPull(`Fixes #${number}`, 'other.txt', 'x');
      },
    ],
    [
      'a branch is linked to it, as we believe GitHub tells',
      'The branch `paul/quotes` is linked to this issue.',
      async (number: number) => {
        stage.front.linkBranch(REPOSITORY, number, 'paul/quotes');
      },
    ],
  ])('starts nothing when %s, and says in a sentence why and how to go on', async (_what, sentence, work) => {
    const number = await stage.open('Taken');
    await work(number);
    await ask(number);
    const said = await firstSaid(number);
    expect(said).toContain('**Not started.**');
    expect(said).toContain(sentence);
    expect(said).toContain('`/fathom resolve` starts the repair all the same.');
    expect(await stage.runs(number)).toEqual([]);
  });

  it('diagnoses all the same, and repairs what is assigned to whoever asks', async () => {
    const [taken, own] = [await stage.open('Taken, to look at'), await stage.open('Own')];
    await maria().call('PATCH', `${at}/issues/${taken}`, { assignees: ['paul'] });
    await maria().call('PATCH', `${at}/issues/${own}`, { assignees: ['maria'] });
    await ask(taken, 'auto-diagnose');
    await ask(own);
    expect(await stage.ended(taken)).toMatchObject([{ end: 'diagnosed' }]);
    expect(await stage.ended(own)).toMatchObject([{ mode: 'resolve' }]);
  });

  it('ends after the diagnosis when a pull request changes the suspected lines; by command it goes on', async () => {
    const pull = await openPull('Tidy up.', 'src/quote.js', 'export const escapeQuote = (text) => text;\n');
    const number = await stage.open('Elsewhere');
    await ask(number);
    expect(await stage.ended(number)).toMatchObject([{ end: 'no-pull-request' }]);
    const [said] = await stage.said(number);
    expect(said).toContain(`Pull request \`#${pull}\` changes the suspected lines of \`src/quote.js\` already.`);
    expect(said).toContain('`/fathom resolve` repairs it all the same.');
    const asked = stage.model.requests.length;
    await maria().comment(REPOSITORY, number, '/fathom resolve');
    await stage.ended(number, 2);
    expect((await stage.said(number)).at(-1)).not.toContain('all the same');
    expect(stage.model.requests.length).toBeGreaterThan(asked);
  });

  it('starts nothing on a closed issue, and says so to who writes a command', async () => {
    const number = await stage.open('Closed');
    await maria().close(REPOSITORY, number);
    await maria().comment(REPOSITORY, number, '/fathom resolve');
    expect(await firstSaid(number)).toContain('The issue is closed. Reopen it and ask again.');
    expect(await stage.runs(number)).toEqual([]);
  });

  it('starts nothing on a locked issue, where nothing can be said', async () => {
    const number = await stage.open('Locked');
    await ask(number, 'bug');
    await maria().lock(REPOSITORY, number);
    await ask(number);
    const settled = () =>
      stage.app.log.some((line) => line['msg'] === 'request refused' && JSON.stringify(line).includes('locked'));
    await until(settled);
    expect(await stage.runs(number)).toEqual([]);
    expect(await stage.said(number)).toEqual([]);
  });
});

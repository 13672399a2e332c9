import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgeOn } from '../github/forge-on-front.ts';
import { until } from '../jobs/support/worker.ts';
import { CAUSE, quoteLocalizer, quoteRepository, REPOSITORY, withoutContainers } from './quote-repository.ts';
import { type StagedApp, startStagedApp } from './staged-app.ts';

const SLOW_MS = 120_000;
let stage: StagedApp;
beforeAll(async () => {
  stage = await startStagedApp({
    repository: quoteRepository,
    users: ['mallory'],
    settings: withoutContainers,
    script: quoteLocalizer,
  });
}, SLOW_MS);
afterAll(() => stage?.stop(), SLOW_MS);

const label = (by: string, number: number, name = 'auto-diagnose') =>
  stage.front.as(by).label(REPOSITORY, number, name);
const labelled = (number: number, event = 'issues') =>
  stage.front.deliveries.arrived(
    (one) => one.event === event && one.action === 'labeled' && one.body.includes(`/${number}"`),
  );

describe('a label on an issue of a private repository with the default branch trunk, on GitHub (front)', {
  timeout: 60_000,
}, () => {
  it('becomes 👀 and a progress comment, then the diagnosis as a new comment alone', async () => {
    const number = await stage.open('First of all: quotes');
    const gate = stage.hold('First of all');
    await label('maria', number);
    await gate.reached;
    const [progress] = await until(async () => {
      const said = await stage.said(number);
      return said.length > 0 ? said : undefined;
    });
    expect(progress).not.toContain(CAUSE);
    expect(stage.front.reactions).toContainEqual(
      expect.objectContaining({ on: `/repos/${REPOSITORY}/issues/${number}`, content: 'eyes' }),
    );
    gate.open();
    expect(await stage.ended(number)).toMatchObject([{ end: 'diagnosed', actor: 'maria' }]);
    const said = await stage.said(number);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(CAUSE);
    expect(said[0]).toContain(`/${REPOSITORY}/blob/`);
  });

  it('starts nothing by a bot, by another name, on a closed issue, or on a pull request as we believe GitHub tells of it', async () => {
    const [byBot, other, closed] = [await stage.open('By a bot'), await stage.open('Bug'), await stage.open('Over')];
    const pull = await openPull();
    const bot = forgeOn(stage.front).installations.octokitFor({ owner: 'acme', repo: 'widget' });
    const labels = ['auto-diagnose'];
    await bot.rest.issues.addLabels({ owner: 'acme', repo: 'widget', issue_number: byBot, labels });
    await label('maria', other, 'bug');
    await label('maria', pull);
    await stage.front.as('maria').close(REPOSITORY, closed);
    await label('maria', closed);
    for (const number of [byBot, other, closed]) expect((await labelled(number)).statuses).toEqual([200]);
    expect((await labelled(pull, 'pull_request')).statuses).toEqual([200]);
    await afterAnother();
    for (const number of [byBot, other, closed, pull]) {
      expect(await stage.runs(number)).toEqual([]);
      expect(await stage.said(number)).toEqual([]);
    }
  });

  it('by somebody who may triage and not write starts nothing, and says what is needed', async () => {
    const number = await stage.open('By triage');
    await label('tess', number);
    const [said] = await until(async () => {
      const all = await stage.said(number);
      return all.length > 0 ? all : undefined;
    });
    expect(said).toContain('Write permission');
    expect(said).toContain('`@tess`');
    expect(await stage.runs(number)).toEqual([]);
  });

  it('delivered twice is one run, also when it comes again during the run', async () => {
    const number = await stage.open('Twice told');
    const gate = stage.hold('Twice told');
    await label('maria', number);
    const { id } = await labelled(number);
    await gate.reached;
    expect(await stage.front.deliveries.redeliver(id)).toBe(200);
    gate.open();
    await stage.ended(number);
    expect(await stage.front.deliveries.redeliver(id)).toBe(200);
    await afterAnother();
    expect(await stage.runs(number)).toHaveLength(1);
    expect(await stage.said(number)).toHaveLength(1);
  });
});

/** Runs on one repository go one after another: whatever was asked for before this one has been acted upon after it. */
async function afterAnother(): Promise<void> {
  const number = await stage.open('Another');
  await label('maria', number);
  await stage.ended(number);
}

async function openPull(): Promise<number> {
  const { admin } = stage.front;
  const at = `/repos/${REPOSITORY}`;
  const { object } = await admin.call<{ object: { sha: string } }>('GET', `${at}/git/ref/heads/trunk`);
  await admin.call('POST', `${at}/git/refs`, { ref: 'refs/heads/feature', sha: object.sha });
  await admin.call('PUT', `${at}/contents/x.txt`, { message: 'x', content: 'eA==', branch: 'feature' });
  return (await admin.call<{ number: number }>('POST', `${at}/pulls`, { title: 'x', head: 'feature', base: 'trunk' }))
    .number;
}

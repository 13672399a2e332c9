import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CAUSE, quoteLocalizer, quoteRepository, REPOSITORY, withoutContainers } from './quote-repository.ts';
import { type StagedApp, startStagedApp } from './staged-app.ts';

const SLOW_MS = 120_000;
let stage: StagedApp;
beforeAll(async () => {
  stage = await startStagedApp({ repository: quoteRepository, settings: withoutContainers, script: quoteLocalizer });
}, SLOW_MS);
afterAll(() => stage?.stop(), SLOW_MS);
afterEach(() => stage.front.faults.clear());

const ask = (number: number) => stage.front.as('maria').label(REPOSITORY, number, 'auto-diagnose');
const at = (number: number) => `/repos/${REPOSITORY}/issues/${number}`;
const anywhere = /^\/repos\//;

/** The run ends with one comment, its diagnosis. */
async function expectDiagnosis(number: number): Promise<void> {
  expect(await stage.ended(number)).toMatchObject([{ end: 'diagnosed' }]);
  const said = await stage.said(number);
  expect(said).toHaveLength(1);
  expect(said[0]).toContain(CAUSE);
}

describe('a whole run while GitHub (front), as we believe it answers,', { timeout: 60_000 }, () => {
  it('has a bad minute: reads are repeated after 500, 502 and a cut connection, and the diagnosis is there once', async () => {
    const number = await stage.open('Bad minute');
    const { faults } = stage.front;
    faults.add({ method: 'GET', path: anywhere, fault: { status: 500 }, times: 1 });
    faults.add({ method: 'GET', path: anywhere, fault: { status: 502 }, times: 1 });
    faults.add({ method: 'GET', path: `${at(number)}/comments`, fault: { drop: 'before' }, times: 1 });
    await ask(number);
    await expectDiagnosis(number);
  });

  it('announces a secondary limit: it is waited out, and the diagnosis is there once', async () => {
    const number = await stage.open('Limited');
    const message = 'You have exceeded a secondary rate limit.';
    const fault = { status: 403, headers: { 'retry-after': '1' }, body: { message } };
    stage.front.faults.add({ method: 'POST', path: `${at(number)}/comments`, fault, times: 2 });
    await ask(number);
    await expectDiagnosis(number);
  });

  it('announces a secondary limit of an hour: closing the issue ends the run all the same', async () => {
    const number = await stage.open('Limited for an hour');
    const gate = stage.hold('Limited for an hour');
    const message = 'You have exceeded a secondary rate limit.';
    const fault = { status: 403, headers: { 'retry-after': '3600' }, body: { message } };
    stage.front.faults.add({ method: 'POST', path: `${at(number)}/comments`, fault });
    await ask(number);
    await gate.reached;
    await stage.front.as('maria').close(REPOSITORY, number);
    expect(await stage.ended(number)).toMatchObject([{ end: 'stopped' }]);
    gate.open();
  });

  it('loses the answer to a comment: it is found again and not written twice', async () => {
    const number = await stage.open('Lost answer');
    const fault = { drop: 'after' as const };
    stage.front.faults.add({ method: 'POST', path: `${at(number)}/comments`, fault, times: 2 });
    await ask(number);
    await expectDiagnosis(number);
  });

  it('takes every token away in the middle: new ones are made, and the diagnosis is there once', async () => {
    const number = await stage.open('Dead token');
    const gate = stage.hold('Dead token');
    await ask(number);
    await gate.reached;
    stage.front.killInstallationTokens();
    gate.open();
    await expectDiagnosis(number);
  });

  it.each([
    [403, 'forbidden'],
    [404, undefined],
    [422, 'unprocessable'],
  ])('refuses its comments with %i: the run ends and is kept, and the log says why', async (status, failure) => {
    const number = await stage.open(`Refused ${status}`);
    const message = status === 403 ? 'Resource not accessible by integration' : 'No';
    const fault = { status, body: { message } };
    for (const method of ['POST', 'PATCH']) stage.front.faults.add({ method, path: /\/comments/, fault });
    await ask(number);
    const [run] = await stage.ended(number);
    expect(run?.end).toBe('diagnosed');
    expect(await stage.said(number)).toEqual([]);
    // A 404 is how an issue that is gone answers, and that is no failure.
    const told = stage.app.log.filter((line) => line['msg'] === 'not shown on the issue' && line['run'] === run?.id);
    const failures = new Set(told.map(({ err }) => (err as { failure: string }).failure));
    expect([...failures]).toEqual(failure === undefined ? [] : [failure]);
  });

  it('has no such issue any more: nothing is written, and the next one is diagnosed', async () => {
    const number = await stage.open('Deleted');
    const gate = stage.hold('Deleted');
    await ask(number);
    await gate.reached;
    await stage.front.deleteIssue(REPOSITORY, number, 'maria');
    gate.open();
    expect((await stage.ended(number))[0]?.end).toBe('stopped');
    const next = await stage.open('After the deleted one');
    await ask(next);
    await expectDiagnosis(next);
  });
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { leapFiles } from '../cli/leap-repository.ts';
import { roleOf, scriptedDeveloper } from '../cli/scripted-developer.ts';
import { until } from '../jobs/support/worker.ts';
import { type StagedApp, startStagedApp } from './staged-app.ts';

const REPOSITORY = 'acme/dates';
let stage: StagedApp;
beforeAll(async () => {
  stage = await startStagedApp({
    repository: {
      owner: 'acme',
      name: 'dates',
      private: true,
      content: { commits: [{ message: 'Count days', files: leapFiles }] },
      roles: { maria: 'write', rita: 'read' },
      labels: ['auto-triage', 'auto-diagnose'],
    },
    settings: { FATHOM_QUESTIONS: '2' },
    script: scriptedDeveloper,
  });
});
afterAll(() => stage?.stop());

const maria = () => stage.front.as('maria');
const asked = (role: ReturnType<typeof roleOf>) => stage.model.requests.filter((request) => roleOf(request) === role);

it('a maintainer’s /fathom answer on GitHub (front) is what the next repair knows, and its diagnosis shows it as theirs', async () => {
  const number = await stage.open('1900 has 366 days');
  await maria().label(REPOSITORY, number, 'auto-diagnose');
  await stage.ended(number);
  expect((await stage.said(number))[0]).toContain('`/fathom answer 1: …`');
  const before = { questioner: asked('questioner').length, answerer: asked('answerer').length };
  await maria().comment(
    REPOSITORY,
    number,
    '/fathom answer 2: Only `days_in_year` calls it.\n\nIts callers are generated.',
  );
  await until(() => stage.front.reactions.some(({ content }) => content === '+1'));
  expect(await stage.runs(number)).toHaveLength(1);
  await maria().comment(REPOSITORY, number, '/fathom resolve');
  expect((await stage.ended(number, 2)).map(({ end }) => end)).toContain('proposed');
  const [repair] = asked('resolver');
  expect(repair?.text).toMatch(/corrected by the maintainer maria:[\s\S]*Its callers are generated\./);
  const [, said = ''] = await stage.said(number);
  expect(said).toContain('(corrected)');
  expect(said).toMatch(/\*\*Corrected by\*\* `@maria`\.[\s\S]*Its callers are generated\./);
  expect(said).toContain('corrected by a maintainer: Q2');
  expect(said).toContain('checked');
  expect({ questioner: asked('questioner').length, answerer: asked('answerer').length }).toEqual(before);
});

it('an answer to a question that there is not is answered with how to write one', async () => {
  const number = await stage.open('Nothing to correct');
  await maria().comment(REPOSITORY, number, '/fathom answer 1: No.');
  const [said] = await until(async () => {
    const all = await stage.said(number);
    return all.length > 0 ? all : undefined;
  });
  expect(said).toContain('There is no answer to correct on this issue yet.');
});

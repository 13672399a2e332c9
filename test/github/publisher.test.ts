import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { IssueRef } from '#src/domain/ports/forge.ts';
import type { RunEvent, RunEventBody } from '#src/domain/run-events.ts';
import { nothingSpent } from '#src/domain/usage.ts';
import { createIssuePublisher } from '#src/github/publisher.ts';
import type { GitHubFront } from '../../scripts/github-front/github-front.ts';
import { startGitHubFront } from '../../scripts/github-front/start-github-front.ts';
import { forgeOn } from './forge-on-front.ts';
import { handClock } from './hand-clock.ts';

const name = 'acme/widget';
let front: GitHubFront;
let issue: IssueRef;
let clock: ReturnType<typeof handClock>;

beforeAll(async () => {
  front = await startGitHubFront({
    repositories: [
      {
        owner: 'acme',
        name: 'widget',
        private: true,
        content: { commits: [{ message: 'Start', files: { 'README.md': '# widget\n' } }] },
        roles: { rita: 'read' },
      },
    ],
  });
});
beforeEach(async () => {
  front.faults.clear();
  clock = handClock();
  const { number } = await front.as('rita').open(name, { title: 'It breaks', body: 'Like this.' });
  issue = { owner: 'acme', repo: 'widget', number };
  front.requests.length = 0;
});
afterAll(() => front.stop());

const at = (event: RunEventBody): RunEvent => ({ at: '2026-11-30T10:00:00.000Z', ...event });
const started = at({ type: 'run-started', mode: 'diagnose', title: 'It breaks' });
const note = at({ type: 'note', text: 'something' });
const reported = at({ type: 'stage-finished', stage: 'report', seconds: 1, resumed: false });
const finished = at({ type: 'run-finished', end: { kind: 'diagnosed' }, spent: nothingSpent() });

function publisherOf(run: string, result: (events: RunEvent[]) => string | undefined = () => undefined) {
  const failures: unknown[] = [];
  const log = { info: () => undefined, warn: () => undefined, error: (what: unknown) => void failures.push(what) };
  const publisher = createIssuePublisher({
    ...{ comments: forgeOn(front).forge, issue, run, clock, log },
    progress: (events) => `${events.length} things happened`,
    result: async (events) => result(events),
  });
  return { failures, flush: () => publisher.flush(), publish: (event: RunEvent) => publisher.publish(run, event) };
}
const bodies = async () =>
  (await front.admin.comments(name, issue.number)).map(({ body }) => body.split('\n').slice(1).join('\n'));
const writes = () => front.requests.filter((entry) => /^(POST|PATCH|DELETE) .*\/comments/.test(entry)).length;

describe('a run on its issue', () => {
  test('it shows 👀 and a progress comment, then the result as a new comment, and the progress comment goes', async () => {
    const publisher = publisherOf('r1', (events) => (events.includes(reported) ? 'The cause' : undefined));
    publisher.publish(started);
    await publisher.flush();
    expect(front.reactions.at(-1)).toMatchObject({ content: 'eyes' });
    expect(await bodies()).toEqual(['1 things happened']);
    publisher.publish(reported);
    await vi.waitFor(async () => expect(await bodies()).toEqual(['1 things happened', 'The cause']));
    publisher.publish(finished);
    await publisher.flush();
    expect(await bodies()).toEqual(['The cause']);
    expect(publisher.failures).toEqual([]);
  });

  test('however much happens, the progress comment is written at most every 20 seconds, with what is new by then', async () => {
    const publisher = publisherOf('r1');
    publisher.publish(started);
    await publisher.flush();
    for (let n = 0; n < 50; n += 1) publisher.publish(note);
    clock.advance(19);
    await new Promise((done) => setImmediate(done));
    expect(writes()).toBe(1);
    clock.advance(1);
    await publisher.flush();
    expect(writes()).toBe(2);
    expect(await bodies()).toEqual(['51 things happened']);
    clock.advance(100);
    await publisher.flush();
    expect(writes()).toBe(2);
  });

  test('the end does not wait for the next edit, and nothing is written after it', async () => {
    const publisher = publisherOf('r1', () => 'The end');
    publisher.publish(started);
    await publisher.flush();
    publisher.publish(note);
    publisher.publish(finished);
    await publisher.flush();
    expect(await bodies()).toEqual(['The end']);
    expect(clock.sleepers()).toBe(0);
    clock.advance(60);
    await publisher.flush();
    expect(await bodies()).toEqual(['The end']);
  });

  test('a rerun folds the earlier diagnosis away; a rerun that has nothing to say does not', async () => {
    for (const [run, text] of [
      ['r1', 'First cause'],
      ['r2', undefined],
      ['r3', 'Second cause'],
    ] as const) {
      const publisher = publisherOf(run, () => text);
      publisher.publish(finished);
      await publisher.flush();
      if (run === 'r2') expect(await bodies()).toEqual(['First cause']);
    }
    const [folded, fresh] = await bodies();
    expect(folded).toContain('<summary>An earlier diagnosis</summary>\n\nFirst cause');
    expect(fresh).toBe('Second cause');
  });

  test('a run that is resumed by a new process goes on in the same comments', async () => {
    const first = publisherOf('r1', () => 'Half');
    first.publish(started);
    first.publish(reported);
    await vi.waitFor(async () => expect(await bodies()).toHaveLength(2));
    const second = publisherOf('r1', () => 'Whole');
    second.publish(started);
    second.publish(finished);
    await second.flush();
    expect(await bodies()).toEqual(['Whole']);
  });

  test('GitHub that refuses everything does not fail the run, and the next write is tried all the same', async () => {
    const path = `/repos/acme/widget/issues/${issue.number}/comments`;
    front.faults.add({ method: 'POST', path, fault: { status: 422 }, times: 1 });
    const publisher = publisherOf('r1', () => 'The end');
    publisher.publish(started);
    await publisher.flush();
    expect(publisher.failures).toHaveLength(1);
    publisher.publish(finished);
    await publisher.flush();
    expect(await bodies()).toEqual(['The end']);
  });

  test('an end that could not be shown is known, if that passes, and another publisher shows it', async () => {
    const path = `/repos/acme/widget/issues/${issue.number}/comments`;
    front.faults.add({ method: 'GET', path, fault: { status: 503 } });
    const publisher = publisherOf('r1', () => 'The end');
    publisher.publish(started);
    await publisher.flush();
    publisher.publish(finished);
    await expect(publisher.flush()).rejects.toMatchObject({ failure: 'unreachable' });
    front.faults.clear();
    const later = publisherOf('r1', () => 'The end');
    later.publish(finished);
    await later.flush();
    expect(await bodies()).toEqual(['The end']);
  });
});

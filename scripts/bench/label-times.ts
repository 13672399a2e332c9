import { setTimeout } from 'node:timers/promises';
import type { GitHubFront } from '../github-front/github-front.ts';
import type { Measured } from './alternate.ts';

const LOOK_MS = 5;
const REPAIR_MS = 300_000;

/**
 * From the moment a label's delivery leaves to the requests that make the progress comment, the diagnosis and the pull
 * request. One round before them does not count.
 */
export async function timeLabels(
  front: GitHubFront,
  repository: string,
  rounds: number,
  kind: string,
): Promise<Measured[]> {
  const names = ['progress comment', 'diagnosis', 'pull request'];
  const measured = names.map((name): Measured => ({ name: `label to ${name}, ${kind}`, unit: 's', values: [] }));
  for (let round = 0; round <= rounds; round++) {
    const seconds = await oneLabel(front, repository);
    if (round > 0) for (const [at, one] of measured.entries()) one.values.push(seconds[at] ?? Number.NaN);
  }
  return measured.filter(({ values }) => values.length > 0);
}

async function oneLabel(front: GitHubFront, repository: string): Promise<number[]> {
  const { number } = await front.as('rita').open(repository, {
    title: '1900 has 366 days',
    body: '`days_in_year(1900)` gives 366, but 1900 was no leap year.',
  });
  const seen = front.requests.length;
  await front.as('maria').label(repository, number, 'auto-triage');
  const { deliveredAt } = await front.deliveries.arrived(
    ({ action, body }) => action === 'labeled' && body.includes(`/${number}"`),
  );
  const started = Date.parse(deliveredAt);
  const comment = `POST /repos/${repository}/issues/${number}/comments`;
  const asked = async (line: string, count: number): Promise<number> => {
    const limit = Date.now() + REPAIR_MS;
    while (front.requests.slice(seen).filter((request) => request === line).length < count) {
      if (Date.now() > limit) throw new Error(`no ${line} within ${REPAIR_MS / 1000} s`);
      await setTimeout(LOOK_MS);
    }
    return (Date.now() - started) / 1000;
  };
  const times = [await asked(comment, 1), await asked(comment, 2), await asked(`POST /repos/${repository}/pulls`, 1)];
  // The progress comment goes last: then the next label meets a worker at rest.
  while ((await front.admin.comments(repository, number)).length > 1) await setTimeout(50);
  await closePulls(front, repository);
  return times;
}

/** Beside an open pull request that changes the same lines the next label would start no repair. */
async function closePulls(front: GitHubFront, repository: string): Promise<void> {
  const open = await front.admin.call<{ number: number }[]>('GET', `/repos/${repository}/pulls`);
  for (const { number } of open)
    await front.admin.call('PATCH', `/repos/${repository}/pulls/${number}`, { state: 'closed' });
}

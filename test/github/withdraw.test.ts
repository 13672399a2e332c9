import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { IssueRef } from '#src/domain/ports/forge.ts';
import { edit, type RepairFront, startRepairFront } from './repair-front.ts';

let repair: RepairFront;
let forge: ReturnType<RepairFront['forge']>;
let issue: IssueRef;

beforeAll(async () => {
  repair = await startRepairFront();
});
beforeEach(async () => {
  repair.front.faults.clear();
  forge = repair.forge();
  issue = await repair.openIssue('widget');
});
afterAll(() => repair.front.stop());

const branch = () => `fathom/issue-${issue.number}`;
const propose = () => forge.propose(repair.proposal(issue, edit('fixed\n')), new AbortController().signal);

/** GitHub went away between the branch and the pull request. */
async function interrupted(): Promise<void> {
  repair.front.faults.add({ method: 'POST', path: '/repos/acme/widget/pulls', fault: { status: 503 } });
  await expect(propose()).rejects.toMatchObject({ failure: 'unreachable' });
  repair.front.faults.clear();
  expect(repair.branches()).toContain(branch());
}

describe('the branch of a run that is stopped', () => {
  test('goes where an interrupted attempt left it without a pull request', async () => {
    await interrupted();
    expect(await forge.withdraw(issue)).toBe(true);
    expect(repair.branches()).not.toContain(branch());
    expect(await forge.withdraw(issue)).toBe(false);
  });

  test('stays where a pull request was opened from it, whatever became of that', async () => {
    await propose();
    expect(await forge.withdraw(issue)).toBe(false);
    const [pull] = await repair.pulls(issue);
    await repair.front.as('maria').call('PATCH', `/repos/acme/widget/pulls/${pull?.number}`, { state: 'closed' });
    expect(await forge.withdraw(issue)).toBe(false);
    expect(repair.branches()).toContain(branch());
  });

  test('stays where somebody else committed to it', async () => {
    await interrupted();
    const path = '/repos/acme/widget/contents/note.txt';
    await repair.front.as('maria').call('PUT', path, { message: 'By hand', content: 'eA==', branch: branch() });
    expect(await forge.withdraw(issue)).toBe(false);
    expect(repair.branches()).toContain(branch());
  });
});

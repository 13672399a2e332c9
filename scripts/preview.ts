import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Patch } from '../src/domain/patch.ts';
import type { Proof } from '../src/domain/proof.ts';
import { renderDiagnosis } from '../src/report/render-diagnosis.ts';
import { renderFailure, renderStopped, renderTried } from '../src/report/render-ends.ts';
import { renderProgress } from '../src/report/render-progress.ts';
import { renderPullRequest } from '../src/report/render-pull-request.ts';
import { renderRepair } from '../src/report/render-repair.ts';
import * as sample from '../test/report/fixtures.ts';
import { proof, resolution } from '../test/report/repair-fixtures.ts';
import { githubPage } from './pictures/github-page.ts';

/*
 * Writes what Fathom posts as HTML pages, to be looked at in a browser: node scripts/preview.ts FOLDER
 * The look is near to GitHub's and the parser is not GitHub's, so this shows the shape and not the last detail.
 */
const { diagnosis, issue, receipt, linkTo, snapshot } = sample;
const unproven = {
  ...proof,
  verdict: 'not-reproduced' as const,
  reason: 'The regression test passes on the base commit.',
};
const pullRequest = {
  issue: snapshot,
  diagnosis,
  resolution,
  receipt,
  link: linkTo,
  diagnosisUrl: `${snapshot.url}#issuecomment-1`,
};
/** A run that came to no pull request, as its issue shows it. */
function ended(reason: string, tried: { patch: Patch; proof?: Proof }): string {
  const next = { kind: 'no-pull-request', reason } as const;
  const shown = renderDiagnosis({ diagnosis, issue, receipt, link: linkTo, asker: 'alice', next });
  return `${shown}\n\n${renderTried(tried)}`;
}
const nothing: Patch = { ...resolution.patch, diff: '', files: [], left: [] };
const [guarded] = resolution.patch.left.filter(({ kind }) => kind === 'protected');
const worse: Proof = {
  ...proof,
  verdict: 'suite-worse',
  reason: 'Tests that fail only with the change: test_escape (tests.test_split.Split.test_escape).',
  difference: { broken: ['test_escape (tests.test_split.Split.test_escape)'], flaky: [], mended: [], known: [] },
};
const bare: Proof = {
  ...proof,
  verdict: 'no-test',
  reason: 'The change brings no regression test that could be run by itself.',
  runs: proof.runs.filter(({ what }) => what === 'suite'),
};
const at = '2026-11-30T12:00:00Z';

const pages: Record<string, string> = {
  diagnosis: renderDiagnosis({ diagnosis, issue, receipt, link: linkTo, asker: 'alice', next: { kind: 'repairing' } }),
  abstention: renderDiagnosis({
    diagnosis: {
      ...diagnosis,
      findings: [],
      abstention: 'The failure comes from a plugin that is not in this repository.',
      suspects: sample.ranked.suspects,
    },
    issue,
    receipt: { ...receipt, recorded: true },
    link: linkTo,
  }),
  ranking: renderDiagnosis({
    diagnosis: sample.ranked,
    issue: { ...issue, hidden: [] },
    receipt: { ...receipt, models: {} },
    link: linkTo,
  }),
  'pull-request': renderPullRequest({ ...pullRequest, proof }).body,
  unproven: renderPullRequest({ ...pullRequest, proof: unproven }).body,
  'ended-not-reproduced': ended(unproven.reason, { patch: resolution.patch, proof: unproven }),
  'ended-suite-worse': ended(worse.reason, { patch: resolution.patch, proof: worse }),
  'ended-no-test': ended(bare.reason, { patch: resolution.patch, proof: bare }),
  'ended-nothing-changed': ended('Nothing was changed, although the Resolver says: The slice is right now.', {
    patch: nothing,
  }),
  'ended-protected-only': ended(
    'Only protected files were changed, which a person has to do: `.github/workflows/ci.yml`.',
    { patch: { ...nothing, left: guarded ? [guarded] : [] } },
  ),
  'ended-stopped': renderDiagnosis({
    diagnosis,
    issue,
    receipt,
    link: linkTo,
    asker: 'alice',
    next: { kind: 'no-pull-request', reason: 'Stopped by @alice.' },
  }),
  'pull-request-moved': renderPullRequest({
    ...pullRequest,
    proof,
    resolution: {
      ...resolution,
      moved: { from: resolution.patch.base, to: 'd4'.repeat(20), outcome: 'conflict' },
      stray: [{ kind: 'debugging', path: 'src/widget/split.py', line: 44 }],
    },
  }).body,
  repair: renderRepair({ resolution, proof }),
  progress: renderProgress([
    { at, type: 'run-started', mode: 'resolve', title: issue.title },
    { at, type: 'stage-finished', stage: 'prepare', seconds: 4.2, resumed: false },
    { at, type: 'stage-finished', stage: 'ask', seconds: 3, resumed: true },
    { at, type: 'stage-started', stage: 'answer' },
    {
      at,
      type: 'agent-step',
      role: 'answerer',
      agent: 'answerer-1',
      step: 12,
      limit: 150,
      doing: 'grep -rn "quote" src',
      spent: receipt.spent,
    },
  ]),
  stopped: renderStopped({ by: 'alice', receipt }),
  failure: renderFailure({
    code: 'sandbox',
    message: 'the Docker Engine at unix:///var/run/docker.sock does not answer',
    remedy: 'Start it, then label the issue again.',
    run: '7f3a',
  }),
};

const folder = process.argv[2] ?? '.fathom/preview';
const open = process.argv[3] === 'open';
await mkdir(folder, { recursive: true });
for (const [name, markdown] of Object.entries(pages)) {
  await writeFile(join(folder, `${name}.md`), markdown);
  await writeFile(join(folder, `${name}.html`), githubPage({ title: name, markdown, open }));
}

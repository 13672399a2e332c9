import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { renderDiagnosis } from '../src/report/render-diagnosis.ts';
import { renderFailure, renderNoPullRequest, renderStopped } from '../src/report/render-ends.ts';
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
  'no-pull-request': renderNoPullRequest({
    reason: 'The failure could not be reproduced.',
    patch: resolution.patch,
    proof: unproven,
    receipt,
  }),
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

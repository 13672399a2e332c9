import { describe, expect, it } from 'vitest';
import { renderTried } from '../../src/report/render-ends.ts';
import { renderProof } from '../../src/report/render-proof.ts';
import { renderPullRequest } from '../../src/report/render-pull-request.ts';
import { renderRepair } from '../../src/report/render-repair.ts';
import { base, diagnosis, linkTo, receipt, snapshot } from './fixtures.ts';
import { proof, resolution } from './repair-fixtures.ts';

const text = (changes: object = {}) =>
  renderPullRequest({ issue: snapshot, diagnosis, resolution, proof, receipt, link: linkTo, ...changes });
const unproven = {
  ...proof,
  verdict: 'not-reproduced' as const,
  reason: 'The regression test passes on the base commit.',
};

describe('a pull request', () => {
  it('has the issue in its title and closes it', () => {
    expect(text().title).toBe('Fix #12: Quoted arguments lose their last character');
    expect(text().body).toContain('\n\nFixes #12\n\n');
  });

  it('says what, why here and how it was proven, in this order', () => {
    const parts = [
      'Quoted words keep',
      '### Why here',
      '### How it was proven',
      'What this does not show',
      'Left out of',
      'Fixes #12',
    ];
    const places = parts.map((part) => text().body.indexOf(part));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBe(0);
    expect(text().body).toContain(
      `because \`end\` already excludes the quote. See [\`src/widget/split.py:41-52\`](https://github.com/acme/widget/blob/${base}/`,
    );
  });

  it('shows each command that was run, with exit code, counts and time, and its output folded', () => {
    expect(text().body).toContain(
      '| Regression test on base | 1 | 1 passed, 1 failed | 0.4 s | `python3 -m unittest tests.test_split` |',
    );
    expect(text().body).toContain('| Whole suite on base+patch | 0 | 120 passed, 2 skipped | 1 min 1 s |');
    expect(text().body).toMatch(
      /<summary>Last lines of their output<\/summary>[\s\S]*AssertionError: Lists differ[\s\S]*<\/details>/,
    );
    expect(text().body).toContain('docker run --rm --network none -v "$PWD:/repo"');
  });

  it('says what it does not show and what was left out', () => {
    expect(text().body).toContain('- Escaped quotes inside quotes.');
    expect(text().body).toContain('- `reproduce.py`: scratch of the work, not part of the fix');
    expect(text().body).toContain('- `.github/workflows/ci.yml`: protected, a person has to change it');
  });

  it('folds what tools left behind, folder by folder, and no protected file', () => {
    const scratch = (path: string) => ({ path, status: 'added', kind: 'scratch', added: 0, removed: 0, binary: true });
    const caches = ['a/__pycache__/x.pyc', 'a/__pycache__/y.pyc', 'a/b/__pycache__/z.pyc', 'tmp/one.log', 'repro.py'];
    const guarded = ['.github/a.yml', '.github/b.yml'].map((path) => ({ ...scratch(path), kind: 'protected' }));
    const patch = { ...resolution.patch, left: [...caches.map(scratch), ...guarded] };
    const { body } = text({ resolution: { ...resolution, patch } });
    expect(body).toContain('- `__pycache__/`: 3 files that tools or the work left behind\n');
    expect(body).toContain('- `tmp/`: 1 file that tools or the work left behind\n');
    expect(body).toContain('- `repro.py`: scratch of the work, not part of the fix');
    expect(body.match(/protected, a person has to change it/g)).toHaveLength(2);
    expect(body).not.toContain('.pyc');
  });

  it('names folders that were left as a whole without counting in them, and files in remarks as they are called', () => {
    const folder = { path: '__pycache__/', status: 'added', kind: 'scratch', added: 0, removed: 0, binary: true };
    const patch = { ...resolution.patch, left: [folder], notes: ['New files are too large: __init__.py, @alice.'] };
    const { body } = text({ resolution: { ...resolution, patch } });
    expect(body).toContain('- `__pycache__/`: a folder that tools or the work left behind\n');
    expect(body).toContain('- New files are too large: \\_\\_init\\_\\_.py, `@alice`.');
  });

  it('says at once that it is not proven', () => {
    expect(text({ proof: unproven }).body).toMatch(
      /^\*\*This change is not proven\.\*\* Read it as a proposal; what is missing is said below\./,
    );
  });

  it('does not speak of how it was proven where it was not', () => {
    expect(text({ proof: unproven }).body).not.toContain('How it was proven');
    expect(text({ proof: unproven }).body).toContain('### What was run');
  });

  it('says that the work was taken as it stood', () => {
    expect(text({ resolution: { ...resolution, recovered: true, end: 'step-limit' } }).body).toContain(
      'The Resolver ended before it called its work finished (it ran out of steps)',
    );
  });

  it('writes a commit message with a short subject and wrapped lines', () => {
    expect(text().commitMessage).toBe(
      [
        'Fix #12: Quoted arguments lose their last character',
        'Quoted words keep their last character.',
        'Diagnosed and repaired by Fathom, run 7f3a.',
        'Fixes #12',
      ].join('\n\n'),
    );
    const { commitMessage } = text({
      issue: { ...snapshot, title: 'word '.repeat(60) },
      resolution: { ...resolution, report: { summary: 'word '.repeat(60) } },
    });
    expect(commitMessage.split('\n').every((line) => line.length <= 72)).toBe(true);
  });

  it('names no issue where there is none', () => {
    const { number: _number, ...issue } = snapshot;
    const { title, body, commitMessage } = text({ issue });
    expect([title, body, commitMessage].join('\n')).not.toMatch(/#\d/);
  });
});

describe('a proof', () => {
  it.each([
    ['proven', 'Proven: the regression test fails without the change and passes with it, and the suite is no worse.'],
    ['not-reproduced', 'Not proven: the failure could not be reproduced without the change.'],
    ['not-fixed', 'Not proven: the regression test still fails with the change.'],
    ['suite-worse', 'Not proven: tests that passed before fail with the change.'],
    ['no-test', 'Not proven: there is no test that shows the fault.'],
    ['not-run', 'Not proven: nothing could be run.'],
  ] as const)('that is %s says so first', (verdict, sentence) => {
    expect(renderProof({ ...proof, verdict })).toMatch(new RegExp(`^\\*\\*${sentence}\\*\\*`));
  });

  it('does not call a suite no worse that was not run, or could not be', () => {
    const regression = proof.runs.filter((run) => run.what === 'regression');
    const suite = proof.runs.filter((run) => run.what === 'suite');
    const broken = suite.map((run) => ({ ...run, exitCode: 127, counts: undefined }) as never);
    for (const runs of [regression, [...regression, ...broken]]) {
      expect(renderProof({ ...proof, runs })).toMatch(/^\*\*Proven: .* passes with it\. The suite was not run\.\*\*/);
    }
  });

  it('shows what came of running it again, the suite test by test, and the whole command that repeats it', () => {
    const difference = { broken: [], flaky: ['`t`'], mended: ['m'], known: ['k1', 'k2'] };
    const runs = proof.runs.map((run) => (run.what === 'regression' ? { ...run, again: [run.exitCode] } : run));
    const repeat = `docker run <<'FATHOM'\n${'echo a line\n'.repeat(300)}FATHOM`;
    const shown = renderProof({ ...proof, runs, difference, repeat });
    expect(shown).toContain('| Regression test on base | 1, again 1 |');
    expect(shown).toContain('- Failed before and no longer do: `m`\n- Fail with and without the change: `k1`, `k2`');
    expect(shown).toContain('Failed with the change and passed when run again: `` `t` ``');
    expect(shown).toContain(`\`\`\`sh\n${repeat}\n\`\`\``);
    expect(shown).toContain('with the change in `fathom.patch` (`git diff --binary BASE...BRANCH`):');
    const local = renderRepair({ resolution, proof: { ...proof, repeat }, patchFile: '/runs/1/patch.diff' });
    expect(local).toContain('In a clone, after `export PATCH=/runs/1/patch.diff`:');
    expect(local).not.toContain('BRANCH');
    const tried = renderTried({ patch: resolution.patch, proof: { ...proof, repeat } });
    expect(tried).toContain('In a clone, with the change that is shown below kept as `fathom.patch`:');
    expect(renderProof({ ...proof, repeat: 'x'.repeat(12_001) })).not.toContain('xxx');
  });

  it('shows the changes to protected files apart, for a person to take', () => {
    const protectedDiff = Buffer.from('diff --git a/.github/w.yml b/.github/w.yml\n+a: 1\n').toString('base64');
    const shown = renderRepair({ resolution: { ...resolution, patch: { ...resolution.patch, protectedDiff } }, proof });
    expect(shown).toContain('<summary>The changes to protected files, for a person to take</summary>');
    expect(shown).toContain('```diff\ndiff --git a/.github/w.yml b/.github/w.yml\n+a: 1\n```');
  });

  it('says that a command was stopped and that its counts could not be read', () => {
    const run = { ...proof.runs[0], exitCode: null, counts: undefined } as never;
    expect(renderProof({ ...proof, runs: [run] })).toContain(
      '| Regression test on base | stopped by the time limit | not read |',
    );
  });
});

describe('what was tried where there is no pull request', () => {
  it('is what was run and the change; why there is none is said once, above', () => {
    const shown = renderTried({ patch: resolution.patch, proof: unproven });
    expect(shown).toMatch(/^### What was tried\n\n\*\*Not proven: the failure could not be reproduced/);
    expect(shown).not.toContain(unproven.reason);
    expect(shown).toContain('<summary>The change that was tried, 2 files</summary>');
    expect(shown).toContain('```diff\ndiff --git a/src/widget/split.py b/src/widget/split.py\n');
  });

  it('is nothing where nothing was changed, and what a person has to change where only that was', () => {
    const patch = { ...resolution.patch, files: [], left: [], diff: '' };
    expect(renderTried({ patch })).toBe('');
    expect(renderTried({ patch: { ...patch, left: resolution.patch.left } })).toContain(
      'protected, a person has to change it',
    );
  });

  it('cuts a long change at a line and says so', () => {
    const diff = Buffer.from('+a line of a very long change\n'.repeat(3_000)).toString('base64');
    const shown = renderTried({ patch: { ...resolution.patch, diff } });
    expect(shown).toMatch(/change\n```\n\nThe first 29,\d+ characters of 90,000\./);
  });
});

describe('a repair that stays on this machine', () => {
  it('lists what was changed', () => {
    expect(renderRepair({ resolution, proof })).toContain(
      '**Changed**\n\n- `src/widget/split.py` modified, +1 −1\n- `tests/test_split.py` added, +14 −0',
    );
  });

  it('a repair whose run ended before its proof says so, with its test and what was not checked', () => {
    const text = renderRepair({ resolution });
    expect(text).toContain('Not proven: the run ended before the change was tried');
    expect(text).toContain(resolution.report?.regressionTest ?? 'a test');
  });

  it('says why nothing was changed', () => {
    const patch = { ...resolution.patch, files: [], left: [], diff: '' };
    const report = { summary: 'It works as documented.', noChangeReason: 'The documentation asks for this.' };
    expect(renderRepair({ resolution: { ...resolution, patch, report } })).toContain(
      'Nothing was changed: The documentation asks for this.',
    );
  });
});

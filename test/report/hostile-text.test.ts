import { describe, expect, it } from 'vitest';
import type { AuditedFinding, AuditedPair, Diagnosis } from '../../src/domain/diagnosis.ts';
import type { RunEvent } from '../../src/domain/run-events.ts';
import { describeEvent } from '../../src/report/describe-event.ts';
import { plainText } from '../../src/report/plain-text.ts';
import { renderDiagnosis } from '../../src/report/render-diagnosis.ts';
import { renderFailure, renderStopped, renderTried } from '../../src/report/render-ends.ts';
import { renderProgress } from '../../src/report/render-progress.ts';
import { renderProof } from '../../src/report/render-proof.ts';
import { renderPullRequest } from '../../src/report/render-pull-request.ts';
import { renderRepair } from '../../src/report/render-repair.ts';
import { asGithubShows, type Shown } from './as-github-shows.ts';
import { base, diagnosis, issue, linkTo, receipt, snapshot } from './fixtures.ts';
import { hostile } from './hostile-texts.ts';
import { proof, resolution } from './repair-fixtures.ts';

const OURS = new Set(
  [
    'p',
    'h3',
    'strong',
    'em',
    'b',
    'i',
    's',
    'sub',
    'code',
    'pre',
    'a',
    'ul',
    'ol',
    'li',
    'blockquote',
    'details',
    'summary',
    'br',
  ].concat(['table', 'thead', 'tbody', 'tr', 'th', 'td']),
);
const RISKS = /@[A-Za-z0-9]|#\d|\bGH-\d|:\/\/|www\.|\$|:\w+:/;

function everywhere(text: string): Record<string, string> {
  const location = { path: text.slice(0, 400) || 'a', startLine: 1, endLine: 2 };
  const finding: AuditedFinding = {
    ...{ locationExplanation: text, rootCause: text, solutionIdea: text, dependencies: text, testingImpact: text },
    ...{ falsifier: text, locations: [location] },
    checked: (['confirmed', 'corrected', 'struck'] as const).map((verdict) => ({ location, verdict, note: text })),
  };
  const pair: AuditedPair = {
    question: { id: text.slice(0, 40), category: 'Design & Usage', text },
    answer: { outcome: 'answered', text, citations: [], gaps: text, falsifier: text },
    end: text,
    correctedBy: text.slice(0, 100),
    checked: [
      { citation: { kind: 'repository', ...location, symbol: text }, verdict: 'confirmed', note: text },
      { citation: { kind: 'repository', ...location }, verdict: 'struck', note: text },
      { citation: { kind: 'dependency', package: text, version: text, path: text }, verdict: 'unchecked', note: text },
      { citation: { kind: 'observation', command: text, output: text }, verdict: 'confirmed' },
      { citation: { kind: 'standard', name: text }, verdict: 'unchecked' },
    ],
  };
  const suspects = [{ path: text, score: 1, reasons: [text], definitions: [{ name: text, startLine: 1, endLine: 2 }] }];
  const told: Diagnosis = { base, findings: [finding, finding], knowledge: [pair, pair], suspects, notes: [text] };
  const hidden = [{ kind: text, where: text, characters: 1, preview: text }];
  const kept = {
    ...receipt,
    run: text,
    base: text,
    snapshot: text,
    actor: text,
    models: { answerer: text },
    notes: [text],
    fathom: text,
  };
  const files = [
    { path: text, status: 'added' as const, kind: 'scratch' as const, added: 1, removed: 0, binary: false },
  ];
  const patch = { base, diff: Buffer.from(text).toString('base64'), files, left: files, notes: [text] };
  const work = {
    patch,
    end: text,
    recovered: true,
    report: { summary: text, cause: text, notChecked: text, noChangeReason: text },
  };
  const runs = proof.runs.map((run) => ({ ...run, command: text, tail: text, failing: [text] }));
  const shown = {
    ...proof,
    verdict: 'not-fixed' as const,
    reason: text,
    image: text,
    repeat: text,
    doesNotShow: [text],
    runs,
  };
  const event: RunEvent = {
    at: '',
    type: 'agent-step',
    role: 'answerer',
    agent: text,
    step: 1,
    limit: 2,
    doing: text,
    spent: receipt.spent,
  };
  return {
    diagnosis: renderDiagnosis({
      diagnosis: told,
      issue: { ...issue, hidden },
      receipt: kept,
      asker: text,
      next: { kind: 'no-pull-request', reason: text },
    }),
    abstention: renderDiagnosis({ diagnosis: { ...told, findings: [], abstention: text }, issue, receipt: kept }),
    ranking: renderDiagnosis({
      diagnosis: { ...told, findings: [], knowledge: [] },
      issue,
      receipt: { ...kept, models: {} },
    }),
    'pull request': renderPullRequest({
      issue: { ...snapshot, title: text, number: undefined } as never,
      diagnosis: told,
      resolution: work,
      proof: shown,
      receipt: kept,
    }).body,
    proof: renderProof(shown),
    repair: renderRepair({ resolution: work, proof: shown }),
    'what was tried': renderTried({ patch, proof: shown }),
    progress: renderProgress([event]),
    stopped: renderStopped({ by: text }),
    failure: renderFailure({ code: text, message: text, remedy: text, run: text }),
  };
}

/** Each report with this text in every place that others write, with what a reader would see of it; made once. */
const made = new Map<string, [where: string, markdown: string, shown: Shown][]>();
function reportsOf(name: string): [where: string, markdown: string, shown: Shown][] {
  const known = made.get(name);
  if (known) return known;
  const reports = Object.entries(everywhere(hostile[name] ?? '')).map(([where, markdown]): [string, string, Shown] => [
    where,
    markdown,
    asGithubShows(markdown),
  ]);
  made.set(name, reports);
  return reports;
}

describe('whatever a model, an issue or a repository writes', () => {
  it.each(Object.keys(hostile))(
    '%s: pings nobody, refers to nothing, links nowhere, loads nothing and is no HTML',
    (name) => {
      for (const [where, , { tags, links, prose }] of reportsOf(name)) {
        expect(links, where).toEqual([]);
        expect(
          [...new Set(tags)].filter((tag) => !OURS.has(tag)),
          where,
        ).toEqual([]);
        const risks = prose.filter((text) => RISKS.test(text.replace(/\$[\d.]+(?: of \$[\d.]+)?| \$0\.0/g, '')));
        expect(risks, where).toEqual([]);
      }
    },
  );

  it.each(Object.keys(hostile))(
    '%s: leaves every fold closed, every control character out and the comment short enough',
    (name) => {
      for (const [where, markdown, { tags, code }] of reportsOf(name)) {
        expect(markdown.length, where).toBeLessThan(60_000);
        expect(markdown.isWellFormed(), where).toBe(true);
        expect(markdown, where).not.toMatch(
          /[^\P{Cc}\n\t]|[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\ufff9-\ufffb\u2800]/u,
        );
        const count = (part: string): number => markdown.split(`\n${part}`).length - 1;
        expect(tags.filter((tag) => tag === 'details').length, where).toBe(
          count('<details>') - inCode(code, '<details>'),
        );
        expect(markdown, where).not.toContain('@alice</summary>');
      }
    },
  );

  it('shows characters that would reorder or hide others by their names', () => {
    const { proof: shown } = everywhere('name\u202Egpj.exe \u{E0041}\u{E0042}');
    expect(shown).toContain('name⟨U+202E⟩gpj.exe ⟨U+E0041 and 1 more⟩');
  });

  it.each([
    ['a soft hyphen in a word', 'pass\u00adword', 'pass⟨U+00AD⟩word'],
    ['bytes in variation selectors behind an emoji', 'ok 😀\ufe0f\ufe01\ufe02', 'ok 😀\ufe0f⟨U+FE01 and 1 more⟩'],
    ['a selector behind a letter or sign that has no variants', 'a\ufe0f@\ufe0f1\ufe0f', 'a⟨U+FE0F⟩@⟨U+FE0F⟩1⟨U+FE0F⟩'],
    ['a joiner between letters that do not join', 'no\u200dne', 'no⟨U+200D⟩ne'],
    ['letters without a form', 'x\u3164y\u034fz\u2800.', 'x⟨U+3164⟩y⟨U+034F⟩z⟨U+2800⟩.'],
    ['tags behind no flag', 'a\u{e0061}\u{e007f}', 'a⟨U+E0061 and 1 more⟩'],
  ])('names %s', (_what, text, expected) => {
    expect(plainText(text, 200)).toBe(expected);
  });

  it.each([
    ['emoji with a selector', '✔\ufe0f ❤\ufe0f ↔\ufe0f ©\ufe0f'],
    ['a keycap', 'step 1\ufe0f\u20e3'],
    ['families, skins and professions', '👨\u200d👩\u200d👧 👍🏽 👩🏽\u200d💻 ❤\ufe0f\u200d🔥'],
    ['the flag of a region', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
    ['Persian and Hindi words', 'می\u200cخواهم क्\u200dष'],
    ['the variant of an ideograph', '葛\u{e0100}城'],
  ])('leaves %s as they are', (_what, text) => {
    expect(plainText(text, 200)).toBe(text);
  });

  it('keeps code readable: a fence longer than any inside, pipes in a table cell, backticks in a span', () => {
    const finding = { ...diagnosis.findings[0], solutionIdea: 'Use `a | b` and ``c`d``.' } as AuditedFinding;
    const text = renderDiagnosis({ diagnosis: { ...diagnosis, findings: [finding] }, issue, receipt });
    expect(text).toContain('| Use `a \\| b` and ``c`d``. |');
    expect(asGithubShows(text).code).toEqual(expect.arrayContaining(['a | b', 'c`d']));
  });

  it('links only where it was told to, and never what was struck', () => {
    const { links } = asGithubShows(renderDiagnosis({ diagnosis, issue, receipt, link: linkTo }));
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((link) => !link.startsWith(`https://github.com/acme/widget/blob/${base}/src/widget/`))).toEqual(
      [],
    );
    expect(links.filter((link) => /gone\.py|old\.py/.test(link))).toEqual([]);
  });
});

describe('text that is not Markdown', () => {
  it('mentions nobody and closes nothing but its issue in a title and a commit message', () => {
    const title = 'Crash for @alice\u202e, fixes #3 and GH-4';
    const report = { summary: 'Closes #5, thanks @bob. Fixes https://github.com/acme/widget/issues/6.' };
    const text = renderPullRequest({
      issue: { ...snapshot, title },
      diagnosis,
      resolution: { ...resolution, report },
      proof,
      receipt,
    });
    for (const shown of [text.title, text.commitMessage]) {
      expect(shown).not.toMatch(/@\w|GH-\d|:\/\/\S|\u202e/);
      expect(shown.match(/#\d+/g)?.every((reference) => reference === '#12')).toBe(true);
    }
    expect(text.commitMessage.split('\n')[0]?.length).toBeLessThanOrEqual(72);
    expect(text.commitMessage).toMatch(/\n\nFixes #12$/);
  });

  it('keeps no workflow from running, whatever the issue is called', () => {
    const title = '[skip ci] Crash [ci skip] [no ci]';
    const report = { summary: 'Fixed. [skip actions] [actions skip] [skip azp] ***NO_CI*** skip-checks: true' };
    const { title: shown, commitMessage } = renderPullRequest({
      issue: { ...snapshot, title },
      diagnosis,
      resolution: { ...resolution, report },
      proof,
      receipt,
    });
    expect(shown).toContain('[ skip ci] Crash');
    for (const text of [shown, commitMessage]) {
      expect(text.replaceAll('\n', ' ')).not.toMatch(/\[(?:skip|ci|no|actions)\b|\*\*\*no_ci|skip-checks:/i);
    }
  });

  it('lets no event write control sequences to a terminal', () => {
    const text = 'a\u001b[2Jb\u0007\nc\u202e';
    const line = describeEvent({ at: '', type: 'note', text });
    expect(line).toBe('  ! ab c⟨U+202E⟩');
  });
});

const inCode = (code: string[], tag: string): number => code.join('\n').split(`\n${tag}`).length - 1;

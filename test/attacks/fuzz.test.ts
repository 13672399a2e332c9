import fc from 'fast-check';
import { describe, it } from 'vitest';
import { readQuestions } from '#src/agents/read-questions.ts';
import { callsIn } from '#src/agents/read-reply.ts';
import { addedIn } from '#src/domain/added-lines.ts';
import { defaultRunSettings } from '#src/domain/default-settings.ts';
import { InputError } from '#src/domain/errors.ts';
import { DiffError, parseDiff } from '#src/evaluation/datasets/parse-diff.ts';
import { toInboxEntry } from '#src/github/webhooks/to-inbox-entry.ts';
import { renderIssue } from '#src/issue/render-issue.ts';
import { patchRisks } from '#src/report/patch-risks.ts';
import { safeBlocks } from '#src/report/safe-markdown.ts';
import { write } from '#src/report/write-markdown.ts';
import { applyRepositoryConfig } from '#src/repository-config.ts';
import { createSecrets } from '#src/secrets/create-secrets.ts';
import { redactValue } from '#src/secrets/redact-value.ts';
import { snapshotOf } from '../issue/snapshots.ts';
import { asGithubShows } from '../report/as-github-shows.ts';
import { resolution } from '../report/repair-fixtures.ts';
import { fakeSecrets } from '../secrets/fake-secrets.ts';
import { bent, pieces } from './fuzz-texts.ts';

// The same cases each time, some seconds in all. FATHOM_FUZZ_SECONDS tries new ones for so long in each test.
const seconds = Number(process.env['FATHOM_FUZZ_SECONDS'] ?? 0);
const longer = { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: seconds * 1000 };
const rules = (numRuns: number) => (seconds > 0 ? longer : { seed: 7, numRuns });
const timeout = 60_000 + seconds * 1000;
const ensure = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(what);
};

describe('whatever it is made of', () => {
  it('a webhook body comes to an entry or to nothing', { timeout }, () => {
    const labels = { diagnose: 'auto-diagnose', resolve: 'auto-triage' };
    const events = fc.constantFrom('issues', 'issue_comment', 'installation', 'push', '__proto__');
    fc.assert(
      fc.property(events, fc.oneof(bent(delivery), fc.jsonValue()), (event, payload) => {
        const at = { id: 'd', event, payload: payload as object, receivedAt: new Date(0) };
        const reading = toInboxEntry(at, { labels, appId: 4242, botId: 99, allowedBots: [] });
        ensure(reading.kind === 'entry' || reading.kind === 'ignored', 'neither an entry nor nothing');
      }),
      rules(2000),
    );
  });

  it('a configuration asks for no more than the operator allows, or is refused with reasons', { timeout }, () => {
    const base = defaultRunSettings('m');
    fc.assert(
      fc.property(pieces(yaml, 25), (text) => {
        try {
          const made = applyRepositoryConfig(text, base);
          const less =
            made.budgetUsd <= base.budgetUsd && made.questions <= base.questions && made.seconds <= base.seconds;
          ensure(less, 'a limit was raised');
          ensure(
            base.protectedPaths.every((path) => made.protectedPaths.includes(path)),
            'a path lost its protection',
          );
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
          ensure(error.problems.length > 0, 'no reason was given');
        }
      }),
      rules(600),
    );
  });

  it('an issue becomes bounded text without a character that nobody sees', { timeout }, () => {
    fc.assert(
      fc.property(pieces(markdown, 40), (body) => {
        const { text, hidden } = renderIssue(snapshotOf(body));
        ensure(text.length <= 120_000 && text.isWellFormed(), 'too long, or broken');
        ensure(!/[\u{e0000}-\u{e007f}\u202a-\u202e\u2060]/u.test(text), 'unseen characters are left');
        ensure(
          hidden.every((one) => one.preview.length < 400),
          'a long preview',
        );
      }),
      rules(400),
    );
  });

  it('a reply of a model comes to calls, questions or nothing', { timeout }, () => {
    const tools = ['shell', 'submit_answer'];
    const rest = { usage: { input: 1, cached: 0, output: 1, reasoning: 0 }, usd: 0, reasoned: false, dropped: [] };
    fc.assert(
      fc.property(pieces(replies, 30), fc.constantFrom('native', 'text'), (text, protocol) => {
        const toolCalls = text.startsWith('{') ? [{ id: 'c', name: text.slice(0, 20), arguments: text }] : [];
        const how = { step: 1, protocol, recoveries: { implicitToolCalls: true }, tools } as const;
        const all = { ...how, fits: () => true, isQuoted: () => false };
        ensure(Array.isArray(callsIn({ text, toolCalls, finish: 'stop', ...rest }, all)), 'no list');
        readQuestions(text, 2, true);
      }),
      rules(1500),
    );
  });

  it('a diff has added lines and risks, or none', { timeout }, () => {
    fc.assert(
      fc.property(pieces(diffs, 40), (diff) => {
        const lines = diff.split('\n').length;
        ensure(addedIn(diff).length <= lines, 'more lines than there are');
        patchRisks({ ...resolution.patch, diff: Buffer.from(diff).toString('base64') });
        try {
          parseDiff(diff);
        } catch (error) {
          if (!(error instanceof DiffError)) throw error;
        }
      }),
      rules(1500),
    );
  });

  it('text of a model pings nobody, loads nothing and runs nothing in a comment', { timeout }, () => {
    fc.assert(
      fc.property(pieces(markdown, 30), (text) => {
        const { tags, links, prose } = asGithubShows(write(...safeBlocks(text)));
        ensure(!tags.some((tag) => ['img', 'script', 'iframe', 'style', 'source', 'comment'].includes(tag)), 'a tag');
        ensure(links.length === 0, `a link: ${links[0]}`);
        ensure(!/@[A-Za-z0-9]|#\d|:\/\//.test(prose.join(' ')), 'a mention, a reference or an address');
      }),
      rules(400),
    );
  });

  it('a value that is kept loses its secrets and nothing else', { timeout }, async () => {
    const secrets = createSecrets();
    const own = Object.values(fakeSecrets());
    const leaf = fc.oneof(
      fc.constantFrom(...own),
      fc.string(),
      pieces(['a ', '\n', ...own.map((secret) => ` ${secret} `)], 5),
      fc.integer(),
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string({ minLength: 1 }), fc.array(leaf)), async (value) => {
        const clean = await redactValue(value, secrets);
        const text = JSON.stringify(clean);
        ensure(!own.some((secret) => text.includes(secret)), 'a secret is left');
        ensure(JSON.stringify(Object.keys(clean)) === JSON.stringify(Object.keys(value)), 'another shape');
      }),
      rules(150),
    );
  });
});

const delivery = {
  action: 'labeled',
  label: { name: 'auto-triage' },
  issue: {
    id: 10,
    number: 3,
    title: 't',
    body: null,
    user: { login: 'tim' },
    state: 'open',
    locked: false,
    labels: [],
  },
  comment: {
    id: 5,
    body: '/fathom retry',
    created_at: '2026-11-30T10:00:00Z',
    user: { id: 1, login: 'm', type: 'User' },
  },
  repository: {
    id: 7,
    name: 'widget',
    owner: { login: 'acme' },
    private: true,
    clone_url: 'https://x/acme/widget.git',
  },
  sender: { id: 1, login: 'maria', type: 'User' },
  installation: { id: 777, account: { login: 'acme' } },
};
const yaml = [
  ...['questions: ', 'budget: ', 'setup: ', 'timeout: ', 'protected:\n  - ', 'attempts: ', 'verifier: ', 'seconds: '],
  ...[
    '9',
    '1e99',
    '-1',
    '.inf',
    '.nan',
    '0x7fffffffffff',
    'true',
    '~',
    '"\\u0000"',
    'off',
    '[',
    ']',
    '{',
    '}',
    ', ',
    ': ',
  ],
  ...[
    '\n',
    '\n',
    '  ',
    '- ',
    '&a ',
    '*a',
    '<<: *a',
    '!!js/function ',
    '!!binary ',
    '--- ',
    '%YAML 1.1\n',
    '| ',
    '> ',
    '# ',
  ],
  ...['__proto__: ', 'constructor: ', '? ', '\t', '\ufeff', '&a [*a,*a,*a,*a,*a,*a]', '!<tag:x> '],
];
const markdown = [
  ...[
    '@alice',
    ' @acme/team',
    'fixes #1',
    ' closes acme/x#2',
    '![a](http://e.example/a)',
    '[a](http://e.example)',
    '<img src=x>',
  ],
  ...[
    '<!--',
    '-->',
    '<details>',
    '</details>',
    '<summary>',
    '<div hidden>',
    '</div>',
    '<span style="display:none">',
    '</span>',
  ],
  ...[
    '<script>',
    '</script>',
    '<![CDATA[',
    ']]>',
    '<?',
    '?>',
    '[//]: # (',
    ')',
    '[a]: http://e.example "t"',
    '[^1]: ',
    '[^1]',
  ],
  ...[
    '```',
    '~~~',
    '`',
    '``',
    '*',
    '_',
    '**',
    '> ',
    '- ',
    '1. ',
    '# ',
    '\n',
    '\n\n',
    '    ',
    '\\',
    '|',
    '|---|',
    '$',
    '$$',
    '&#64;',
  ],
  ...[
    '\u200b',
    '\u202e',
    '\u2066',
    '\u{e0041}',
    '\ufe0f',
    '\u2060',
    '\ud800',
    '\u0000',
    '😀',
    '👩‍👩‍👧',
    'שלום',
    '한국어',
    'http://e.example',
  ],
  ...[
    '<svg>',
    '<math>',
    '<table>',
    '<td>',
    '<p',
    '>',
    '"',
    "'",
    '=',
    '<a href="javascript:x">',
    '</a>',
    'www.e.example',
    ':tada:',
    'GH-1',
  ],
];
const replies = [
  ...[
    '{',
    '}',
    '[',
    ']',
    '"',
    ':',
    ',',
    '\\',
    '\\u0000',
    '\n',
    '```json\n',
    '```',
    '{"name":"shell","arguments":',
    '{"command":"ls"}',
  ],
  ...[
    '<tool>',
    '</tool>',
    '<shell>',
    '</shell>',
    '<think>',
    '</think>',
    '<tool_call>',
    '</tool_call>',
    'null',
    'true',
    '1e999',
    '-',
  ],
  ...[
    '"category":"Mechanism & Behavior"',
    '"question":"How?"',
    '__proto__',
    'submit_answer',
    '(',
    ')',
    '<|im_end|>',
    '한',
    '\ud800',
  ],
];
const diffs = [
  ...[
    'diff --git a/x b/x\n',
    '--- a/x\n',
    '+++ b/x\n',
    '+++ "b/\\303\\244\\"\n',
    '@@ -1 +1 @@\n',
    '@@ -1,9999999 +1,9999999 @@\n',
  ],
  ...[
    '@@ -0,0 +1 @@ x\n',
    '+added\n',
    '-gone\n',
    ' same\n',
    '\\ No newline at end of file\n',
    'new mode 100755\n',
    '\r\n',
    '\n',
    '+',
  ],
  ...[
    'GIT binary patch\n',
    'literal 5\nMcmZ\n',
    'rename from a\n',
    'index 1..2 100644\n',
    '+import requests\n',
    '+++',
    '---',
    '@@',
    '\u0000',
  ],
];

import { describe, expect, test } from 'vitest';
import { commandOf, correctionOf } from '#src/github/webhooks/command.ts';
import { toInboxEntry, type WebhookRules } from '#src/github/webhooks/to-inbox-entry.ts';

const rules: WebhookRules = {
  labels: { diagnose: 'auto-diagnose', resolve: 'auto-triage' },
  appId: 4242,
  botId: 99,
  allowedBots: [55],
};
const person = { id: 1, login: 'maria', type: 'User' };
const labeled = {
  action: 'labeled',
  label: { name: 'auto-triage' },
  issue: {
    id: 10,
    number: 3,
    title: 'It breaks',
    body: null,
    user: { login: 'tim' },
    html_url: 'https://github.com/acme/widget/issues/3',
    labels: [{ name: 'auto-triage' }],
    state: 'open',
    locked: false,
    updated_at: '2026-11-30T10:00:00Z',
  },
  repository: {
    id: 7,
    name: 'widget',
    owner: { login: 'acme' },
    private: true,
    clone_url: 'https://github.com/acme/widget.git',
  },
  sender: person,
  installation: { id: 777 },
};
const commented = (body: string, change: object = {}) => ({
  ...labeled,
  action: 'created',
  comment: { id: 5, body, created_at: '2026-11-30T10:00:00Z', user: person, ...change },
});
const read = (payload: object, event = 'issues', id = 'd1') =>
  toInboxEntry({ id, event, payload, receivedAt: new Date('2026-11-30T10:00:01Z') }, rules);

describe('who asks', () => {
  test('a bot is not heard, whatever its login says, unless its id is allowed', () => {
    const by = (sender: object) => read({ ...labeled, sender }).kind;
    expect(by({ id: 12, login: 'dependabot[bot]', type: 'Bot' })).toBe('ignored');
    expect(by({ id: 13, login: 'friendly', type: 'Bot' })).toBe('ignored');
    expect(by({ id: 14, login: 'an-organization', type: 'Organization' })).toBe('ignored');
    expect(by({ id: 55, login: 'allowed[bot]', type: 'Bot' })).toBe('entry');
    expect(by({ id: 15, login: 'not-really[bot]', type: 'User' })).toBe('entry');
  });

  test('what the App does itself is not heard, by its id and even when it is allowed or looks like a person', () => {
    const own = { ...rules, allowedBots: [99] };
    const payload = { ...labeled, sender: { id: 99, login: 'somebody', type: 'User' } };
    const delivery = { id: 'd', event: 'issues', payload, receivedAt: new Date() };
    expect(toInboxEntry(delivery, own)).toMatchObject({ kind: 'ignored', because: 'done by the App itself' });
  });

  test('a command that the App wrote for a person, or that came from another than its author, is not heard', () => {
    const through = commented('/fathom resolve', { performed_via_github_app: { id: 4242 } });
    expect(read(through, 'issue_comment').kind).toBe('ignored');
    const foreign = commented('/fathom resolve', { user: { id: 2, login: 'tim', type: 'User' } });
    expect(read(foreign, 'issue_comment').kind).toBe('ignored');
  });

  test('a bot that takes our label off still ends the run', () => {
    const sender = { id: 12, login: 'cleaner[bot]', type: 'Bot' };
    expect(read({ ...labeled, action: 'unlabeled', sender })).toMatchObject({ entry: { kind: 'unlabeled' } });
  });
});

describe('what is asked', () => {
  test('label names are compared without regard to case, as GitHub does', () => {
    expect(read({ ...labeled, label: { name: 'Auto-Diagnose' } })).toMatchObject({ entry: { mode: 'diagnose' } });
  });

  test('an issue without text has an empty body', () => {
    expect(read(labeled)).toMatchObject({ entry: { issue: { body: '', author: 'tim' } } });
  });

  test('two deliveries of one event have one key; the label put on again later has another', () => {
    const keyOf = (payload: object, id: string) => {
      const reading = read(payload, 'issues', id);
      return reading.kind === 'entry' ? reading.entry.eventKey : '';
    };
    const later = { ...labeled, issue: { ...labeled.issue, updated_at: '2026-11-30T10:00:09Z' } };
    expect(keyOf(labeled, 'a')).toBe(keyOf(labeled, 'b'));
    expect(keyOf(labeled, 'a')).not.toBe(keyOf(later, 'a'));
    expect(keyOf(labeled, 'a')).not.toBe(keyOf({ ...labeled, label: { name: 'auto-diagnose' } }, 'a'));
  });

  test('commands are the five that there are, in the first line, in any case', () => {
    expect(commandOf('/fathom stop')).toBe('stop');
    expect(commandOf('  /Fathom   DIAGNOSE   the login page\r\nmore')).toBe('diagnose');
    expect(commandOf('/fathom')).toBeUndefined();
    expect(commandOf('/fathoms stop')).toBeUndefined();
    expect(commandOf('please /fathom stop')).toBeUndefined();
    expect(commandOf('\n/fathom stop')).toBeUndefined();
    expect(commandOf(`/fathom ${' '.repeat(60_000)}stop`)).toBeUndefined();
  });

  test.each(['/fathom', '/fathom frobnicate', '  /Fathom diagnos\nplease', `/fathom ${'x'.repeat(60_000)}`])(
    'what speaks to the App and is no command is kept, to be answered: %#',
    (body) => {
      expect(read(commented(body), 'issue_comment')).toMatchObject({ kind: 'entry', entry: { command: 'unknown' } });
      const allowedBot = { id: 55, login: 'b[bot]', type: 'Bot' };
      const byBot = { ...commented(body, { user: allowedBot }), sender: allowedBot };
      expect(read(byBot, 'issue_comment').kind).toBe('ignored');
    },
  );

  test.each([
    '> /fathom frobnicate',
    '```\n/fathom frobnicate\n```',
    '    /fathom diagnose',
    '\t/fathom stop',
    '`/fathom stop`',
    'Try /fathom frobnicate',
    '/fathoms',
  ])('what is quoted, is code or speaks of the App is neither a command nor answered: %j', (body) => {
    expect(read(commented(body), 'issue_comment').kind).toBe('ignored');
  });

  test.each([
    ['/fathom answer 2: It is cached.', { question: 2, text: 'It is cached.' }],
    ['/Fathom  Answer Q2 It is\r\n\r\ncached. 🧭', { question: 2, text: 'It is\r\n\r\ncached. 🧭' }],
    ['/fathom answer question 12.\n아니요', { question: 12, text: '아니요' }],
    ['/fathom answer 2', undefined],
    ['/fathom answer 0: No', undefined],
    ['/fathom answer 2nd is wrong', undefined],
    ['/fathom answer two: No', undefined],
    ['/fathom answer 123: No', undefined],
  ])('a correction has a number and a text, over as many lines as it takes: %j', (body, correction) => {
    expect(commandOf(body)).toBe('answer');
    expect(correctionOf(body)).toEqual(correction);
  });

  test('a correction is cut where no answer would be so long, between characters', () => {
    const text = correctionOf(`/fathom answer 1: ${'🧭'.repeat(30_000)}`)?.text ?? '';
    expect(text.length).toBeLessThanOrEqual(4_000);
    expect(text.isWellFormed()).toBe(true);
  });

  test('repositories that were added to an installation are named', () => {
    const repositories_added = [{ full_name: 'acme/new' }];
    const payload = { action: 'added', installation: { id: 777 }, sender: person, repositories_added };
    const reading = read({ ...payload, repositories_removed: [] }, 'installation_repositories');
    expect(reading).toMatchObject({ entry: { kind: 'repositories-added', repositories: ['acme/new'] } });
  });

  test.each([
    ['null', null],
    ['a list', []],
    ['a number', 7],
    ['a prototype trick', JSON.parse('{"action":"labeled","__proto__":{"installation":{"id":1}}}')],
    ['a label that is no text', { ...labeled, label: { name: 7 } }],
    ['a negative issue number', { ...labeled, issue: { ...labeled.issue, number: -1 } }],
    ['a time that is none', { ...labeled, issue: { ...labeled.issue, updated_at: 'yesterday' } }],
    ['no installation', { ...labeled, installation: undefined }],
    ['an action named like a method', { ...labeled, action: 'toString' }],
  ])('%s in place of a payload comes to nothing', (_name, payload) => {
    for (const event of ['issues', 'issue_comment', 'installation', 'constructor']) {
      expect(read(payload as object, event).kind).toBe('ignored');
    }
  });

  test('payloads that are bent at random come to an entry or to nothing, and never to an error', () => {
    const strange = [
      null,
      -1,
      Number.POSITIVE_INFINITY,
      '',
      'x'.repeat(70_000),
      '\u0000',
      [],
      {},
      [[]],
      true,
      '__proto__',
      '\ud800',
    ];
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return (seed >> 8) % below;
    };
    const bend = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return value.map(bend);
      const entries = Object.entries(value);
      const chosen = random(entries.length + 1);
      return Object.fromEntries(
        entries.map(([key, inner], n) => [
          key,
          n === chosen && random(2) === 0 ? strange[random(strange.length)] : bend(inner),
        ]),
      );
    };
    const kinds = new Set<string>();
    for (let n = 0; n < 3_000; n += 1) {
      const whole = { ...commented('/fathom retry'), action: ['labeled', 'created', 'closed', 'added'][random(4)] };
      const event = ['issues', 'issue_comment', 'installation', 'installation_repositories'][random(4)];
      kinds.add(read(bend(whole) as object, event).kind);
    }
    expect([...kinds].sort()).toEqual(['entry', 'ignored']);
  });
});

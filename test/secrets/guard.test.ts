import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { composeModel } from '#src/cli/compose.ts';
import { loadConfig } from '#src/config.ts';
import type { InboxEntry, IssueInboxEntry } from '#src/domain/inbox.ts';
import type { Proposal } from '#src/domain/ports/forge.ts';
import { createFolderLedger } from '#src/jobs/folder-ledger.ts';
import { createFolderTrajectories } from '#src/jobs/folder-trajectories.ts';
import { readRecording } from '#src/model/recording.ts';
import { createSecrets } from '#src/secrets/create-secrets.ts';
import { guardForge, guardInbox, guardLedger, guardTrajectories } from '#src/secrets/guard.ts';
import { createLog } from '#src/server/log.ts';
import { chatRequest } from '../fakes/chat-request.ts';
import { startChatServer } from '../fakes/chat-server.ts';
import { correction, labeled } from '../jobs/support/entries.ts';
import { fakeSecrets } from './fake-secrets.ts';

const token = fakeSecrets()['a GitHub token'] ?? '';
const apiKey = 'operators4key-of-the-provider';
const secrets = createSecrets([apiKey]);
const at = '2026-01-01T00:00:00.000Z';

function everythingIn(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

describe('what is kept of a run', () => {
  it('holds no secret, and everything else as it was', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'guarded-'));
    const ledger = guardLedger(createFolderLedger(folder), secrets);
    const diff = Buffer.from(`+${token}`).toString('base64');
    const artefact = { text: `it printed ${token}`, parts: [{ key: apiKey, lines: 3, none: null }], patch: { diff } };
    await ledger.save('run', 'answer/Q1', artefact);
    await ledger.append('run', { at, type: 'note', text: apiKey } as never);
    const kept = everythingIn(folder);
    expect(kept).not.toContain(token);
    expect(kept).not.toContain(apiKey);
    expect(await ledger.load('run', 'answer/Q1', z.any())).toEqual({
      text: expect.stringMatching(/^it printed \[removed: GitHub Token\]$/),
      parts: [{ key: "[removed: one of the operator's secrets]", lines: 3, none: null }],
      patch: { diff },
    });
  });

  it('has the transcript in its order, without secrets, whatever takes longer to look at', async () => {
    const store = guardTrajectories(createFolderTrajectories(mkdtempSync(join(tmpdir(), 'guarded-'))), secrets);
    const entry = (step: number, text: string) =>
      ({ type: 'message', at, step, message: { role: 'user', text } }) as const;
    const texts = [`${'long '.repeat(60_000)}${token}`, `short ${apiKey}`, 'last'];
    await Promise.all(texts.map((text, step) => store.append('run', 'resolver', entry(step, text))));
    const read = await store.read('run', 'resolver');
    expect(read.map((one) => 'step' in one && one.step)).toEqual([0, 1, 2]);
    expect(JSON.stringify(read)).not.toContain(token);
    expect(JSON.stringify(read)).not.toContain(apiKey);
  });
});

describe('what is written to the code host', () => {
  it('holds no secret: comments, titles, descriptions, commit messages', async () => {
    const written: unknown[] = [];
    const forge = guardForge(
      {
        comment: async (...asked) => void written.push(asked),
        propose: async (proposal: Proposal, _signal: AbortSignal) => {
          written.push(proposal);
          return { kind: 'refused' as const, reason: 'test' };
        },
      },
      secrets,
    );
    const issue = { owner: 'o', repo: 'r', number: 1 } as never;
    await forge.comment(issue, 'run:1', `The log says ${token}.`);
    const texts = { title: `Fix ${token}`, body: apiKey, commitMessage: `Use ${token}` };
    await forge.propose({ issue, ...texts } as unknown as Proposal, new AbortController().signal);
    expect(written).toHaveLength(2);
    expect(JSON.stringify(written)).not.toContain(token);
    expect(JSON.stringify(written)).not.toContain(apiKey);
  });
});

describe('a line of the log', () => {
  it('holds no secret, in its message, its fields or an error', () => {
    const lines: string[] = [];
    const log = createLog('info', { write: (line: string) => void lines.push(line) }, secrets.redactOwn);
    log.error({ err: new Error(`refused ${token}`), url: `https://x.example/?key=${apiKey}` }, `with ${token}`);
    expect(lines.join('')).not.toContain(token);
    expect(lines.join('')).not.toContain(apiKey);
    expect(JSON.parse(lines.join('')).msg).toBe('with [removed: GitHub Token]');
  });
});

describe('what somebody wrote into an issue', () => {
  it('is kept without the secret in it, and is otherwise what the delivery said', async () => {
    const kept: InboxEntry[] = [];
    const accept = async (entry: InboxEntry) => {
      kept.push(entry);
      return 'new' as const;
    };
    const inbox = guardInbox({ accept }, secrets);
    const entry = labeled() as IssueInboxEntry;
    const issue = { ...entry.issue, title: `Wrong date, see ${token}`, body: `My key is ${apiKey}.` };
    await inbox.accept({ ...entry, issue });
    const clean = { title: 'Wrong date, see [removed: GitHub Token]', body: expect.not.stringContaining(apiKey) };
    expect(kept).toEqual([{ ...entry, issue: { ...issue, ...clean } }]);
    await inbox.accept(correction(1, `See ${token} there`));
    expect(kept[1]).toMatchObject({ correction: { text: 'See [removed: GitHub Token] there' } });
  });
});

describe('a recording of a model', () => {
  it('holds no secret that the model repeated, and can be played', async () => {
    const server = await startChatServer(() => ({ text: `The key is ${token}, I think.` }));
    onTestFinished(() => server.close());
    const file = join(mkdtempSync(join(tmpdir(), 'recorded-')), 'run.jsonl');
    const variables = { FATHOM_RECORD: file, OPENAI_API_KEY: apiKey, FATHOM_MODEL: 'm', OPENAI_BASE_URL: server.url };
    await composeModel(loadConfig({}, tmpdir(), variables))?.complete(chatRequest(), new AbortController().signal);
    const kept = readFileSync(file, 'utf8');
    expect(kept).not.toContain(token);
    expect(readRecording(kept.split('\n'))[0]?.reply.text).toBe('The key is [removed: GitHub Token], I think.');
  });
});

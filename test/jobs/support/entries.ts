import { randomUUID } from 'node:crypto';
import type { CommandName, InboxEntry, IssueInboxEntry } from '../../../src/domain/inbox.ts';

export interface EntryOf {
  issue?: number;
  repository?: number;
  installation?: number;
  actor?: string;
  delivery?: string;
  key?: string;
  body?: string;
  /** When it happened on the code host. */
  at?: string;
}

const repositoryOf = (id: number) => ({
  id,
  owner: 'acme',
  name: `widget-${id}`,
  private: false,
  cloneUrl: `https://github.test/acme/widget-${id}.git`,
});

function base({
  issue = 1,
  repository = 10,
  installation = 77,
  actor = 'alice',
  delivery,
  key,
  body = 'It breaks.',
  at = '2026-11-30T12:00:00.000Z',
}: EntryOf) {
  return {
    deliveryId: delivery ?? randomUUID(),
    eventKey: key ?? randomUUID(),
    installationId: installation,
    receivedAt: '2026-11-30T12:00:00.000Z',
    actor: { id: 5, login: actor },
    repository: repositoryOf(repository),
    issue: {
      id: 1000 + issue,
      number: issue,
      title: `Issue ${issue}`,
      body,
      author: 'reporter',
      url: `https://github.test/acme/widget-${repository}/issues/${issue}`,
      labels: ['auto-triage', 'auto-diagnose'],
      open: true,
      locked: false,
      updatedAt: at,
    },
  };
}

export const labeled = (of: EntryOf = {}, label = 'auto-triage'): InboxEntry => ({
  ...base(of),
  kind: 'labeled',
  label,
  mode: label === 'auto-triage' ? 'resolve' : 'diagnose',
});

export const unlabeled = (of: EntryOf = {}, label = 'auto-triage'): InboxEntry => ({
  ...base(of),
  kind: 'unlabeled',
  label,
  mode: label === 'auto-triage' ? 'resolve' : 'diagnose',
});

export const command = (name: CommandName | 'unknown', of: EntryOf = {}): InboxEntry => ({
  ...base(of),
  kind: 'command',
  command: name,
  comment: { id: 900, createdAt: of.at ?? '2026-11-30T12:00:00.000Z' },
});

export const correction = (question: number, text: string, of: EntryOf = {}): InboxEntry => ({
  ...base(of),
  kind: 'command',
  command: 'answer',
  correction: { question, text },
  comment: { id: 901, createdAt: '2026-11-30T12:00:00.000Z' },
});

export const happened = (kind: 'closed' | 'locked' | 'deleted' | 'transferred' | 'edited', of: EntryOf = {}) =>
  ({ ...base(of), kind }) satisfies IssueInboxEntry;

type InstallationKind = Extract<InboxEntry, { repositories: string[] }>['kind'];

export function installation(kind: InstallationKind, repositories: string[] = []): InboxEntry {
  return {
    deliveryId: randomUUID(),
    eventKey: randomUUID(),
    installationId: 77,
    receivedAt: '2026-11-30T12:00:00.000Z',
    kind,
    actor: { id: 6, login: 'owner' },
    repositories,
  };
}

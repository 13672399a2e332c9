import type { z } from 'zod';
import type { InboxEntry, IssueInboxEntry } from '../../domain/inbox.ts';
import { commandOf, correctionOf, isAddressed } from './command.ts';
import { CommentPayload, InstallationPayload, IssuePayload, type Sender } from './payload.ts';

/** A delivery whose signature was right. */
export interface Delivery {
  /** `X-GitHub-Delivery`. */
  id: string;
  /** `X-GitHub-Event`. */
  event: string;
  payload: unknown;
  receivedAt: Date;
}

export interface WebhookRules {
  /** Names of the labels that ask for a run. Compared without regard to case, as GitHub does. */
  labels: { diagnose: string; resolve: string };
  appId: number;
  /** The App's own user: what it does asks for nothing. Until GitHub has named it, it is a bot like any other. */
  botId: number | undefined;
  /** Ids of bots that may ask for runs like people. */
  allowedBots: readonly number[];
}

type InstallationKind = Extract<InboxEntry, { repositories: string[] }>['kind'];
export type Reading = { kind: 'entry'; entry: InboxEntry } | { kind: 'ignored'; because: string };

const ignored = (because: string): Reading => ({ kind: 'ignored', because });

/**
 * What a delivery asks for, or why it asks for nothing. Does no work and no input or output: who may ask is decided by
 * whoever takes the entry out of the inbox.
 */
export function toInboxEntry(delivery: Delivery, rules: WebhookRules): Reading {
  switch (delivery.event) {
    case 'issues':
      return readIssue(delivery, rules);
    case 'issue_comment':
      return readComment(delivery, rules);
    case 'installation':
    case 'installation_repositories':
      return readInstallation(delivery);
    default:
      return ignored('an event of no use');
  }
}

const endings: readonly string[] = ['closed', 'locked', 'deleted', 'transferred', 'edited'];

function readIssue(delivery: Delivery, rules: WebhookRules): Reading {
  const parsed = IssuePayload.safeParse(delivery.payload);
  if (!parsed.success) return ignored('a payload without an issue, its repository, sender or installation');
  const payload = parsed.data;
  if (payload.issue.pull_request) return ignored('a pull request');
  const { action } = payload;
  if (action === 'labeled' || action === 'unlabeled') return readLabel(delivery, payload, action, rules);
  if (!endings.includes(action)) return ignored('an action of no use');
  if (payload.sender.id === rules.botId) return ignored('done by the App itself');
  return entry({ ...common(delivery, payload, action), kind: action as 'closed' });
}

/** Only the label that was added or taken off counts, never those that the issue has besides. */
function readLabel(
  delivery: Delivery,
  payload: z.infer<typeof IssuePayload>,
  kind: 'labeled' | 'unlabeled',
  rules: WebhookRules,
): Reading {
  const label = payload.label?.name ?? '';
  const mode = modeOf(label, rules);
  if (mode === undefined) return ignored('another label');
  const refusal = refusalOf(payload.sender, rules);
  // A label that a bot takes off still ends a run: stopping is never refused.
  if (refusal !== undefined && kind === 'labeled') return ignored(refusal);
  return entry({ ...common(delivery, payload, `${kind}/${label.toLowerCase()}`), kind, label, mode });
}

function readComment(delivery: Delivery, rules: WebhookRules): Reading {
  const parsed = CommentPayload.safeParse(delivery.payload);
  if (!parsed.success) return ignored('a payload without a comment, its issue, repository, sender or installation');
  const { comment, issue, sender, action } = parsed.data;
  if (action !== 'created') return ignored('a comment that is not new');
  if (issue.pull_request) return ignored('a pull request');
  const command = commandOf(comment.body) ?? (isAddressed(comment.body) ? 'unknown' : undefined);
  if (command === undefined) return ignored('a comment without a command');
  if (comment.performed_via_github_app?.id === rules.appId) return ignored('written by the App itself');
  if (comment.user?.id !== sender.id) return ignored('a comment by another than its sender');
  const refusal = refusalOf(sender, rules);
  if (refusal !== undefined) return ignored(refusal);
  if (command === 'unknown' && sender.type !== 'User') return ignored('no command, and by a bot');
  const correction = command === 'answer' ? correctionOf(comment.body) : undefined;
  return entry({
    ...common(delivery, parsed.data, 'command'),
    eventKey: `comment/${comment.id}`,
    kind: 'command',
    command,
    ...(correction === undefined ? {} : { correction }),
    comment: { id: comment.id, createdAt: comment.created_at },
  });
}

const installationKinds = new Map([
  ['created', 'installed'],
  ['deleted', 'uninstalled'],
  ['suspend', 'suspended'],
  ['unsuspend', 'unsuspended'],
  ['added', 'repositories-added'],
  ['removed', 'repositories-removed'],
] as const satisfies [string, InboxEntry['kind']][]) as ReadonlyMap<string, InstallationKind>;

function readInstallation(delivery: Delivery): Reading {
  const parsed = InstallationPayload.safeParse(delivery.payload);
  if (!parsed.success) return ignored('a payload without an installation');
  const { action, installation, sender, ...lists } = parsed.data;
  const kind = installationKinds.get(action);
  if (kind === undefined) return ignored('an action of no use');
  const list = [lists.repositories_added, lists.repositories_removed, lists.repositories].find((some) => some?.length);
  return entry({
    deliveryId: delivery.id,
    eventKey: `delivery/${delivery.id}`,
    installationId: installation.id,
    receivedAt: delivery.receivedAt.toISOString(),
    actor: { id: sender.id, login: sender.login },
    kind,
    repositories: (list ?? []).map((repository) => repository.full_name),
  });
}

const entry = (made: InboxEntry): Reading => ({ kind: 'entry', entry: made });

function modeOf(label: string, { labels }: WebhookRules): 'diagnose' | 'resolve' | undefined {
  const name = label.toLowerCase();
  if (name === labels.resolve.toLowerCase()) return 'resolve';
  return name === labels.diagnose.toLowerCase() ? 'diagnose' : undefined;
}

/** Bots go by their id. A login ends in anything its owner likes. */
function refusalOf(sender: z.infer<typeof Sender>, rules: WebhookRules): string | undefined {
  if (sender.id === rules.botId) return 'done by the App itself';
  return sender.type === 'User' || rules.allowedBots.includes(sender.id) ? undefined : 'done by a bot';
}

type Common = Pick<
  IssueInboxEntry,
  'deliveryId' | 'eventKey' | 'installationId' | 'receivedAt' | 'actor' | 'repository' | 'issue'
>;

/** GitHub gives a label event no id; the issue's time of change and the label name it once and for all. */
function common(delivery: Delivery, payload: z.infer<typeof IssuePayload>, what: string): Common {
  const { issue, repository, sender, installation } = payload;
  return {
    deliveryId: delivery.id,
    eventKey: `issue/${issue.id}/${what}/${issue.updated_at}`,
    installationId: installation.id,
    receivedAt: delivery.receivedAt.toISOString(),
    actor: { id: sender.id, login: sender.login },
    repository: {
      id: repository.id,
      owner: repository.owner.login,
      name: repository.name,
      private: repository.private,
      cloneUrl: repository.clone_url,
    },
    issue: {
      id: issue.id,
      number: issue.number,
      title: issue.title,
      body: issue.body ?? '',
      ...(issue.user && { author: issue.user.login }),
      url: issue.html_url,
      labels: issue.labels.map((label) => label.name),
      open: issue.state === 'open',
      locked: issue.locked,
      updatedAt: issue.updated_at,
    },
  };
}

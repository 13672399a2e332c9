import { z } from 'zod';

/** Who did what a webhook tells of. `id` is what decisions go by; a login can change hands. */
export const InboxActor = z.object({ id: z.int(), login: z.string() });
export type InboxActor = z.infer<typeof InboxActor>;

export const InboxRepository = z.object({
  id: z.int(),
  owner: z.string(),
  name: z.string(),
  private: z.boolean(),
  cloneUrl: z.url(),
});
export type InboxRepository = z.infer<typeof InboxRepository>;

/** The issue as the event carried it: Markdown, not what it renders to. */
export const InboxIssue = z.object({
  id: z.int(),
  number: z.int().positive(),
  title: z.string(),
  body: z.string(),
  author: z.string().optional(),
  url: z.url(),
  labels: z.array(z.string()),
  open: z.boolean(),
  locked: z.boolean(),
  updatedAt: z.iso.datetime(),
});
export type InboxIssue = z.infer<typeof InboxIssue>;

export const CommandName = z.enum(['diagnose', 'resolve', 'retry', 'stop', 'answer']);
export type CommandName = z.infer<typeof CommandName>;

const base = {
  /** GitHub's id of the delivery; the same when a delivery is sent again. */
  deliveryId: z.string(),
  /** Names the event itself, so that it counts once however many deliveries tell of it. */
  eventKey: z.string(),
  installationId: z.int(),
  receivedAt: z.iso.datetime(),
};
const onIssue = { ...base, actor: InboxActor, repository: InboxRepository, issue: InboxIssue };

/** A label of ours was added (`labeled`: run in `mode`) or taken off. */
const LabelEntry = z.object({
  ...onIssue,
  kind: z.enum(['labeled', 'unlabeled']),
  label: z.string(),
  mode: z.enum(['diagnose', 'resolve']),
});
/** A maintainer's answer to the question of that number of the last diagnosis, in place of what was found. */
export const Correction = z.object({ question: z.int().positive(), text: z.string().min(1) });
export type Correction = z.infer<typeof Correction>;

const CommandEntry = z.object({
  ...onIssue,
  kind: z.literal('command'),
  /** `unknown`: the App was spoken to, and it is none of them. */
  command: CommandName.or(z.literal('unknown')),
  /** Only of `answer`; absent where it could not be understood. */
  correction: Correction.optional(),
  comment: z.object({ id: z.int(), createdAt: z.iso.datetime() }),
});
/** The issue changed in a way that a run on it has to know: all but `edited` end the run. */
const IssueEntry = z.object({ ...onIssue, kind: z.enum(['closed', 'locked', 'deleted', 'transferred', 'edited']) });
const InstallationEntry = z.object({
  ...base,
  kind: z.enum(['installed', 'uninstalled', 'suspended', 'unsuspended', 'repositories-added', 'repositories-removed']),
  actor: InboxActor,
  /** Names `owner/name`; empty where the event names none. */
  repositories: z.array(z.string()),
});

/** What a verified webhook delivery comes to. Stored before the delivery is acknowledged, acted upon afterwards. */
export const InboxEntry = z.discriminatedUnion('kind', [LabelEntry, CommandEntry, IssueEntry, InstallationEntry]);
export type InboxEntry = z.infer<typeof InboxEntry>;
export type IssueInboxEntry = Exclude<InboxEntry, { repositories: string[] }>;

import { z } from 'zod';

const id = z.int().nonnegative();
const when = z.string().transform((text, context) => {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return new Date(time).toISOString();
  context.issues.push({ code: 'custom', message: 'not a time', input: text });
  return z.NEVER;
});

/** The parts of GitHub's payloads that are read. https://docs.github.com/webhooks/webhook-events-and-payloads */
export const Sender = z.object({ id, login: z.string(), type: z.string() });
const Installation = z.object({ id });
const Repository = z.object({
  id,
  name: z.string(),
  owner: z.object({ login: z.string() }),
  private: z.boolean(),
  clone_url: z.url(),
});
const Issue = z.object({
  id,
  number: z.int().positive(),
  title: z.string(),
  body: z.string().nullish(),
  user: z.object({ login: z.string() }).nullish(),
  html_url: z.url(),
  labels: z.array(z.object({ name: z.string() })).default([]),
  state: z.string(),
  locked: z.boolean().default(false),
  updated_at: when,
  pull_request: z.object({}).nullish(),
});
export const IssuePayload = z.object({
  action: z.string(),
  issue: Issue,
  label: z.object({ name: z.string() }).nullish(),
  repository: Repository,
  sender: Sender,
  installation: Installation,
});
export const CommentPayload = IssuePayload.extend({
  comment: z.object({
    id,
    body: z.string(),
    created_at: when,
    user: Sender.nullish(),
    performed_via_github_app: z.object({ id }).nullish(),
  }),
});
const named = z.array(z.object({ full_name: z.string() })).nullish();
export const InstallationPayload = z.object({
  action: z.string(),
  installation: Installation,
  sender: Sender,
  repositories: named,
  repositories_added: named,
  repositories_removed: named,
});

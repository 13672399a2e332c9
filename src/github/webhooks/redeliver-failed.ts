import type { Octokit } from '@octokit/rest';
import { ForgeError } from '../../domain/errors.ts';
import type { GitHubLog } from '../github-log.ts';

const MOST_PAGES = 20;

/**
 * Asks GitHub for the deliveries that reached nobody, after the server was away: GitHub sends each once and keeps it for
 * three days. What was stored already is known by its id, so that asking too often does no harm.
 * https://docs.github.com/webhooks/using-webhooks/automatically-redelivering-failed-deliveries-for-a-github-app-webhook
 *
 * @param app speaks for the App itself
 * @returns how many were asked for
 */
export async function redeliverFailed(app: Octokit, since: Date, log: GitHubLog): Promise<number> {
  const answered = new Set<string>();
  const failed = new Map<string, number>();
  for (const delivery of await deliveriesSince(app, since)) {
    const arrived = delivery.status_code >= 200 && delivery.status_code < 300;
    if (arrived) answered.add(delivery.guid);
    else if (!failed.has(delivery.guid)) failed.set(delivery.guid, delivery.id);
  }
  const lost = [...failed].filter(([guid]) => !answered.has(guid));
  let asked = 0;
  for (const [guid, delivery_id] of lost.reverse()) {
    try {
      await app.rest.apps.redeliverWebhookDelivery({ delivery_id });
      asked += 1;
    } catch (error) {
      if (!(error instanceof ForgeError)) throw error;
      log.warn({ delivery: guid, err: error }, 'a lost delivery cannot be had again');
    }
  }
  return asked;
}

type ListedDelivery = Awaited<ReturnType<Octokit['rest']['apps']['listWebhookDeliveries']>>['data'][number];

/** Newest first, as GitHub lists them. */
async function deliveriesSince(app: Octokit, since: Date): Promise<ListedDelivery[]> {
  const found: ListedDelivery[] = [];
  let pages = 0;
  for await (const { data } of app.paginate.iterator(app.rest.apps.listWebhookDeliveries, { per_page: 100 })) {
    found.push(...data.filter((delivery) => Date.parse(delivery.delivered_at) >= since.getTime()));
    const oldest = data.at(-1);
    pages += 1;
    const past = oldest === undefined || Date.parse(oldest.delivered_at) < since.getTime();
    if (past || pages >= MOST_PAGES) break;
  }
  return found;
}

import { ForgeError, type ForgeFailure } from '../domain/errors.ts';
import type { Installations } from '../github/installations.ts';

type Deliveries = Pick<Installations['app']['rest']['apps'], 'listWebhookDeliveries' | 'redeliverWebhookDelivery'>;

/** GitHub keeps deliveries for three days; a page holds the hundred newest. */
const PAGES = 50;
const useful = new Set(['issues', 'issue_comment', 'installation', 'installation_repositories']);

interface Delivery {
  id: number;
  guid: string;
  event: string;
  status_code: number;
  delivered_at: string;
}

/**
 * Has GitHub send again what never arrived: it does not do so by itself. `since` is how far to look back. What fails
 * again waits longer each time, an hour at most, so that no outage shorter than GitHub's memory loses anything. The
 * oldest come first, since they are acted upon in the order in which they arrive.
 * https://docs.github.com/rest/apps/webhooks#list-deliveries-for-an-app-webhook
 * @throws ForgeError
 */
export async function redeliverFailed(app: Installations['app'], since: Date, now: Date): Promise<number> {
  let sent = 0;
  for (const { id } of lost(await listSince(app, since), now)) if (await redeliver(app, id)) sent++;
  return sent;
}

const REFUSED: readonly ForgeFailure[] = ['not-found', 'gone', 'unprocessable'];

/** False where GitHub cannot send this one: the others must not wait for it. */
async function redeliver(app: { rest: { apps: Deliveries } }, delivery_id: number): Promise<boolean> {
  try {
    await app.rest.apps.redeliverWebhookDelivery({ delivery_id });
    return true;
  } catch (error) {
    if (error instanceof ForgeError && REFUSED.includes(error.failure)) return false;
    throw error;
  }
}

async function listSince(app: { rest: { apps: Deliveries } }, since: Date): Promise<Delivery[]> {
  const all: Delivery[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES; page++) {
    const asked = { per_page: 100, ...(cursor === undefined ? {} : { cursor }) };
    const { data, headers } = await app.rest.apps.listWebhookDeliveries(asked);
    all.push(...data);
    const last = data.at(-1);
    cursor = /[?&]cursor=([^&>]+)[^>]*>;\s*rel="next"/.exec(headers.link ?? '')?.[1];
    if (cursor === undefined || last === undefined || new Date(last.delivered_at) < since) break;
    cursor = decodeURIComponent(cursor);
  }
  return all.filter((delivery) => new Date(delivery.delivered_at) >= since);
}

/** The newest attempt at each delivery of which none arrived. A redelivery has the guid of the first attempt. */
function lost(deliveries: Delivery[], now: Date): Delivery[] {
  const byGuid = Map.groupBy(
    deliveries.filter((delivery) => useful.has(delivery.event)),
    (delivery) => delivery.guid,
  );
  const newest = [...byGuid.values()].flatMap((attempts) => {
    const arrived = attempts.some(({ status_code: status }) => status >= 200 && status < 300);
    const [last] = attempts;
    return arrived || last === undefined || !isDue(last, attempts.length, now) ? [] : [last];
  });
  return newest.toReversed();
}

const MINUTE_MS = 60_000;

/** At once, then after 10, 20, 40 and 60 minutes; a little earlier, since the look that is due comes at no exact time. */
function isDue({ delivered_at: at }: Delivery, attempts: number, now: Date): boolean {
  if (attempts === 1) return true;
  const minutes = Math.min(10 * 2 ** (attempts - 2), 60) - 1;
  return now.getTime() - new Date(at).getTime() >= minutes * MINUTE_MS;
}

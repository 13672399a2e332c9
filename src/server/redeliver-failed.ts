import type { Installations } from '../github/installations.ts';

type Deliveries = Pick<Installations['app']['rest']['apps'], 'listWebhookDeliveries' | 'redeliverWebhookDelivery'>;

/** GitHub keeps deliveries for three days; a page holds the hundred newest. */
const PAGES = 10;
/** What failed so often by now fails for a reason that another try does not change. */
const ATTEMPTS = 4;
const useful = new Set(['issues', 'issue_comment', 'installation', 'installation_repositories']);

interface Delivery {
  id: number;
  guid: string;
  event: string;
  status_code: number;
  delivered_at: string;
}

/**
 * Has GitHub send again what never arrived: it does not do so by itself. `since` is how far to look back.
 * https://docs.github.com/rest/apps/webhooks#list-deliveries-for-an-app-webhook
 * @throws ForgeError
 */
export async function redeliverFailed(app: Installations['app'], since: Date): Promise<number> {
  const failed = lost(await listSince(app, since));
  for (const delivery of failed) await app.rest.apps.redeliverWebhookDelivery({ delivery_id: delivery.id });
  return failed.length;
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
function lost(deliveries: Delivery[]): Delivery[] {
  const byGuid = Map.groupBy(
    deliveries.filter((delivery) => useful.has(delivery.event)),
    (delivery) => delivery.guid,
  );
  return [...byGuid.values()].flatMap((attempts) => {
    const arrived = attempts.some(({ status_code: status }) => status >= 200 && status < 300);
    const newest = attempts[0];
    return arrived || attempts.length >= ATTEMPTS || newest === undefined ? [] : [newest];
  });
}

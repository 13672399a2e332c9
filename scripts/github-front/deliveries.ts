import { createHmac, randomUUID } from 'node:crypto';

interface Delivery {
  /** `X-GitHub-Delivery`; the same when it is sent again. */
  id: string;
  event: string;
  action: string | undefined;
  body: Buffer;
  /** Status of each attempt; 0 where there was no answer. */
  statuses: number[];
  deliveredAt: string;
}

/** Webhooks: signed, sent once, logged, and sent again only when asked, as GitHub does. */
export interface Deliveries {
  readonly log: Delivery[];
  setUrl(url: string | undefined): void;
  send(event: string, payload: object): Promise<Delivery>;
  redeliver(id: string): Promise<number>;
  /** The first delivery that fits and was answered; waits for it when there is none yet. */
  arrived(fits: (delivery: Delivery) => boolean): Promise<Delivery>;
  /** Resolves when nothing is under way any more. */
  settled(): Promise<void>;
}

export const signatureOf = (secret: string, body: Buffer | string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

export function createDeliveries(secret: string, firstUrl?: string): Deliveries {
  let url = firstUrl;
  const log: Delivery[] = [];
  const underWay = new Set<Promise<unknown>>();
  const waiting = new Set<() => void>();

  async function attempt(delivery: Delivery): Promise<number> {
    const sent = url === undefined ? Promise.resolve(0) : post(url, secret, delivery);
    underWay.add(sent);
    const status = await sent;
    underWay.delete(sent);
    delivery.statuses.push(status);
    for (const look of waiting) look();
    return status;
  }
  return {
    log,
    setUrl: (next) => {
      url = next;
    },
    async send(event, payload) {
      const action = 'action' in payload ? String(payload.action) : undefined;
      const body = Buffer.from(JSON.stringify(payload));
      const delivery = { id: randomUUID(), event, action, body, statuses: [], deliveredAt: new Date().toISOString() };
      log.push(delivery);
      await attempt(delivery);
      return delivery;
    },
    async redeliver(id) {
      const delivery = log.find((entry) => entry.id === id);
      if (delivery === undefined) throw new Error(`no delivery ${id}`);
      return attempt(delivery);
    },
    arrived: (fits) =>
      new Promise((resolve) => {
        const look = () => {
          const found = log.find((entry) => entry.statuses.length > 0 && fits(entry));
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found);
        };
        waiting.add(look);
        look();
      }),
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}

async function post(url: string, secret: string, delivery: Delivery): Promise<number> {
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'GitHub-Hookshot/front',
    'x-github-event': delivery.event,
    'x-github-delivery': delivery.id,
    'x-github-hook-installation-target-type': 'integration',
    'x-hub-signature-256': signatureOf(secret, delivery.body),
  };
  const init = { method: 'POST', headers, body: new Uint8Array(delivery.body), signal: AbortSignal.timeout(10_000) };
  return fetch(url, init).then(
    (response) => response.status,
    () => 0,
  );
}

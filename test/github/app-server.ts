import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import pino from 'pino';
import type { InboxEntry } from '#src/domain/inbox.ts';
import type { RunInbox } from '#src/domain/ports/run-inbox.ts';
import type { WebhookRules } from '#src/github/webhooks/to-inbox-entry.ts';
import { createWebhookHandler, type WebhookOptions } from '#src/github/webhooks/webhook-handler.ts';
import type { GitHubFront } from '../../scripts/github-front/github-front.ts';
import { stillClock } from './forge-on-front.ts';

/** An inbox in memory that knows what it has seen, and can be told to fail. */
export function memoryInbox(): RunInbox & { entries: InboxEntry[]; failing: boolean; calls: number } {
  const seen = new Set<string>();
  const inbox = {
    entries: [] as InboxEntry[],
    failing: false,
    calls: 0,
    async accept(entry: InboxEntry): Promise<'new' | 'known'> {
      inbox.calls += 1;
      if (inbox.failing) throw new Error('disk full at /secret/place');
      if (seen.has(entry.deliveryId) || seen.has(entry.eventKey)) return 'known';
      seen.add(entry.deliveryId).add(entry.eventKey);
      inbox.entries.push(entry);
      return 'new';
    },
  };
  return inbox;
}

export const rulesOf = (front: Pick<GitHubFront, 'appId' | 'bot'>): WebhookRules => ({
  labels: { diagnose: 'auto-diagnose', resolve: 'auto-triage' },
  appId: front.appId,
  botId: front.bot.id,
  allowedBots: [],
});

export interface AppServer {
  url: string;
  inbox: ReturnType<typeof memoryInbox>;
  logged: string[];
  stop(): Promise<void>;
}

/** The App's webhook handler on a server of its own, with the front delivering to it. */
export async function startAppServer(front: GitHubFront, options: Partial<WebhookOptions> = {}): Promise<AppServer> {
  const inbox = memoryInbox();
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  const { appId, privateKey, webhookSecret: secret } = front;
  const rules = () => rulesOf(front);
  const handler = await createWebhookHandler({
    ...{ appId, privateKey, secret, rules, inbox, log, clock: stillClock() },
    ...options,
  });
  const server: Server = createServer(async (request, response) => {
    if (!(await handler(request, response))) response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/github/webhooks`;
  front.deliveries.setUrl(url);
  return {
    url,
    inbox,
    logged,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createWebhookHandler } from '#src/github/webhooks/webhook-handler.ts';
import { signatureOf } from '../../scripts/github-front/deliveries.ts';
import type { GitHubFront } from '../../scripts/github-front/github-front.ts';
import { startGitHubFront } from '../../scripts/github-front/start-github-front.ts';
import { type AppServer, memoryInbox, rulesOf, startAppServer } from './app-server.ts';
import { stillClock } from './forge-on-front.ts';

let front: GitHubFront;
let app: AppServer;
let issue = 0;

beforeAll(async () => {
  front = await startGitHubFront({
    repositories: [
      {
        owner: 'acme',
        name: 'widget',
        content: { commits: [{ message: 'Start', files: { 'README.md': '# widget\n' } }] },
        roles: { maria: 'write' },
        labels: ['auto-triage', 'auto-diagnose', 'good first issue'],
      },
    ],
    users: ['mallory'],
  });
  app = await startAppServer(front);
});
afterAll(async () => {
  await front.stop();
  await app.stop();
});

async function openIssue(title = '버튼이 사라집니다', body = '재현 방법:\n1. 클릭\n') {
  const opened = await front.as('mallory').open('acme/widget', { title, body });
  issue = opened.number;
  app.inbox.entries.length = 0;
  return opened;
}
/** The answered delivery of this event on the issue that was opened last. */
const arrived = (event: string, action: string) =>
  front.deliveries.arrived(
    (delivery) =>
      delivery.event === event &&
      delivery.action === action &&
      delivery.body.toString().includes(`/acme/widget/issues/${issue}"`),
  );
const send = (headers: Record<string, string>, body: string, method = 'POST') =>
  fetch(app.url, { method, headers, ...(method === 'POST' && { body }) });
const signed = (body: string, event = 'issues', id = 'by-hand') => ({
  'content-type': 'application/json',
  'x-github-event': event,
  'x-github-delivery': id,
  'x-hub-signature-256': signatureOf(front.webhookSecret, body),
});

const MIB = 2 ** 20;

describe('what is refused', () => {
  test('a wrong or missing signature is refused with 400, and nothing is stored', async () => {
    app.inbox.calls = 0;
    const body = '{"action":"labeled"}';
    const wrong = { ...signed(body), 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` };
    const { 'x-hub-signature-256': _, ...missing } = signed(body);
    expect((await send(wrong, body)).status).toBe(400);
    expect((await send(missing, body)).status).toBe(400);
    expect((await send(signed(`${body} `), body)).status).toBe(400);
    expect(app.inbox.calls).toBe(0);
  });

  test('huge bodies that strangers keep open do not fill the memory, and a delivery still comes through', async () => {
    const before = process.memoryUsage().arrayBuffers;
    const part = Buffer.alloc(24 * MIB, ' ');
    const headers = { 'content-length': String(25 * MIB) };
    let refused = 0;
    const bodies = Array.from({ length: 20 }, () => {
      const sent = httpRequest(app.url, { method: 'POST', headers }, () => void refused++);
      sent.on('error', () => void refused++);
      sent.write(part);
      return sent;
    });
    await vi.waitFor(() => expect(refused).toBeGreaterThanOrEqual(15), { timeout: 8000 });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(400 * MIB);
    const body = '{"action":"opened"}';
    expect((await send(signed(body), body)).status).toBe(200);
    for (const sent of bodies) sent.destroy();
  });

  test('a form, another method and a body that is no JSON are refused', async () => {
    const body = 'payload=x';
    const form = { ...signed(body), 'content-type': 'application/x-www-form-urlencoded' };
    expect((await send(form, body)).status).toBe(415);
    expect((await send({}, '', 'GET')).status).toBe(405);
    expect((await send(signed(body), body)).status).toBe(400);
  });

  test.each([
    ['no installation', { action: 'labeled', issue: {}, repository: {} }],
    ['no action', {}],
    ['an unknown event', { zen: 'x' }],
  ])('a signed delivery with %s is answered with success and comes to nothing', async (_name, payload) => {
    app.inbox.calls = 0;
    const body = JSON.stringify(payload);
    expect((await send(signed(body), body)).status).toBe(200);
    expect(app.inbox.calls).toBe(0);
  });

  test('a body above the limit is refused by its announced length before a byte of it is read', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { ...signed(''), 'content-length': 26 * 2 ** 20 };
      const request = httpRequest(app.url, { method: 'POST', headers }, (response) => resolve(response.statusCode));
      request.on('error', reject);
      request.flushHeaders();
    });
    expect(status).toBe(413);
  });

  test('a chunked body above the limit is refused while it comes', async () => {
    const small = await startAppServer(front, { limit: 10_000 });
    const status = await new Promise<number | undefined>((resolve) => {
      const request = httpRequest(small.url, { method: 'POST', headers: signed('') }, (response) =>
        resolve(response.statusCode),
      );
      request.on('error', () => undefined);
      request.write('x'.repeat(8_000));
      request.write('x'.repeat(8_000));
    });
    expect(status).toBe(413);
    await small.stop();
    front.deliveries.setUrl(app.url);
  });

  test('an inbox that fails is answered with 503 and without a word of why; the redelivery is stored', async () => {
    await openIssue();
    app.inbox.failing = true;
    await front.as('maria').label('acme/widget', issue, 'auto-triage');
    const delivery = await arrived('issues', 'labeled');
    expect(delivery.statuses).toEqual([503]);
    const answer = await send(signed(delivery.body.toString(), 'issues', delivery.id), delivery.body.toString());
    expect(await answer.text()).toBe('not stored, try again\n');
    app.inbox.failing = false;
    expect(await front.deliveries.redeliver(delivery.id)).toBe(200);
    expect(app.inbox.entries).toHaveLength(1);
  });

  test('storing that takes longer than GitHub waits is answered with 503, not with success', async () => {
    const hanging = { accept: () => new Promise<'new'>(() => undefined) };
    const entered = vi.spyOn(hanging, 'accept');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const slow = await startAppServer(front, { inbox: hanging });
      const labeled = front.deliveries.log.find((delivery) => delivery.action === 'labeled');
      const body = labeled?.body.toString() ?? '';
      const status = new Promise((resolve) => {
        const headers = signed(body, 'issues', 'slow');
        httpRequest(slow.url, { method: 'POST', headers }, (answer) => resolve(answer.statusCode)).end(body);
      });
      while (entered.mock.calls.length === 0) await new Promise((done) => setImmediate(done));
      vi.advanceTimersByTime(9_001);
      expect(await status).toBe(503);
      await slow.stop();
    } finally {
      vi.useRealTimers();
      front.deliveries.setUrl(app.url);
    }
  });

  test('no log line holds the secret, the key or a signature', () => {
    const all = app.logged.join('');
    expect(all).toContain('delivery stored');
    expect(all).not.toContain(front.webhookSecret);
    expect(all).not.toContain('PRIVATE KEY');
    expect(all).not.toContain('sha256=');
  });

  test('without a webhook secret nothing starts', async () => {
    const { appId, privateKey } = front;
    const others = { rules: () => rulesOf(front), inbox: memoryInbox(), clock: stillClock(), log: app.logged as never };
    await expect(createWebhookHandler({ appId, privateKey, secret: '', ...others })).rejects.toMatchObject({
      code: 'input',
    });
  });
});

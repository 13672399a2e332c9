import { request } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createHttpServer, type HttpServerParts } from '#src/server/http-server.ts';
import { silent } from '../github/forge-on-front.ts';

async function serve(parts: Partial<HttpServerParts> = {}): Promise<string> {
  const server = createHttpServer({
    webhook: async () => false,
    waitsFor: async () => undefined,
    metrics: () => ({ text: async () => 'metric 1\n', contentType: 'text/plain' }),
    metricsToken: undefined,
    log: silent,
    ...parts,
  });
  const port = await server.listen('127.0.0.1', 0);
  onTestFinished(() => server.close());
  return `http://127.0.0.1:${port}`;
}

describe('the HTTP server', () => {
  it('while it drains it is alive and not ready, and still takes deliveries', async () => {
    const state: { reason?: string } = {};
    const url = await serve({
      waitsFor: async () => state.reason,
      webhook: async (asked, response) => {
        if (asked.url !== '/api/github/webhooks') return false;
        response.writeHead(200).end('ok\n');
        return true;
      },
    });
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    state.reason = 'it stops';
    const answer = await fetch(`${url}/readyz`);
    expect([answer.status, await answer.text()]).toEqual([503, 'not ready: it stops\n']);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/api/github/webhooks`, { method: 'POST', body: '{}' })).status).toBe(200);
  });

  it('knows nothing else, and says so without more words', async () => {
    const url = await serve();
    const response = await fetch(`${url}/probot/setup?code=1`);
    expect([response.status, await response.text()]).toEqual([404, 'not found\n']);
    expect((await fetch(`${url}/healthz`, { method: 'POST', body: 'x' })).status).toBe(405);
  });

  it('metrics ask for the token where one is set', async () => {
    const url = await serve({ metricsToken: 'a token of some length' });
    const get = (authorization?: string) =>
      fetch(`${url}/metrics`, authorization === undefined ? {} : { headers: { authorization } });
    expect((await get()).status).toBe(401);
    expect((await get('Bearer another token of len')).status).toBe(401);
    expect(await (await get('Bearer a token of some length')).text()).toBe('metric 1\n');
  });

  it('metrics are not there before there are any, and health is', async () => {
    const url = await serve({ metrics: () => undefined });
    expect((await fetch(`${url}/metrics`)).status).toBe(503);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it('a fault in a handler is an answer without its message', async () => {
    const url = await serve({
      webhook: async () => {
        throw new Error('a secret place');
      },
    });
    const response = await fetch(`${url}/x`);
    expect([response.status, await response.text()]).toEqual([500, 'error\n']);
  });

  it('a body that nobody asked for is not read', async () => {
    const url = await serve();
    const status = await new Promise((resolve, reject) => {
      const sent = request(`${url}/healthz`, { method: 'PUT', headers: { 'content-length': 10 ** 9 } }, (response) => {
        resolve(response.statusCode);
        sent.destroy();
      });
      sent.on('error', reject);
      sent.write('x'.repeat(1000));
    });
    expect(status).toBe(405);
  });

  it('a port that is taken is named with a remedy', async () => {
    const url = new URL(await serve());
    const other = createHttpServer({
      webhook: async () => false,
      waitsFor: async () => undefined,
      metrics: () => undefined,
      metricsToken: undefined,
      log: silent,
    });
    await expect(other.listen('127.0.0.1', Number(url.port))).rejects.toMatchObject({ code: 'listen' });
  });
});

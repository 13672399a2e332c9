import { mkdtempSync, readdirSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SetUpNetwork } from '#src/domain/set-up-access.ts';
import type { EgressOptions } from '#src/sandbox/egress-rules.ts';
import { startSetUpProxy } from '#src/sandbox/set-up-proxy.ts';

async function proxy(network: Partial<SetUpNetwork> = {}, options: EgressOptions = {}) {
  const parent = mkdtempSync(join(tmpdir(), 'fathom-proxy-'));
  const made = await startSetUpProxy({ mode: 'proxied', ...network }, parent, options);
  onTestFinished(() => made.close());
  return { ...made, parent, socketPath: join(made.folder, 's') };
}

/** The status of a plain request, as a program in a set-up sends it. */
function get(socketPath: string, url: string): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, path: url, headers: { host: new URL(url).host } }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => resolve({ status: answer.statusCode, text: Buffer.concat(pieces).toString() }));
    });
    sent.on('error', reject).end();
  });
}

/** The first line that a tunnel is answered with. */
function tunnel(socketPath: string, target: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath, () => socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`));
    socket.once('data', (bytes: Buffer) => {
      resolve(bytes.toString().split('\r\n')[0] ?? '');
      socket.destroy();
    });
    socket.once('error', reject).once('close', () => resolve('closed'));
  });
}

/** A server on loopback that says what it was asked for. */
async function listener(): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((incoming, answer) => {
    asked.push(incoming.url ?? '');
    answer.end(`asked for ${incoming.url}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, asked };
}

describe('the way out of a set-up', () => {
  it('refuses plain requests and tunnels to what it may not reach, and says so', async () => {
    const { port, asked } = await listener();
    const { socketPath, refused } = await proxy();
    const answer = await get(socketPath, `http://127.0.0.1:${port}/loot`);
    expect(answer).toMatchObject({ status: 403, text: expect.stringContaining('neither port 80 nor 443') });
    expect(await tunnel(socketPath, '169.254.169.254:80')).toContain('403');
    expect(await tunnel(socketPath, `[::1]:${port}`)).toContain('403');
    expect(asked).toEqual([]);
    expect(refused()).toHaveLength(3);
  });

  it('connects to the address that it looked at, whatever the name says later', async () => {
    let looked = 0;
    const resolve = async () => {
      looked += 1;
      return [{ address: looked === 1 ? '203.0.113.1' : '127.0.0.1', family: 4 }];
    };
    const { socketPath } = await proxy({ hosts: ['rebinding.example.org:9'] }, { resolve });
    await Promise.race([tunnel(socketPath, 'rebinding.example.org:9'), new Promise((late) => setTimeout(late, 300))]);
    expect(looked).toBe(1);
  });

  it("goes through the operator's own proxy where there is one, which never learns of what is refused", async () => {
    const { port, asked } = await listener();
    const { socketPath } = await proxy({ upstream: `http://127.0.0.1:${port}` }, { resolve: async () => [] });
    expect(await get(socketPath, 'http://packages.example.org/left-pad')).toMatchObject({
      status: 200,
      text: 'asked for http://packages.example.org/left-pad',
    });
    expect((await get(socketPath, 'http://169.254.169.254/latest/meta-data/')).status).toBe(403);
    expect(asked).toEqual(['http://packages.example.org/left-pad']);
  });

  it('is bent by nothing that is no request', async () => {
    const { socketPath } = await proxy();
    for (const target of ['', 'x', ':80', '[::1', 'a:b:c', `${'x'.repeat(5000)}:80`, 'host:99999', '\u0000:80']) {
      expect(await tunnel(socketPath, target)).toMatch(/^(HTTP\/1\.1 4\d\d|closed)/);
    }
    expect((await get(socketPath, 'http://169.254.169.254/')).status).toBe(403);
  });

  it('is there also where the folder of the data is too deep for a socket', async () => {
    const deep = join(mkdtempSync(join(tmpdir(), 'fathom-proxy-')), 'x'.repeat(90));
    const made = await startSetUpProxy({ mode: 'proxied' }, deep);
    onTestFinished(() => made.close());
    expect((await get(join(made.folder, 's'), 'http://169.254.169.254/')).status).toBe(403);
  });

  it('leaves nothing behind', async () => {
    const { close, parent } = await proxy();
    expect(readdirSync(parent)).toHaveLength(1);
    await close();
    expect(readdirSync(parent)).toEqual([]);
  });
});

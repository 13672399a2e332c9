import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import Docker from 'dockerode';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '#src/domain/ports/sandbox-host.ts';
import type { SetUpNetwork } from '#src/domain/set-up-access.ts';
import { createDockerHost } from '#src/sandbox/create-docker-host.ts';
import { SANDBOX_IMAGE } from '#src/sandbox/sandbox-image.ts';

const run = 'set-up-network-attack';
const signal = new AbortController().signal;
const engine = new Docker();
const asked: string[] = [];
/** Listens on every address of this machine, and is the operator's own proxy in one test. */
const server = createServer((incoming, answer) => {
  asked.push(incoming.url ?? '');
  answer.end('a package');
});
let port: number;
let neighbour: Docker.Container;
let neighbourAddress: string;

const startSetUp = (network?: SetUpNetwork): Promise<Sandbox> =>
  createDockerHost(network === undefined ? {} : { network }).start(
    { run, purpose: 'set-up', image: SANDBOX_IMAGE, mounts: [], workdir: '/', network: 'setup', writableRoot: true },
    signal,
  );

async function tryIn<T>(network: SetUpNetwork | undefined, work: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const sandbox = await startSetUp(network);
  try {
    return await work(sandbox);
  } finally {
    await sandbox.remove();
  }
}

const outputOf = async (sandbox: Sandbox, command: string): Promise<string> =>
  (await sandbox.exec(command, { seconds: 60, root: true }, signal)).output;

/** Asks as every program does that has heard of proxies. */
const ask = (url: string) =>
  `python3 -c 'import urllib.request as u; print(u.urlopen("${url}", timeout=20).read().decode())' 2>&1 | tail -1`;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  port = (server.address() as AddressInfo).port;
  const labels = { 'fathom.run': run };
  const Cmd = ['python3', '-m', 'http.server', '80'];
  neighbour = await engine.createContainer({ Image: SANDBOX_IMAGE, Cmd, Labels: labels });
  await neighbour.start();
  neighbourAddress = (await neighbour.inspect()).NetworkSettings.Networks['bridge']?.IPAddress ?? 'none';
});

afterAll(async () => {
  await createDockerHost().sweep(run);
  server.close();
});

describe('a set-up that looks around in the network', () => {
  it('has no interface that leads anywhere', async () => {
    await tryIn(undefined, async (sandbox) => {
      expect(await outputOf(sandbox, 'ls /sys/class/net')).toBe('lo\n');
      expect(await outputOf(sandbox, 'tail -n +2 /proc/net/route; cat /proc/net/if_inet6')).not.toMatch(/eth|^\S+\t/m);
    });
  });

  it('reaches neither metadata, host, neighbours nor private networks, directly or through the proxy', async () => {
    const hosts = Object.values(networkInterfaces()).flatMap((faces) => (faces ?? []).map((face) => face.address));
    const own = hosts.filter((host) => !host.includes(':'));
    const targets = ['169.254.169.254', 'metadata.google.internal', '10.0.0.1', neighbourAddress, ...own];
    const { said, refusals } = await tryIn(undefined, async (sandbox) => {
      const direct = targets.flatMap((host) =>
        [80, port].map((at) => `timeout 2 bash -c "echo GET /loot > /dev/tcp/${host}/${at}" 2>&1 && echo RE""ACHED`),
      );
      const proxied = targets.flatMap((host) => [ask(`http://${host}/`), ask(`http://${host}:${port}/loot`)]);
      const all = [...direct, 'unset no_proxy NO_PROXY', ...proxied].join('\n');
      return { said: await outputOf(sandbox, all), refusals: sandbox.refusals?.() ?? [] };
    });
    expect(said).not.toMatch(/REACHED|a package|Directory listing/);
    expect(said).toContain('403');
    expect(refusals.join('\n')).toContain('169.254.169.254 is no public address');
    expect(asked).toEqual([]);
  });

  it('would reach this machine if nothing stood in between', async () => {
    await tryIn({ mode: 'open' }, async (sandbox) => {
      const command = `timeout 5 bash -c "echo > /dev/tcp/${neighbourAddress}/80" 2>&1 && echo RE""ACHED`;
      expect(await outputOf(sandbox, command)).toContain('REACHED');
    });
  });

  it('finds no socket of the proxy, no secret of it, and cannot take its place', async () => {
    const network = { mode: 'proxied', upstream: 'http://user:hunter2pass@127.0.0.1:9' } as const;
    await tryIn(network, async (sandbox) => {
      const said = await outputOf(
        sandbox,
        `env; cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr '\\0' '\\n'; find / -xdev -type s 2>/dev/null; cat /proc/net/unix
         python3 -c 'import socket; socket.create_server(("127.0.0.1", 39128))' 2>&1 | tail -1`,
      );
      expect(said).not.toMatch(/hunter2pass|fathom-proxy/);
      expect(said).toContain('Address already in use');
    });
  });
});

describe('a set-up under an allow-list', () => {
  it("reaches what is on it, through the operator's own proxy, and nothing else", async () => {
    const upstream = `http://127.0.0.1:${port}`;
    const network: SetUpNetwork = { mode: 'proxied', hosts: ['packages.example.org'], upstream };
    const { said, refusals } = await tryIn(network, async (sandbox) => ({
      said: await outputOf(
        sandbox,
        [ask('http://packages.example.org/'), ask('http://elsewhere.example.org/')].join('\n'),
      ),
      refusals: sandbox.refusals?.(),
    }));
    expect(said).toMatch(/^a package\n.*403/);
    expect(refusals).toEqual(['elsewhere.example.org:80 is not among FATHOM_SETUP_HOSTS']);
    expect(asked).toEqual(['http://packages.example.org/']);
  });

  it('has nothing at all where the operator says none', async () => {
    await tryIn({ mode: 'none' }, async (sandbox) => {
      expect(await outputOf(sandbox, 'ls /sys/class/net; env | grep -ci proxy')).toBe('lo\n0\n');
    });
  });
});

it('leaves neither a container nor a variable behind', async () => {
  const image = 'fathom-environment:network-test';
  await tryIn(undefined, (sandbox) => sandbox.saveAs(image));
  const config = JSON.stringify((await engine.getImage(image).inspect()).Config);
  await engine.getImage(image).remove();
  expect(config).not.toContain('39128');
  const left = await engine.listContainers({ all: true, filters: { label: [`fathom.run=${run}`] } });
  expect(left.map(({ Id }) => Id)).toEqual([neighbour.id]);
});

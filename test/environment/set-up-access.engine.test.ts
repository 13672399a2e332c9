import { chmod, chown, copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Docker from 'dockerode';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Mount } from '../../src/domain/ports/sandbox-host.ts';
import { prepareEnvironment } from '../../src/environment/prepare-environment.ts';
import { createDockerHost } from '../../src/sandbox/create-docker-host.ts';
import { SANDBOX_IMAGE } from '../../src/sandbox/sandbox-image.ts';

const run = 'set-up-access-test';
const host = createDockerHost({});
const signal = new AbortController().signal;
const authority = join(import.meta.dirname, '../fixtures/authority');
const images = new Set<string>();
let folder: string;
let mount: Mount;

/** A registry whose certificate was signed by an authority that nobody but the operator knows. */
const SERVER = `const { readFileSync } = require('node:fs');
const options = { key: readFileSync('server-key.pem'), cert: readFileSync('server.pem') };
require('node:https').createServer(options, (_, answer) => answer.end('a package')).listen(8443, () => console.log('up'));
`;
const NODE = `require('node:https').get({ port: 8443, servername: 'registry.test' }, (answer) => answer.pipe(process.stdout))
  .on('error', (error) => { console.log(error.code); process.exit(1); });`;
const PYTHON = `import socket, ssl
plain = socket.create_connection(('127.0.0.1', 8443))
secure = ssl.create_default_context().wrap_socket(plain, server_hostname='registry.test')
secure.send(b'GET / HTTP/1.0\\r\\n\\r\\n'); print(secure.recv(65536).decode()[-9:])`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fathom-access-'));
  await chmod(folder, 0o755);
  for (const name of ['server.pem', 'server-key.pem']) await copyFile(join(authority, name), join(folder, name));
  await writeFile(join(folder, 'server.cjs'), SERVER);
  await writeFile(join(folder, 'ask.cjs'), NODE);
  await writeFile(join(folder, 'ask.py'), PYTHON);
  await chown(folder, 65_534, 65_534);
  mount = { kind: 'bind', source: folder, target: '/repo', readOnly: false };
});

afterAll(async () => {
  await host.sweep(run);
  const engine = new Docker();
  for (const name of images) await engine.getImage(name).remove({ force: true });
  await rm(folder, { recursive: true, force: true });
});

async function prepare(ask: string, access?: { certificates?: string; variables: Record<string, string> }) {
  const setup = `mkfifo up; node server.cjs >up & read -r line <up; ${ask}`;
  const plan = { setup, inputs: {} };
  const request = { plan, host, mount, run, repository: run, image: SANDBOX_IMAGE, timeoutSeconds: 60, access };
  const environment = await prepareEnvironment(request, signal);
  if (environment.image !== SANDBOX_IMAGE) images.add(environment.image);
  return environment;
}

const operator = async () => ({
  certificates: await readFile(join(authority, 'authority.pem'), 'utf8'),
  variables: { https_proxy: 'http://user:secret@proxy.test:3128' },
});

it.each(['node ask.cjs', 'python3 ask.py'])(
  'reaches a registry behind the authority of the operator with %s',
  async (ask) => {
    const refused = await prepare(ask);
    expect(refused.prepared).toBe(false);
    expect(refused.log).toMatch(/UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERTIFICATE_VERIFY_FAILED/);
    expect(refused.log).toContain('FATHOM_EXTRA_CA');
    const reached = await prepare(ask, await operator());
    expect(reached).toMatchObject({ prepared: true, log: 'a package' });
  },
);

it('keeps nothing of the access in the image', async () => {
  const { image } = await prepare('echo "proxy: $https_proxy"', await operator());
  const kept = JSON.stringify((await new Docker().getImage(image).inspect()).Config);
  expect(kept).not.toMatch(/secret|fathom-access/);
  const spec = { run, purpose: 'look', image, mounts: [], workdir: '/', network: 'none' as const };
  const sandbox = await host.start(spec, signal);
  try {
    expect((await sandbox.exec('env | grep -ci secret; ls /tmp', { seconds: 20 }, signal)).output.trim()).toBe('0');
  } finally {
    await sandbox.remove();
  }
});

it('gives apt folders of its own, since root without capabilities cannot use the usual ones', async () => {
  const { log } = await prepare('apt-config dump | grep -E "Sandbox::User|^Dir::(Cache|State::lists) "');
  expect(log).toContain('APT::Sandbox::User "root"');
  expect(log).toContain('Dir::State::lists "/var/lib/fathom/apt/lists"');
});

import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The real engine on a machine without `ps`: everything goes through to it but the request for a container's processes,
 * which it answers with 500 there. @returns The socket to use, and how to close it.
 */
export async function engineWithoutPs(): Promise<{ socketPath: string; close(): void }> {
  const real = process.env['DOCKER_HOST']?.replace(/^unix:\/\//, '') ?? '/var/run/docker.sock';
  const folder = mkdtempSync(join(tmpdir(), 'engine-'));
  const socketPath = join(folder, 'docker.sock');
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const engine = connect(real);
    for (const socket of [client, engine]) open.add(socket.on('error', () => socket.destroy()));
    client.on('data', (request) =>
      /^GET \S*\/top\?/.test(request.toString('latin1')) ? refuse(client) : engine.write(request),
    );
    engine.pipe(client);
    client.on('close', () => engine.destroy());
  });
  await once(server.listen(socketPath), 'listening');
  const close = () => {
    server.close();
    for (const socket of open) socket.destroy();
    rmSync(folder, { recursive: true, force: true });
  };
  return { socketPath, close };
}

const REFUSAL = '{"message":"ps: executable file not found in $PATH"}';

function refuse(client: Socket): void {
  const head = [
    'HTTP/1.1 500 Internal Server Error',
    'Content-Type: application/json',
    `Content-Length: ${REFUSAL.length}`,
  ];
  client.end(`${head.join('\r\n')}\r\nConnection: close\r\n\r\n${REFUSAL}`);
}

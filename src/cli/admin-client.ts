import { request } from 'node:http';
import { z } from 'zod';
import { EnvironmentError, InputError } from '../domain/errors.ts';
import { adminSocketPath } from '../server/admin-socket.ts';

const MOST_BYTES = 8 * 2 ** 20;
const WAIT_MS = 15_000;

/**
 * Asks the server that runs on `dataDir` through its admin socket.
 * @throws InputError with the server's own words when it refuses, EnvironmentError when none answers.
 */
export async function askServer<T>(dataDir: string, method: string, path: string, schema: z.ZodType<T>): Promise<T> {
  const { status, body } = await send(adminSocketPath(dataDir), method, path);
  if (status === 200) return schema.parse(body);
  const said = Refusal.safeParse(body).data ?? {};
  const message = said.message ?? `answered with ${status}`;
  throw new InputError(said.problems ?? [{ source: 'the server:', message, remedy: said.remedy ?? '' }]);
}

const Refusal = z.object({
  message: z.string().optional(),
  remedy: z.string().optional(),
  problems: z.array(z.object({ source: z.string(), message: z.string(), remedy: z.string() })).optional(),
});

function send(socketPath: string, method: string, path: string): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const fail = (cause: unknown) => reject(noServer(socketPath, cause));
    const asked = request({ socketPath, method, path, timeout: WAIT_MS }, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MOST_BYTES) asked.destroy(new Error('too long an answer'));
        chunks.push(chunk);
      });
      response.on('end', () => {
        try {
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) });
        } catch (error) {
          fail(error);
        }
      });
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer')));
    asked.on('error', fail);
    asked.end();
  });
}

function noServer(path: string, cause: unknown): EnvironmentError {
  const remedy = 'Start it with `npm start`, and call this with the same FATHOM_DATA on the same machine.';
  return new EnvironmentError('no-server', `no server answers on ${path}`, remedy, { cause });
}

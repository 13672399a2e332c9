import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { askServer } from '#src/cli/admin-client.ts';
import { EnvironmentError, InputError } from '#src/domain/errors.ts';
import { type Operations, RunSummary } from '#src/jobs/operations.ts';
import { adminSocketPath, openAdminSocket } from '#src/server/admin-socket.ts';
import { silent } from '../github/forge-on-front.ts';

const run = {
  id: 'r1',
  issue: 'acme/widget#1',
  mode: 'diagnose',
  actor: 'a',
  state: 'ended',
  attempt: 1,
  createdAt: '',
};
const operations: Operations = {
  list: async (limit) => Array.from({ length: limit }, () => run),
  show: async () => Promise.reject(new InputError([{ source: 'run x', message: 'is no run', remedy: 'look' }])),
  stop: async () => Promise.reject(new Error('a secret place')),
  retry: async () => run,
  depth: async () => ({ waiting: 0, running: 0, oldestSeconds: 0, dead: 0 }),
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fathom-admin-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

async function open(dataDir = folder): Promise<void> {
  const close = await openAdminSocket(dataDir, operations, silent);
  onTestFinished(close);
}

describe('the admin socket', () => {
  it('is for its user alone, and makes its folder where there is none', async () => {
    const dataDir = join(folder, 'not', 'yet');
    await open(dataDir);
    expect(statSync(adminSocketPath(dataDir)).mode & 0o077).toBe(0);
  });

  it('passes on refusals in words, and of faults no more than that', async () => {
    await open();
    await expect(askServer(folder, 'GET', '/runs/x', RunSummary)).rejects.toThrow('is no run');
    await expect(askServer(folder, 'POST', '/runs/x/stop', RunSummary)).rejects.toThrow('see the log');
    await expect(askServer(folder, 'POST', '/runs/x/nothing', RunSummary)).rejects.toThrow('no such thing');
  });

  it('is no reason for the server to stay when somebody never finishes a request', async () => {
    const close = await openAdminSocket(folder, operations, silent);
    const unfinished = connect(adminSocketPath(folder));
    unfinished.on('error', () => undefined);
    onTestFinished(() => void unfinished.destroy());
    await new Promise((resolve) => unfinished.write('GET /runs HT', resolve));
    await close();
  });

  it('knows nothing of an address that is none', async () => {
    await open();
    await expect(askServer(folder, 'GET', '//', RunSummary)).rejects.toThrow('no such thing');
  });

  it('lists no more than is asked for, and never without end', async () => {
    await open();
    const count = async (limit: string) =>
      (await askServer(folder, 'GET', `/runs?limit=${limit}`, z.array(RunSummary))).length;
    expect([await count('2'), await count('-1'), await count('1e9')]).toEqual([2, 30, 500]);
  });

  it('is taken over from a dead process, and not from a living one', async () => {
    writeFileSync(adminSocketPath(folder), '');
    await open();
    await expect(openAdminSocket(folder, operations, silent)).rejects.toThrow(EnvironmentError);
  });

  it('says what to do where no server runs, and where the path is too long for a socket', async () => {
    await expect(askServer(folder, 'GET', '/runs', z.unknown())).rejects.toMatchObject({
      remedy: expect.stringContaining('npm start'),
    });
    expect(() => adminSocketPath(join(folder, 'x'.repeat(100)))).toThrow(InputError);
  });
});

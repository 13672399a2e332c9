import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Octokit } from '@octokit/rest';
import { expect, onTestFinished, test } from 'vitest';
import { makePatient } from '#src/github/patient-requests.ts';
import { silent, stillClock } from './forge-on-front.ts';

test('a GitHub that takes requests and never answers keeps nobody waiting for long, and ends as unreachable', async () => {
  const mute = createServer((socket) => void socket.on('error', () => undefined)).listen(0, '127.0.0.1');
  onTestFinished(() => void mute.close());
  await once(mute, 'listening');
  const octokit = new Octokit({
    baseUrl: `http://127.0.0.1:${(mute.address() as AddressInfo).port}`,
    log: silent as never,
  });
  makePatient(octokit, { clock: stillClock(), log: silent, limitSeconds: 60, answerSeconds: 0.2 });
  await expect(octokit.rest.meta.getZen()).rejects.toMatchObject({ failure: 'unreachable' });
});

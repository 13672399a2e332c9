import { mkdirSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ChatServer, startChatServer } from '../fakes/chat-server.ts';
import { runFathom } from './fathom-process.ts';

let refusing: ChatServer;
beforeAll(async () => {
  refusing = await startChatServer(() => ({
    status: 401,
    json: { error: { message: 'Incorrect key', code: 'invalid_api_key' } },
  }));
});
afterAll(() => refusing.close());

const empty = () => mkdtempSync(join(tmpdir(), 'fathom-doctor-'));
const noEngine = { DOCKER_HOST: 'unix:///nowhere/docker.sock' };
const wrongKey = () => ({ OPENAI_API_KEY: 'wrong', OPENAI_BASE_URL: refusing.url, FATHOM_MODEL: 'm' });
const doctor = (variables: Record<string, string>, folder = empty()) =>
  runFathom(['doctor'], folder, { ...noEngine, ...variables });

describe('fathom doctor', () => {
  it('says everything that is wrong at once, and of the rest why it was not looked at', async () => {
    const { code, stdout } = await doctor({ FATHOM_API: 'smoke', FATHOM_QUESTIONS: '9', FATHOM_MODEL: 'm' });
    expect(code).toBe(1);
    expect(stdout).toContain('✗ settings       FATHOM_API "smoke" is not one of responses, chat');
    expect(stdout).toContain('✗ settings       FATHOM_QUESTIONS "9" is too large');
    expect(stdout).toContain('✗ settings       OPENAI_API_KEY is not set, but the model m is named');
    expect(stdout).toContain('✗ Docker Engine');
    expect(stdout).toContain('- sandbox image  not checked because the engine does not answer');
    expect(stdout).toContain('- model          not checked because of what is wrong with FATHOM_API, OPENAI_API_KEY');
  });

  it('asks the model all the same where what is wrong is about something else', async () => {
    const { stdout, stderr } = await doctor({ ...wrongKey(), FATHOM_QUESTIONS: '9', FATHOM_SANDBOX_RUNTIME: 'a b' });
    expect(stderr).toMatch(/^asking the model at http:.* …\n$/);
    expect(stdout).toContain('- Docker Engine  not checked because of what is wrong with FATHOM_SANDBOX_RUNTIME');
    expect(stdout).toMatch(/✗ model .*/);
    expect(refusing.requests.length).toBeGreaterThan(0);
  });

  it('counts a missing image against the image, and not against the engine that has none', async () => {
    const engine = createServer((request, response) => {
      const isInfo = request.url?.endsWith('/info') ?? false;
      response.writeHead(isInfo ? 200 : 404, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify(isInfo ? { ServerVersion: '28.0.0', OSType: 'linux' } : { message: 'no such image' }),
      );
    });
    await new Promise<void>((resolve) => engine.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void engine.close());
    const { port } = engine.address() as AddressInfo;
    const { stdout } = await doctor({ DOCKER_HOST: `tcp://127.0.0.1:${port}`, FATHOM_SANDBOX_IMAGE: 'nope:x' });
    expect(stdout).toContain('✓ Docker Engine  28.0.0 at ');
    expect(stdout).toContain('✗ sandbox image  the engine does not have the image nope:x');
    expect(stdout).not.toContain('✗ Docker Engine');
  });

  it('asks nobody where the address of the model is wrong', async () => {
    const { stdout, stderr } = await doctor({ ...wrongKey(), OPENAI_BASE_URL: 'nowhere' });
    expect(stderr).toBe('');
    expect(stdout).toContain('- model          not checked because of what is wrong with OPENAI_BASE_URL');
  });

  it('a recording that cannot be read is one more thing that is wrong', async () => {
    const { code, stdout } = await doctor({ FATHOM_PLAYBACK: 'nowhere.jsonl' });
    expect(code).toBe(1);
    expect(stdout).toContain('✗ settings       FATHOM_PLAYBACK nowhere.jsonl cannot be read');
    expect(stdout).toContain('- model          not checked because of what is wrong with FATHOM_PLAYBACK');
  });

  it('a .env that cannot be read keeps from looking only at what it may name', async () => {
    const folder = empty();
    mkdirSync(join(folder, '.env'));
    const { stdout } = await doctor({}, folder);
    expect(stdout).toContain('✓ git');
    expect(stdout).toMatch(/✗ settings .*\.env cannot be read/);
    expect(stdout).toMatch(/- model .*not checked because of what is wrong with .*\.env/);
  });
});

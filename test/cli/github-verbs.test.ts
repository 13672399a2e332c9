import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GitHubFront } from '../../scripts/github-front/github-front.ts';
import { startGitHubFront } from '../../scripts/github-front/start-github-front.ts';
import { runFathom } from './fathom-process.ts';

let front: GitHubFront;
let poor: GitHubFront;
const commits = (files: Record<string, string>) => ({ commits: [{ message: 'Start', files }] });

beforeAll(async () => {
  const config = { '.github/fathom.yml': 'questoins: 1\n' };
  front = await startGitHubFront({
    repositories: [
      { owner: 'acme', name: 'widget', content: commits({ 'README.md': 'hi\n' }), defaultBranch: 'trunk' },
      { owner: 'acme', name: 'gadget', content: commits(config), labels: ['auto-triage', 'auto-diagnose'] },
    ],
  });
  poor = await startGitHubFront({
    repositories: [{ owner: 'acme', name: 'widget', content: commits({ 'README.md': 'hi\n' }) }],
    permissions: { metadata: 'read', issues: 'write', contents: 'read' },
  });
});
afterAll(async () => {
  await front.stop();
  await poor.stop();
});

const settingsOn = (on: GitHubFront) => ({
  APP_ID: String(on.appId),
  PRIVATE_KEY: on.privateKey,
  WEBHOOK_SECRET: on.webhookSecret,
  GITHUB_API_URL: on.url,
  DOCKER_HOST: 'unix:///nowhere/docker.sock',
});
const empty = () => mkdtempSync(join(tmpdir(), 'fathom-verbs-'));
const fathom = (on: GitHubFront, ...args: string[]) => runFathom(args, empty(), settingsOn(on));
const fathomWith = (more: Record<string, string>, ...args: string[]) =>
  runFathom(args, empty(), { ...settingsOn(front), ...more });

describe('fathom doctor --github', () => {
  it('says what is granted, which labels are missing and whose settings hold, and writes nothing', async () => {
    const { stdout, stderr } = await fathom(front, 'doctor', '--github', 'acme/widget');
    expect(stderr).toBe('asking GitHub about acme/widget …\n');
    expect(stdout).toContain('contents write');
    expect(stdout).toContain('missing: auto-triage, auto-diagnose');
    expect(stdout).toContain('npx fathom labels acme/widget');
    expect(stdout).toContain('none on trunk');
    // Had it written anything, there would be nothing left to create.
    expect((await fathom(front, 'labels', 'acme/widget')).stdout).toBe('Created auto-triage, auto-diagnose.\n');
  });

  it("names a mistake in the repository's settings with its line and the right word", async () => {
    const { stdout } = await fathom(front, 'doctor', '--github', 'acme/gadget');
    expect(stdout).toContain('.github/fathom.yml:1');
    expect(stdout).toContain('did you mean `questions`?');
  });

  it('names the permissions that are missing', async () => {
    const { stdout, code } = await fathom(poor, 'doctor', '--github', 'acme/widget');
    expect(stdout).toContain('missing: contents write, pull_requests write');
    expect(code).toBe(1);
  });

  it('says so when the App is not installed there', async () => {
    const { stdout } = await fathom(front, 'doctor', '--github', 'acme/nowhere');
    expect(stdout).toMatch(/✗ GitHub .*acme\/nowhere/);
    expect(stdout).toContain('- labels         not checked because the App did not get to see the repository');
  });

  it('refuses what is no repository before it asks anybody', async () => {
    const { code, stdout, stderr } = await fathom(front, 'doctor', '--github', 'acme');
    expect(code).toBe(2);
    expect(stderr).toContain('OWNER/REPO');
    expect(stdout).toBe('');
  });

  it("lists what is wrong with the App's settings among the rest, as JSON too", async () => {
    const noEngine = { DOCKER_HOST: 'unix:///nowhere/docker.sock' };
    const { code, stdout } = await runFathom(['doctor', '--github', 'acme/widget', '--json'], empty(), noEngine);
    expect(code).toBe(1);
    const found = JSON.parse(stdout) as { name: string; detail: string }[];
    expect(found.filter(({ name }) => name === 'settings').map(({ detail }) => detail)).toEqual([
      'APP_ID is not set',
      'PRIVATE_KEY_PATH is not set',
      'WEBHOOK_SECRET is not set',
    ]);
    expect(found.at(-1)).toEqual({
      name: 'GitHub',
      state: 'skipped',
      detail: 'not checked because of what is wrong with APP_ID, PRIVATE_KEY_PATH',
    });
  });

  it('looks at the installation without a webhook secret, which only a start needs, and beside wrong settings', async () => {
    const { stdout } = await fathomWith(
      { WEBHOOK_SECRET: '', PORT: '99999', FATHOM_QUESTIONS: '9' },
      ...['doctor', '--github', 'acme/gadget'],
    );
    expect(stdout).toContain('! settings       WEBHOOK_SECRET is not set');
    expect(stdout).toContain('✗ settings       PORT "99999" is too large');
    expect(stdout).toContain('✗ settings       FATHOM_QUESTIONS "9" is too large');
    expect(stdout).toContain('✓ permissions');
    expect(stdout).toContain('.github/fathom.yml:1');
  });

  it('a list that GitHub does not give keeps nothing else from being looked at', async () => {
    front.faults.add({ method: 'GET', path: '/repos/acme/gadget/labels', fault: { status: 403 }, times: 1 });
    const { stdout } = await fathom(front, 'doctor', '--github', 'acme/gadget');
    expect(stdout).toContain('✓ permissions');
    expect(stdout).toMatch(/✗ labels .*GitHub answered with 403/);
    expect(stdout).toContain('.github/fathom.yml:1');
  });
});

describe('fathom labels', () => {
  it('asks for no setting that it does not need', async () => {
    const { stdout } = await fathomWith({ WEBHOOK_SECRET: '', FATHOM_QUESTIONS: '9' }, 'labels', 'acme/gadget');
    expect(stdout).toBe('All labels are there already.\n');
  });

  it('creates nothing that is there already, and says whom it waits for', async () => {
    const { stdout, stderr } = await fathom(front, 'labels', 'acme/gadget');
    expect(stdout).toBe('All labels are there already.\n');
    expect(stderr).toBe('asking GitHub about acme/gadget …\n');
  });
});

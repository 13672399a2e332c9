import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type App, startApp } from '#src/app.ts';
import { loadServerConfig } from '#src/server-config.ts';
import type { GitHubFront } from '../../scripts/github-front/github-front.ts';
import { startGitHubFront } from '../../scripts/github-front/start-github-front.ts';

export const REPOSITORY = 'acme/widget';

/** A repository with a fault that its issue tells of, and people with and without rights. */
export function startFront(): Promise<GitHubFront> {
  return startGitHubFront({
    repositories: [
      {
        owner: 'acme',
        name: 'widget',
        private: true,
        defaultBranch: 'trunk',
        content: { commits: [{ message: 'Start', files: { 'src/quote.js': source, 'README.md': '# Widget\n' } }] },
        roles: { maria: 'write', rita: 'read' },
        labels: ['auto-triage', 'auto-diagnose'],
        issues: [
          { title: 'escapeQuote forgets single quotes', body: 'A single quote stays as it is.', author: 'rita' },
        ],
      },
    ],
    users: ['mallory'],
  });
}

const source = 'export function escapeQuote(text) {\n  return text.replace(/"/g, "&quot;");\n}\n';

export interface RunningApp extends App {
  url: string;
  dataDir: string;
  log: Record<string, unknown>[];
}

/** The whole product on the front, without a model: it ranks files and says so. */
export async function startOn(front: GitHubFront, more: Record<string, string> = {}): Promise<RunningApp> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fathom-app-'));
  const config = loadServerConfig(dataDir, { ...environmentOf(front, dataDir), ...more });
  const log: Record<string, unknown>[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void log.push(JSON.parse(line)) });
  const app = await startApp(config, logger, { deliveries: true });
  await app.working;
  const url = `http://127.0.0.1:${app.port}`;
  front.deliveries.setUrl(`${url}/api/github/webhooks`);
  const stop = async () => {
    await app.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { ...app, stop, url, dataDir, log };
}

export function environmentOf(front: GitHubFront, dataDir: string): Record<string, string> {
  return {
    APP_ID: String(front.appId),
    PRIVATE_KEY: front.privateKey,
    WEBHOOK_SECRET: front.webhookSecret,
    GITHUB_API_URL: front.url,
    FATHOM_DATA: dataDir,
    FATHOM_DRAIN_SECONDS: '0',
    PORT: '0',
  };
}

import type { Logger } from 'pino';

export type GitHubLog = Pick<Logger, 'info' | 'warn' | 'error'>;

/** Octokit's debug lines hold whole requests, the token among them: they go nowhere. */
export const octokitLog = (log: GitHubLog) => ({
  debug: () => undefined,
  info: () => undefined,
  warn: (message: string) => log.warn({ from: 'octokit' }, message),
  error: () => undefined,
});

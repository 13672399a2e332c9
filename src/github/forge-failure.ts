import { RequestError } from '@octokit/request-error';
import { ForgeError, type ForgeFailure } from '../domain/errors.ts';

const remedies: Record<ForgeFailure, string> = {
  unreachable: "Check the network, the address of GitHub's API and https://www.githubstatus.com, then run it again.",
  unauthorized: 'Check the App id and its private key.',
  forbidden:
    "Check the App's permissions in the installation: fathom doctor --github OWNER/REPO names what is missing.",
  'not-found': 'Check that the App is installed on this repository and that what is asked for still exists.',
  gone: 'It was deleted, moved or renamed on GitHub. Nothing can be written there any more.',
  conflict: 'Somebody changed it at the same moment. Run it again.',
  unprocessable: 'GitHub refused the content. See the cause in the log.',
  'rate-limited': 'The limit was not lifted in time. Run it again later.',
  'not-installed': 'Install the App on this repository.',
};

const byStatus: Record<number, ForgeFailure> = {
  301: 'gone',
  302: 'gone',
  307: 'gone',
  308: 'gone',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  410: 'gone',
  413: 'unprocessable',
  422: 'unprocessable',
  429: 'rate-limited',
};

/** Octokit gives a broken connection the status 500 and no response. */
export const hasNoAnswer = (error: unknown): boolean => error instanceof RequestError && error.response === undefined;

export function statusOf(error: unknown): number | undefined {
  return error instanceof RequestError && error.response !== undefined ? error.status : undefined;
}

export const forgeError = (failure: ForgeFailure, message: string, cause?: unknown): ForgeError =>
  new ForgeError(failure, message, remedies[failure], cause === undefined ? undefined : { cause });

/** What Octokit threw, as an error that a caller can decide upon. Other errors come back as they are. */
export function toForgeError(error: unknown, what: string): unknown {
  if (!(error instanceof RequestError)) return error;
  const status = statusOf(error);
  if (status === undefined) {
    const why = connectionCode(error);
    const message = `${what}: GitHub could not be reached at ${originOf(error)}${why === undefined ? '' : ` (${why})`}.`;
    return forgeError('unreachable', message, error);
  }
  const failure = isLimited(error) ? 'rate-limited' : (byStatus[status] ?? 'unreachable');
  return forgeError(failure, `${what}: GitHub answered with ${status}.`, error);
}

function originOf({ request }: RequestError): string {
  return URL.canParse(request.url) ? new URL(request.url).origin : 'its address';
}

/** What a connection's failure is called, as ECONNREFUSED; fetch gives it as the cause of a cause. */
export function connectionCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : connectionCode(error.cause);
}

/**
 * A refusal that only says "later": by status 429, or by 403 with the headers that GitHub documents for its limits, or,
 * where a secondary limit comes without any, with the address of its page about them.
 */
export function isLimited(error: unknown): boolean {
  if (!(error instanceof RequestError) || error.response === undefined) return false;
  const headers = error.response.headers;
  const exhausted = headers['x-ratelimit-remaining'] === '0';
  if (error.status === 429) return true;
  return error.status === 403 && (headers['retry-after'] !== undefined || exhausted || explainsLimits(error.response));
}

function explainsLimits({ data }: { data: unknown }): boolean {
  const page = typeof data === 'object' && data !== null && 'documentation_url' in data ? data.documentation_url : '';
  return typeof page === 'string' && page.includes('rate-limit');
}

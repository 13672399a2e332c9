import { EnvironmentError, type FathomError, InputError } from '../domain/errors.ts';
import type { MirrorRequest } from './mirror.ts';

/** The code of an EnvironmentError that is the network's or the server's doing, or a limit of its. */
export const UNREACHABLE = 'remote-unreachable';

/** The code of an EnvironmentError where the server does not accept the credential that it was shown. */
export const REFUSED = 'remote-refused';

const PROBE_MILLISECONDS = 15_000;

/**
 * Git ends with 128 whatever went wrong with a remote, so the server is asked once more what it says to git's first
 * request, and its HTTP status decides.
 */
export async function explainRemoteFailure(
  { source, header }: MirrorRequest,
  cause: EnvironmentError,
  signal: AbortSignal,
): Promise<FathomError> {
  const { status, limited } = await answerOf(source.url, header, signal);
  const because = (message: string, remedy: string) =>
    new InputError([{ source: source.url, message, remedy }], { cause });
  const environment = (code: string, said: string, remedy: string) =>
    new EnvironmentError(code, `${source.url}: ${said}. ${cause.message}`, remedy, { cause });
  if (limited) return environment(UNREACHABLE, `the server's limit is reached (${status})`, 'Run it again later.');
  if (status === 401 && header !== undefined) {
    const remedy = 'Check that the App is still installed on the repository; then run it again.';
    return environment(REFUSED, 'the server does not accept the credential', remedy);
  }
  if (status === 401 || status === 403 || status === 404) {
    return because(
      'there is no such repository, or it may not be read with this credential',
      'Check the address, and that the App is installed on the repository with read access to its contents.',
    );
  }
  if (status !== undefined && status >= 300 && status < 400) {
    return because('the repository has moved', 'Give its new address.');
  }
  return environment(
    status === 200 ? 'remote' : UNREACHABLE,
    status === undefined ? 'the server cannot be reached' : `the server answered with status ${status}`,
    'Check the network, the proxy settings and that the commit exists on the server; then run it again.',
  );
}

interface Answer {
  status: number | undefined;
  /** It refused only for now: 429, or 403 with what GitHub documents for its limits. */
  limited: boolean;
}

async function answerOf(url: string, header: string | undefined, signal: AbortSignal): Promise<Answer> {
  const [name = '', ...value] = header?.split(':') ?? [];
  try {
    const reply = await fetch(`${url.replace(/\/$/, '')}/info/refs?service=git-upload-pack`, {
      headers: header === undefined ? {} : { [name]: value.join(':').trim() },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(PROBE_MILLISECONDS)]),
    });
    await reply.body?.cancel();
    const { status, headers } = reply;
    const exhausted = headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0';
    return { status, limited: status === 429 || (status === 403 && exhausted) };
  } catch {
    return { status: undefined, limited: false };
  }
}

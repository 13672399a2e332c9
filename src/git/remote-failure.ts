import { EnvironmentError, type FathomError, InputError } from '../domain/errors.ts';
import type { MirrorRequest } from './mirror.ts';

/** The code of an EnvironmentError that is the network's or the server's doing. */
export const UNREACHABLE = 'remote-unreachable';

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
  const status = await statusOf(source.url, header, signal);
  const because = (message: string, remedy: string) =>
    new InputError([{ source: source.url, message, remedy }], { cause });
  if (status === 401 || status === 403 || status === 404) {
    return because(
      'there is no such repository, or it may not be read with this credential',
      'Check the address, and that the App is installed on the repository with read access to its contents.',
    );
  }
  if (status !== undefined && status >= 300 && status < 400) {
    return because('the repository has moved', 'Give its new address.');
  }
  const said = status === undefined ? 'the server cannot be reached' : `the server answered with status ${status}`;
  return new EnvironmentError(
    status === 200 ? 'remote' : UNREACHABLE,
    `${source.url}: ${said}. ${cause.message}`,
    'Check the network, the proxy settings and that the commit exists on the server; then run it again.',
    { cause },
  );
}

async function statusOf(url: string, header: string | undefined, signal: AbortSignal): Promise<number | undefined> {
  const [name = '', ...value] = header?.split(':') ?? [];
  try {
    const reply = await fetch(`${url.replace(/\/$/, '')}/info/refs?service=git-upload-pack`, {
      headers: header === undefined ? {} : { [name]: value.join(':').trim() },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(PROBE_MILLISECONDS)]),
    });
    await reply.body?.cancel();
    return reply.status;
  } catch {
    return undefined;
  }
}

import { createHash } from 'node:crypto';
import { mkdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { EnvironmentError, InputError } from '../domain/errors.ts';
import type { RepositorySource } from '../domain/run.ts';
import { ANY_EXIT, type Git, type GitCall } from './git-command.ts';
import type { ConfigPair } from './hardening.ts';
import { countCommits, startOfHistory } from './history.ts';
import type { BaseSource } from './local-source.ts';
import { explainRemoteFailure, REFUSED, UNREACHABLE } from './remote-failure.ts';

export type RemoteSource = Extract<RepositorySource, { kind: 'remote' }>;

export interface MirrorRequest {
  source: RemoteSource;
  base: string | undefined;
  commits: number;
  /** The whole header line that lets git read the repository. */
  header: string | undefined;
}

const FULL_SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const REMOTE_SECONDS = 900;
const FIRST_GENERATIONS = 50;
const FETCH = ['fetch', '--quiet', '--no-write-fetch-head', '--update-shallow'];

/**
 * Brings the base commit into a bare mirror that is kept for later runs. The mirror is as shallow as a workspace and has
 * all file contents: everything after it (checkout, blame, diff) needs them, and then there is neither token nor network.
 * @throws InputError (no such repository or base, not allowed), EnvironmentError (unreachable)
 */
export async function updateMirror(
  git: Git,
  mirrors: string,
  request: MirrorRequest,
  signal: AbortSignal,
): Promise<BaseSource> {
  checkAddress(request.source);
  const config = remoteConfig(request);
  const ask = async (call: GitCall) => {
    try {
      return await git({ protocols: 'https:http', seconds: REMOTE_SECONDS, config, ...call }, signal);
    } catch (error) {
      throw error instanceof EnvironmentError ? await explainRemoteFailure(request, error, signal) : error;
    }
  };
  const gitDir = join(mirrors, mirrorName(request.source));
  const base = await remoteBase(ask, request);
  await bring({ git, ask, gitDir, signal }, request, base);
  return { gitDir, base, notes: [] };
}

type Ask = (call: GitCall) => Promise<{ stdout: Buffer }>;

interface Place {
  git: Git;
  /** The same git, with network and credential. */
  ask: Ask;
  gitDir: string;
  signal: AbortSignal;
}

function checkAddress(source: RemoteSource): void {
  const { protocol, username, password } = new URL(source.url);
  if (protocol !== 'https:' && protocol !== 'http:') {
    throw unusable(source, `its address is ${protocol}, not https:`, 'Give an https address, or a local clone.');
  }
  if (username !== '' || password !== '') {
    throw unusable(source, 'its address carries a credential', 'Give the address without user name and password.');
  }
}

/** A redirect would take the header to wherever it points, so with one there is none. */
function remoteConfig({ source, header }: MirrorRequest): ConfigPair[] {
  if (header === undefined) return [];
  if (/[\r\n\0]/.test(header))
    throw unusable(source, 'its credential is malformed', 'Check where credentials come from.');
  return [
    [`http.${new URL(source.url).origin}/.extraHeader`, header],
    ['http.followRedirects', 'false'],
  ];
}

function mirrorName({ owner, name, url }: RemoteSource): string {
  const readable = `${owner}-${name}`.replaceAll(/[^\w.-]/g, '-').slice(0, 80);
  return `${readable}-${createHash('sha256').update(url).digest('hex').slice(0, 12)}.git`;
}

async function remoteBase(ask: Ask, { source, base }: MirrorRequest): Promise<string> {
  if (base !== undefined && FULL_SHA.test(base)) return base;
  const wanted =
    base === undefined ? ['HEAD'] : [base, `refs/heads/${base}`, `refs/tags/${base}^{}`, `refs/tags/${base}`];
  const listed = await ask({ args: ['ls-remote', '--quiet', '--', source.url] });
  const refs = new Map(
    listed.stdout
      .toString()
      .split('\n')
      .map((line) => line.split('\t'))
      .map(([sha = '', ref = '']) => [ref, sha]),
  );
  const found = wanted.map((ref) => refs.get(ref)).find((sha) => sha !== undefined);
  if (found !== undefined) return found;
  if (![...refs.keys()].some((ref) => ref !== '')) {
    throw unusable(source, 'the repository is empty: it has no commit', 'Push a first commit, then run it again.');
  }
  if (base === undefined) throw unusable(source, 'its default branch has no commit', 'Name a base branch or commit.');
  throw unusable(
    source,
    `there is no branch or tag ${JSON.stringify(base)}`,
    'Name a branch, a tag or a full commit SHA.',
  );
}

/** A mirror that a stopped process left half-written cannot be mended; it is made again, once. */
async function bring(place: Place, request: MirrorRequest, base: string): Promise<void> {
  const { git, gitDir, signal } = place;
  try {
    await update(place, request, base);
  } catch (error) {
    if (!(error instanceof EnvironmentError) || isOfTheServer(error)) throw error;
    await rm(gitDir, { recursive: true, force: true });
    await update(place, request, base).catch((second: unknown) => {
      throw request.base === base && second instanceof EnvironmentError
        ? missingCommit(request.source, second)
        : second;
    });
  }
  await git({ args: ['gc', '--auto', '--quiet'], gitDir, config: [['gc.auto', '6700']], seconds: 600 }, signal);
}

async function update(place: Place, request: MirrorRequest, base: string): Promise<void> {
  const { git, gitDir, signal } = place;
  const format = base.length === 64 ? 'sha256' : 'sha1';
  await mkdir(gitDir, { recursive: true });
  // What was unused longest goes first when the disk has to be made free.
  await utimes(gitDir, new Date(), new Date());
  await git({ args: ['init', '--quiet', '--bare', '--template=', `--object-format=${format}`, gitDir] }, signal);
  const slot = `refs/bases/${createHash('sha256')
    .update(request.base ?? '')
    .digest('hex')
    .slice(0, 8)}`;
  const known = await git({ args: ['rev-parse', '--verify', '--quiet', slot], gitDir, accept: ANY_EXIT }, signal);
  const target = ['--', request.source.url, `+${base}:${slot}`];
  if (known.code === 0) await fetchSince(place, request, slot, target);
  else await fetchFirst(place, request, slot, target);
}

/** Only what is new since the last time, back to where the history began then. */
async function fetchSince(place: Place, request: MirrorRequest, slot: string, target: string[]): Promise<void> {
  const { git, gitDir, signal } = place;
  const start = await startOfHistory(git, gitDir, slot, request.commits, signal);
  await place.ask({
    args: [...FETCH, ...(start === undefined ? [] : [`--shallow-since=${start}`]), ...target],
    gitDir,
  });
}

/** How many generations make enough commits shows only after some are there. */
async function fetchFirst(place: Place, request: MirrorRequest, slot: string, target: string[]): Promise<void> {
  const { git, gitDir, signal } = place;
  await place.ask({ args: [...FETCH, `--depth=${FIRST_GENERATIONS}`, ...target], gitDir });
  const commits = await countCommits(git, gitDir, slot, signal);
  if (commits >= request.commits / 2) return;
  const generations = Math.min(request.commits, Math.ceil((FIRST_GENERATIONS * request.commits) / commits));
  await place.ask({ args: [...FETCH, `--depth=${generations}`, ...target], gitDir });
}

const isOfTheServer = ({ code }: EnvironmentError): boolean => code === UNREACHABLE || code === REFUSED;

const missingCommit = ({ url }: RemoteSource, cause: EnvironmentError) =>
  isOfTheServer(cause)
    ? cause
    : new InputError(
        [
          {
            source: url,
            message: `the base commit cannot be had: ${cause.message}`,
            remedy: 'Name a commit that it has.',
          },
        ],
        { cause },
      );

const unusable = ({ url }: RemoteSource, message: string, remedy: string) =>
  new InputError([{ source: url, message, remedy }]);

import type { lookup } from 'node:dns';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import type { LookupFunction, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RequestError, Server } from 'proxy-chain';
import { SandboxError } from '../domain/errors.ts';
import type { SetUpNetwork } from '../domain/set-up-access.ts';
import { createEgressRules, type EgressOptions, type ResolvedAddress } from './egress-rules.ts';

/** The one way out of a set-up: a proxy on a socket that only its forwarder can see. */
export interface SetUpProxy {
  /** The folder that holds the socket, which is named `SOCKET`. */
  folder: string;
  /** What was refused so far, in sentences without an end, each once. */
  refused(): string[];
  close(): Promise<void>;
}

export const SOCKET = 's';
const MOST_REFUSALS = 20;
/** What the kernel takes as the path of a socket. */
const LONGEST_PATH = 107;

/**
 * Starts a proxy that lets requests out as the rules say, on a socket in a fresh folder below `parent`.
 * @throws SandboxError where there is no room for a socket
 */
export async function startSetUpProxy(
  network: SetUpNetwork,
  parent: string,
  options: EgressOptions = {},
): Promise<SetUpProxy> {
  const egress = createEgressRules(network, options);
  const refusals = new Set<string>();
  const proxy = new Server({
    prepareRequestFunction: async ({ hostname, port }) => {
      const answer = await egress(hostname, port);
      if ('upstream' in answer) return { upstreamProxyUrl: answer.upstream };
      if ('addresses' in answer) return { dnsLookup: pinned(answer.addresses) };
      if (refusals.size < MOST_REFUSALS) refusals.add(answer.refused.slice(0, 200));
      throw new RequestError(`Fathom lets no set-up there: ${answer.refused}`, 403);
    },
  });
  // The library takes a connection without the other side's address for one that is closed already.
  proxy.server.prependListener('connection', (socket: Socket) => {
    Object.defineProperty(socket, 'remoteAddress', { value: 'set-up' });
  });
  const folder = await socketFolder(parent);
  const path = join(folder, SOCKET);
  try {
    await new Promise<void>((resolve, reject) => proxy.server.once('error', reject).listen(path, resolve));
    await chmod(path, 0o666);
  } catch (cause) {
    await rm(folder, { recursive: true, force: true });
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new SandboxError(`no proxy for set-ups: ${message}`, 'Choose another folder with FATHOM_DATA.', { cause });
  }
  return {
    folder,
    refused: () => [...refusals],
    close: async () => {
      await proxy.close(true);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A deep folder leaves no room for the path of a socket; then it is made among temporary files. */
async function socketFolder(wanted: string): Promise<string> {
  const fits = Buffer.byteLength(join(wanted, 'out-XXXXXX', SOCKET)) <= LONGEST_PATH;
  const parent = fits ? wanted : tmpdir();
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'out-'));
  await chmod(folder, 0o711);
  return folder;
}

/** Connects to what was looked at, whatever the name says by now. */
function pinned(addresses: ResolvedAddress[]): typeof lookup {
  const answer: LookupFunction = (name, { all }, callback) => {
    const [first] = addresses;
    if (first === undefined) callback(new Error(`${name} has no address`), []);
    else if (all) callback(null, addresses);
    else callback(null, first.address, first.family);
  };
  // The type has a second form, for promises, that nobody uses to connect.
  return answer as typeof lookup;
}

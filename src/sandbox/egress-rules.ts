import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import type { SetUpNetwork } from '../domain/set-up-access.ts';
import { KNOWN_REGISTRIES } from './known-registries.ts';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** Where a request may be sent: to one of these addresses, or through the operator's own proxy; or why it may not. */
export type Egress = { addresses: ResolvedAddress[] } | { upstream: string } | { refused: string };

export interface EgressOptions {
  resolve?: (name: string) => Promise<ResolvedAddress[]>;
  /** Addresses of this machine, at which its own services listen. */
  own?: () => string[];
}

/** Without an entry of its own, a host is reached at these alone: neither mail servers nor a company's odd ports. */
const PORTS = [80, 443];
/** Names that lead to the machine itself, to its engine's host, or to a cloud's metadata. */
const LOCAL_NAMES = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|corp|home\.arpa)$|^[^.:]+$/;
/** Never reached, whoever lists them. */
const CLOSED_RANGES = new Set(['linkLocal', 'loopback', 'unspecified', 'multicast', 'broadcast']);
/** Metadata services of clouds that are in other ranges (Amazon by IPv6, Alibaba, Oracle). */
const METADATA = new Set(['fd00:ec2::254', '100.100.100.200', '192.0.0.192']);

/**
 * Says where a set-up may send a request. Names are resolved here, once, and what they resolve to is what is connected
 * to, so that a name cannot change its mind in between (DNS rebinding). Private addresses are reached only by hosts that
 * the operator named one by one, and by registries that everybody knows.
 */
export function createEgressRules(network: SetUpNetwork, options: EgressOptions = {}) {
  const { resolve = (name) => lookup(name, { all: true }), own = ownAddresses } = options;
  return async (hostname: string, port: number): Promise<Egress> => {
    const host = plainHost(hostname);
    const standing = standingOf(network, host, port);
    const refused = refusalOf(standing, host, port);
    if (refused !== undefined) return { refused };
    const upstream = upstreamOf(network, host);
    const found = isAddress(host) ? [literal(host)] : await resolve(host).catch(() => []);
    if (found.length === 0) return upstream ? { upstream } : { refused: `${host} cannot be resolved` };
    const mine = new Set(own());
    const addresses = found.filter(({ address }) => isOpen(address, standing === 'named') && !mine.has(address));
    if (addresses.length === 0) return { refused: `${host} is no public address` };
    return upstream ? { upstream } : { addresses };
  };
}

type Standing = 'named' | 'listed' | 'unlisted' | 'port';

function refusalOf(standing: Standing, host: string, port: number): string | undefined {
  if (standing === 'unlisted') return `${host}:${port} is not among FATHOM_SETUP_HOSTS`;
  if (standing === 'port') return `${host}:${port} is neither port 80 nor 443`;
  const isLocal = standing === 'listed' && !isAddress(host) && LOCAL_NAMES.test(host);
  return isLocal ? `${host} is a name of a local network` : undefined;
}

function upstreamOf({ upstream, direct = [] }: SetUpNetwork, host: string): string | undefined {
  const isDirect = direct.some((entry) => {
    const name = entry.toLowerCase().replace(/^\*?\./, '');
    return entry === '*' || host === name || host.endsWith(`.${name}`);
  });
  return isDirect ? undefined : upstream;
}

/** `named`: a known registry, or the operator wrote exactly this host; `listed`: it matches, or they wrote nothing. */
function standingOf({ hosts, registries = [] }: SetUpNetwork, host: string, port: number): Standing {
  const at = `${host}:${port}`;
  const entries = hosts?.map((entry) => entry.toLowerCase()) ?? ['*'];
  if (registries.includes(at) || entries.includes(at)) return 'named';
  if (entries.includes(host)) return PORTS.includes(port) ? 'named' : 'port';
  const isListed = entries.some((entry) => entry === '*' || (entry.startsWith('*.') && host.endsWith(entry.slice(1))));
  if (!isListed) return 'unlisted';
  if (!PORTS.includes(port)) return 'port';
  return KNOWN_REGISTRIES.has(host) ? 'named' : 'listed';
}

const plainHost = (hostname: string): string =>
  hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');

const isAddress = (host: string): boolean => ipaddr.isValid(host);

function literal(host: string): ResolvedAddress {
  const address = ipaddr.process(host);
  return { address: address.toString(), family: address.kind() === 'ipv4' ? 4 : 6 };
}

function isOpen(address: string, isNamed: boolean): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (CLOSED_RANGES.has(range) || METADATA.has(parsed.toString())) return false;
  return isNamed || range === 'unicast';
}

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((faces) => (faces ?? []).map(({ address }) => address));

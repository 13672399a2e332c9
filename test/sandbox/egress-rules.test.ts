import { describe, expect, it } from 'vitest';
import type { SetUpNetwork } from '#src/domain/set-up-access.ts';
import { createEgressRules } from '#src/sandbox/egress-rules.ts';

const PUBLIC = '93.184.216.34';

/** What names resolve to here; nothing is asked of any name server. */
const names: Record<string, string[]> = {
  'packages.example.org': [PUBLIC],
  'rebound.example.org': ['169.254.169.254'],
  'half.example.org': ['10.0.0.7', PUBLIC],
  'six.example.org': ['fd00:ec2::254'],
  'mapped.example.org': ['::ffff:10.0.0.7'],
  'registry.npmjs.org': ['10.1.2.3'],
  'npm.company.com': ['10.1.2.3'],
  'loop.company.com': ['127.0.0.1'],
  'here.example.org': ['198.41.0.4'],
  '2130706433': ['127.0.0.1'],
};

const rules = (network: Partial<SetUpNetwork> = {}) =>
  createEgressRules(
    { mode: 'proxied', ...network },
    {
      resolve: async (name) =>
        (names[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      own: () => ['198.41.0.4'],
    },
  );

describe('without a list, a set-up reaches', () => {
  it.each([
    ['packages.example.org', 443],
    ['packages.example.org.', 80],
    [PUBLIC, 443],
    ['registry.npmjs.org', 443],
  ])('%s:%i', async (host, port) => {
    expect(await rules()(host, port)).toHaveProperty('addresses');
  });

  it.each([
    ['the metadata service', '169.254.169.254'],
    ['the metadata service of IPv6', '[fd00:ec2::254]'],
    ['the metadata service of another cloud', '100.100.100.200'],
    ['the metadata service by name', 'metadata.google.internal'],
    ['the metadata service by its short name', 'metadata'],
    ['the host of the engine by name', 'host.docker.internal'],
    ['its own loopback', '127.0.0.1'],
    ['loopback by name', 'localhost'],
    ['loopback of IPv6', '[::1]'],
    ['loopback as one number', '2130706433'],
    ['loopback in hexadecimal', '0x7f.1'],
    ['loopback in octal', '0177.0.0.1'],
    ['every address', '0.0.0.0'],
    ['the bridge of the engine', '172.17.0.1'],
    ['a private network', '10.0.0.7'],
    ['another one', '192.168.1.1'],
    ['a private network of IPv6', '[fd12::1]'],
    ['a private address in one of IPv6', '[::ffff:10.0.0.7]'],
    ['a private address through NAT64', '[64:ff9b::a00:7]'],
    ['a private address through 6to4', '[2002:a00:7::1]'],
    ['a link-local address', '[fe80::1]'],
    ['a name that leads to the metadata service', 'rebound.example.org'],
    ['a name that leads to it by IPv6', 'six.example.org'],
    ['a name that leads to a private address in one of IPv6', 'mapped.example.org'],
    ['a name that leads to this machine by its public address', 'here.example.org'],
    ['a name that leads nowhere', 'nowhere.example.org'],
  ])('not %s', async (_name, host) => {
    expect(await rules()(host, 80)).toHaveProperty('refused');
  });

  it('only the public one of two addresses', async () => {
    expect(await rules()('half.example.org', 443)).toEqual({ addresses: [{ address: PUBLIC, family: 4 }] });
  });

  it.each([22, 25, 6379, 8080])('no port %i', async (port) => {
    expect(await rules()('packages.example.org', port)).toEqual({
      refused: `packages.example.org:${port} is neither port 80 nor 443`,
    });
  });
});

describe('with a list, a set-up reaches', () => {
  const listed = rules({
    hosts: ['*.example.org', 'npm.company.com:4873', 'loop.company.com'],
    registries: ['10.9.9.9:8081'],
  });

  it.each([
    ['what matches it', 'packages.example.org', 443],
    ['a private registry that is named with its port', 'npm.company.com', 4873],
    ['the registry of FATHOM_NPM_REGISTRY', '10.9.9.9', 8081],
  ])('%s', async (_name, host, port) => {
    expect(await listed(host, port)).toHaveProperty('addresses');
  });

  it.each([
    ['what is not on it', PUBLIC, 443],
    ['a registry that everybody knows', 'registry.npmjs.org', 443],
    ['another port of the same host', 'npm.company.com', 22],
    ['a name that only ends alike', 'evilexample.org', 443],
    ['the name above', 'example.org', 443],
    ['a private address behind a pattern', 'mapped.example.org', 443],
    ['the metadata service behind a pattern', 'rebound.example.org', 80],
    ['loopback, whatever is on it', 'loop.company.com', 443],
  ])('not %s', async (_name, host, port) => {
    expect(await listed(host, port)).toHaveProperty('refused');
  });
});

describe("behind the operator's own proxy, which looks names up", () => {
  const behind = rules({
    upstream: 'http://proxy.company.com:3128',
    direct: ['.company.com'],
    hosts: ['*', 'npm.company.com'],
  });

  it('a name goes on to it, also one that nobody here knows', async () => {
    expect(await behind('packages.example.org', 443)).toEqual({ upstream: 'http://proxy.company.com:3128' });
    expect(await behind('unknown.example.org', 443)).toEqual({ upstream: 'http://proxy.company.com:3128' });
  });

  it.each(['169.254.169.254', '10.0.0.7', 'rebound.example.org', 'localhost', 'metadata.google.internal'])(
    '%s does not',
    async (host) => {
      expect(await behind(host, 80)).toHaveProperty('refused');
    },
  );

  it('what it is to be passed by for is reached directly, and has to have an address', async () => {
    expect(await behind('npm.company.com', 443)).toEqual({ addresses: [{ address: '10.1.2.3', family: 4 }] });
    expect(await behind('other.company.com', 443)).toHaveProperty('refused');
  });
});

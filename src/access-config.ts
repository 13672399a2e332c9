import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Problem } from './domain/errors.ts';
import type { SetUpAccess, SetUpNetwork } from './domain/set-up-access.ts';

const HOST = String.raw`(?:\*|(?:\*\.)?[\w-]+(?:\.[\w-]+)*(?::\d{1,5})?)`;
const HOSTS = new RegExp(`^${HOST}(?:[\\s,]+${HOST})*$`);

/** What the environment may say about how set-ups reach their registries. */
export const Environment = z.object({
  FATHOM_EXTRA_CA: z.string().optional(),
  FATHOM_SETUP_PROXY: z.url({ protocol: /^https?$/ }).optional(),
  FATHOM_SETUP_NO_PROXY: z.string().optional(),
  FATHOM_NPM_REGISTRY: z.url({ protocol: /^https?$/ }).optional(),
  FATHOM_PIP_INDEX: z.url({ protocol: /^https?$/ }).optional(),
  FATHOM_SETUP_NETWORK: z.enum(['proxied', 'open', 'none']).default('proxied'),
  FATHOM_SETUP_HOSTS: z.string().regex(HOSTS, 'is not a list of hosts: name, *.name, name:port').optional(),
  FATHOM_IMAGES_GB: z.coerce.number().positive().optional(),
});
type Environment = z.infer<typeof Environment>;

const DEFAULT_IMAGES_GB = 20;

const remedies: Record<string, string> = {
  FATHOM_IMAGES_GB: 'Give a number of gigabytes.',
  FATHOM_SETUP_NETWORK: 'Set proxied, open or none.',
  FATHOM_SETUP_HOSTS: 'List hosts like registry.npmjs.org, *.pythonhosted.org, npm.example.com:4873.',
};

/** Reads the operator's settings for set-up; what is wrong with them is added to `problems`. */
export function readAccess(variables: NodeJS.Dict<string>, problems: Problem[]): SetUpAccess {
  const parsed = Environment.safeParse(variables);
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) {
      const remedy = remedies[String(path[0])] ?? 'Give an address that begins with http:// or https://.';
      problems.push({ source: String(path[0]), message, remedy });
    }
    return { variables: {}, network: { mode: 'none' } };
  }
  const file = parsed.data.FATHOM_EXTRA_CA;
  const certificates = file === undefined ? undefined : readCertificates(file, problems);
  return {
    ...(certificates === undefined ? {} : { certificates }),
    variables: variablesOf(parsed.data),
    network: networkOf(parsed.data),
    imageBytes: (parsed.data.FATHOM_IMAGES_GB ?? DEFAULT_IMAGES_GB) * 1e9,
  };
}

function readCertificates(file: string, problems: Problem[]): string | undefined {
  const source = 'FATHOM_EXTRA_CA';
  try {
    const text = readFileSync(file, 'utf8');
    if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
    problems.push({ source, message: `${file} holds no certificate`, remedy: 'Give a file in PEM form.' });
  } catch {
    problems.push({ source, message: `${file} cannot be read`, remedy: 'Give the path of a readable file.' });
  }
  return undefined;
}

/** Programs do not agree on how these are spelled. */
function variablesOf(env: Environment): Record<string, string> {
  const { FATHOM_NPM_REGISTRY: npm, FATHOM_PIP_INDEX: pip } = env;
  return {
    ...(env.FATHOM_SETUP_NETWORK === 'open' ? proxyVariables(env) : {}),
    ...(npm === undefined
      ? {}
      : { npm_config_registry: npm, YARN_NPM_REGISTRY_SERVER: npm, COREPACK_NPM_REGISTRY: npm }),
    ...(pip === undefined ? {} : { PIP_INDEX_URL: pip, UV_DEFAULT_INDEX: pip }),
  };
}

/** Where a proxy of ours stands in between, set-ups are told of that one, and it goes on to the operator's. */
function proxyVariables({ FATHOM_SETUP_PROXY: proxy, FATHOM_SETUP_NO_PROXY: none }: Environment) {
  const names = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'];
  return {
    ...(proxy === undefined ? {} : Object.fromEntries(names.map((name) => [name, proxy]))),
    ...(none === undefined ? {} : { no_proxy: none, NO_PROXY: none }),
  };
}

function networkOf(env: Environment): SetUpNetwork {
  const registries = [env.FATHOM_NPM_REGISTRY, env.FATHOM_PIP_INDEX].filter((url) => url !== undefined).map(hostOf);
  const { FATHOM_SETUP_HOSTS: hosts, FATHOM_SETUP_PROXY: upstream, FATHOM_SETUP_NO_PROXY: direct } = env;
  return {
    mode: env.FATHOM_SETUP_NETWORK,
    registries,
    ...(hosts === undefined ? {} : { hosts: words(hosts) }),
    ...(upstream === undefined ? {} : { upstream }),
    ...(direct === undefined ? {} : { direct: words(direct) }),
  };
}

const words = (list: string): string[] => list.split(/[\s,]+/).filter((word) => word !== '');

function hostOf(address: string): string {
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Problem } from './domain/errors.ts';
import type { SetUpAccess } from './domain/set-up-access.ts';

/** What the environment may say about how set-ups reach their registries. */
export const Environment = z.object({
  FATHOM_EXTRA_CA: z.string().optional(),
  FATHOM_SETUP_PROXY: z.url({ protocol: /^https?$/ }).optional(),
  FATHOM_SETUP_NO_PROXY: z.string().optional(),
  FATHOM_NPM_REGISTRY: z.url({ protocol: /^https?$/ }).optional(),
  FATHOM_PIP_INDEX: z.url({ protocol: /^https?$/ }).optional(),
  FATHOM_IMAGES_GB: z.coerce.number().positive().optional(),
});
type Environment = z.infer<typeof Environment>;

const DEFAULT_IMAGES_GB = 20;

/** Reads the operator's settings for set-up; what is wrong with them is added to `problems`. */
export function readAccess(variables: NodeJS.Dict<string>, problems: Problem[]): SetUpAccess {
  const parsed = Environment.safeParse(variables);
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) {
      const isSize = path[0] === 'FATHOM_IMAGES_GB';
      const remedy = isSize ? 'Give a number of gigabytes.' : 'Give an address that begins with http:// or https://.';
      problems.push({ source: String(path[0]), message, remedy });
    }
    return { variables: {} };
  }
  const file = parsed.data.FATHOM_EXTRA_CA;
  const certificates = file === undefined ? undefined : readCertificates(file, problems);
  return {
    ...(certificates === undefined ? {} : { certificates }),
    variables: variablesOf(parsed.data),
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
  const { FATHOM_SETUP_PROXY: proxy, FATHOM_SETUP_NO_PROXY: none } = env;
  const { FATHOM_NPM_REGISTRY: npm, FATHOM_PIP_INDEX: pip } = env;
  const names = ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY'];
  return {
    ...(proxy === undefined ? {} : Object.fromEntries(names.map((name) => [name, proxy]))),
    ...(none === undefined ? {} : { no_proxy: none, NO_PROXY: none }),
    ...(npm === undefined
      ? {}
      : { npm_config_registry: npm, YARN_NPM_REGISTRY_SERVER: npm, COREPACK_NPM_REGISTRY: npm }),
    ...(pip === undefined ? {} : { PIP_INDEX_URL: pip, UV_DEFAULT_INDEX: pip }),
  };
}

export type ConfigPair = readonly [key: string, value: string];

/**
 * Attributes that every git directory of ours carries, at checkout and at extraction alike. They stand above the tree's
 * own `.gitattributes`, so that a file in a tree is its blob byte for byte, and no filter, driver or encoding named by
 * the tree takes part.
 */
export const NEUTRAL_ATTRIBUTES = '* -text -eol -ident -filter -working-tree-encoding !diff !merge !whitespace\n';

const HARDENED: readonly ConfigPair[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.untrackedCache', 'false'],
  ['core.attributesFile', '/dev/null'],
  ['core.excludesFile', '/dev/null'],
  ['core.autocrlf', 'false'],
  ['core.safecrlf', 'false'],
  ['core.symlinks', 'true'],
  ['core.fileMode', 'true'],
  ['core.ignoreCase', 'false'],
  ['core.precomposeUnicode', 'false'],
  ['core.protectNTFS', 'true'],
  ['core.protectHFS', 'true'],
  ['core.sparseCheckout', 'false'],
  ['core.splitIndex', 'false'],
  ['core.sshCommand', 'false'],
  ['core.askPass', ''],
  ['credential.helper', ''],
  ['diff.external', ''],
  ['fetch.recurseSubmodules', 'false'],
  ['fetch.unpackLimit', '1'],
  ['gc.auto', '0'],
  ['gc.autoDetach', 'false'],
  ['maintenance.auto', 'false'],
  ['http.lowSpeedLimit', '1000'],
  ['http.lowSpeedTime', '60'],
  ['protocol.version', '2'],
  ['submodule.recurse', 'false'],
  // Every directory that git is pointed at was named on purpose, and nothing that it configures is obeyed.
  ['safe.directory', '*'],
];

/** The few variables of the surroundings that git may see: where programs are, proxies, certificates, temporary files. */
const PASSED_ON = [
  'PATH',
  'TMPDIR',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'https_proxy',
  'http_proxy',
  'all_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'GIT_SSL_CAINFO',
];

/**
 * The whole environment of one git process. `protocols` is git's colon-separated list of transports; `none` allows
 * nothing. Values in `config` (a token's header among them) exist here only: no argument, no file.
 */
export function gitEnvironment(
  surroundings: Record<string, string | undefined>,
  protocols: string,
  config: readonly ConfigPair[],
): Record<string, string> {
  const passed = PASSED_ON.flatMap((name) => {
    const value = surroundings[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    ...Object.fromEntries(passed),
    HOME: '/dev/null',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_ALLOW_PROTOCOL: protocols,
    ...configEnvironment([...HARDENED, ...config]),
  };
}

function configEnvironment(pairs: readonly ConfigPair[]): Record<string, string> {
  const entries = pairs.flatMap(([key, value], n) => [
    [`GIT_CONFIG_KEY_${n}`, key] as const,
    [`GIT_CONFIG_VALUE_${n}`, value] as const,
  ]);
  return { GIT_CONFIG_COUNT: String(pairs.length), ...Object.fromEntries(entries) };
}

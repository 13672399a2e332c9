import { quoted } from './test-plan.ts';

/** What the sandbox image brings and a bare Debian does not; `scripts/sandbox-image/packages.txt` is the same list. */
export const BARE_PACKAGES =
  'bash ca-certificates diffutils findutils gcc git jq libc6-dev make nodejs patch procps python3 python3-pip python3-pytest python3-venv ripgrep';
/** npm is no part of that list: the image has the registry's own. */
const BARE_IMAGE = 'debian:bookworm-slim';

export interface Repetition {
  base: string;
  /** The image that the repository's configuration names; absent for the sandbox's own. */
  image: string | undefined;
  setup: string | undefined;
  regression: string | undefined;
  suite: string | undefined;
  testFiles: string[];
  /** Variables of the containers, with paths below the mount's target. */
  variables: Record<string, string>;
}

/**
 * One command that repeats the proof in a clone, with the change in `fathom.patch`, on any machine with Docker: the set-up
 * with a network, then the tests as another user, and without one. An agent wrote the change and the regression command,
 * and the clone is there to be read: its files that are not committed, and a token that its remote may hold. Other images
 * can be tried with `IMAGE=`. What it prints are exit codes: other than 0 before the change, 0 with it.
 */
export function repeatCommand(repetition: Repetition): string {
  const { image, setup, variables } = repetition;
  const named = Object.entries({ ...SETTINGS, ...variables });
  const settings = named.map(([name, value]) => `export ${name}=${quoted(value)}`);
  const before = [
    'set -e',
    ...(image === undefined ? BARE : [NEEDS_GIT]),
    ...CLONE(repetition.base),
    ...settings,
    ...(setup === undefined ? [] : [`( ${setup}\n)`]),
  ].join('\n');
  const tests = ['set -e', 'cd /repo', ...settings, RUN, ...stepsOf(repetition)].join('\n');
  const end = delimiterFor(`${before}\n${tests}`);
  const inside = (script: string) => `docker exec -i "$c" bash -s <<'${end}'\n${script}\n${end}`;
  return [`(${startOf(image ?? BARE_IMAGE)}`, inside(before), NO_NETWORK, inside(tests), ')'].join('\n');
}

const startOf = (image: string): string => {
  const mounts = `-v "$PWD":/clone:ro -v "$(realpath "\${PATCH:-fathom.patch}")":/fathom.patch:ro`;
  const run = `docker run -d --rm --entrypoint sleep ${mounts} "\${IMAGE:-${image}}" 7200`;
  return `set -e; c=$(${run}); trap 'docker rm -f "$c" >/dev/null' EXIT`;
};
const NO_NETWORK = `for n in $(docker inspect -f '{{range $n, $_ := .NetworkSettings.Networks}}{{$n}} {{end}}' "$c"); do
  [ "$n" = none ] || docker network disconnect -f "$n" "$c"; done`;

const SETTINGS = { PIP_BREAK_SYSTEM_PACKAGES: '1', CI: '1', LC_ALL: 'C.UTF-8' };
const NEEDS_GIT = 'command -v git >/dev/null || { apt-get -qq update && apt-get -qqy install git >/dev/null; }';
const BARE = [
  `command -v rg >/dev/null || { apt-get -qq update && apt-get -qqy install --no-install-recommends ${BARE_PACKAGES} >/dev/null; }`,
  'command -v npm >/dev/null || apt-get -qqy install --no-install-recommends npm >/dev/null',
];
const CLONE = (base: string) => [
  "git config --global --add safe.directory '*'",
  'git clone -q --no-checkout /clone /repo && cd /repo',
  `git checkout -q ${quoted(base)}`,
];
/** Root may do what a test says that nobody may. */
const RUN = `run() {
  echo "== $1"; chown -R 65534:65534 /repo; code=0
  setpriv --reuid=65534 --regid=65534 --clear-groups env HOME=/tmp bash -c "$2" </dev/null || code=$?
  echo "== $1: exit code $code"
}`;

function stepsOf({ regression, suite, testFiles }: Repetition): string[] {
  const tests = testFiles.map((file) => `--include=${quoted(literally(file))}`).join(' ');
  const apply = 'git apply --whitespace=nowarn';
  return [
    ...(suite === undefined ? [] : [`run 'suite on base' ${quoted(suite)}`]),
    ...(regression === undefined || tests === ''
      ? []
      : [
          `${apply} ${tests} /fathom.patch`,
          `run 'regression test on base' ${quoted(regression)}`,
          `${apply} -R ${tests} /fathom.patch`,
        ]),
    `${apply} /fathom.patch`,
    ...(regression === undefined ? [] : [`run 'regression test with the change' ${quoted(regression)}`]),
    ...(suite === undefined ? [] : [`run 'suite with the change' ${quoted(suite)}`]),
  ];
}

/** `--include` takes a pattern; a path is to match itself and nothing else. */
const literally = (path: string): string => path.replaceAll(/[\\*?[]/g, '\\$&');

/** No line of a command that others wrote may end the script. */
function delimiterFor(script: string): string {
  const lines = new Set(script.split('\n'));
  let end = 'FATHOM';
  while (lines.has(end)) end += '_';
  return end;
}

import { CancelledError, SandboxError } from '../domain/errors.ts';
import type { Sandbox } from '../domain/ports/sandbox-host.ts';
import type { PreparedEnvironment } from './artefacts.ts';

const PROBE_SECONDS = 20;
const SHOWN_CHARACTERS = 3_000;
const LOG_CHARACTERS = 600;

/** What the agents are told of the set-up: only what is known, so all of it may be missing. */
export type KnownEnvironment = Pick<
  PreparedEnvironment,
  'prepared' | 'skipped' | 'test' | 'setup' | 'needsNothing' | 'log'
>;

/**
 * What an agent finds in its container, in a few lines: interpreters with their versions, where dependencies are, whether
 * the repository's set-up ran, how its tests are run. Costs one bounded command. What the container says about itself is
 * the repository's word, so the text belongs into an untrusted block.
 * @throws SandboxError with `lost`, CancelledError
 */
export async function describeEnvironment(
  sandbox: Sandbox,
  known: KnownEnvironment | undefined,
  signal: AbortSignal,
): Promise<string> {
  return [...(await found(sandbox, signal)), ...setUpLines(known), ...testLines(known), NO_NETWORK].join('\n');
}

const NO_NETWORK = 'Network: none. Nothing can be installed.';

async function found(sandbox: Sandbox, signal: AbortSignal): Promise<string[]> {
  try {
    const { output } = await sandbox.exec(PROBE, { seconds: PROBE_SECONDS, shownCharacters: SHOWN_CHARACTERS }, signal);
    return output.split('\n').filter((line) => line.trim() !== '');
  } catch (error) {
    if (error instanceof CancelledError || (error instanceof SandboxError && error.lost)) throw error;
    return [];
  }
}

const MAY_MISS =
  'what it depends on may be missing, and a package or program of its own name may be another version than this checkout.';

function setUpLines(known: KnownEnvironment | undefined): string[] {
  if (known === undefined || known.skipped) return [`Set-up: the repository's own set-up was not run: ${MAY_MISS}`];
  if (known.needsNothing) return ['Set-up: none is needed; the repository names nothing to install.'];
  if (known.setup === undefined) return [`Set-up: none was found in the repository: ${MAY_MISS}`];
  const command = shortened(known.setup.replaceAll('\n', '; '));
  if (known.prepared) return [`Set-up: \`${command}\` was run; its dependencies are installed.`];
  return [`Set-up: \`${command}\` failed, so dependencies may be missing. Its last words: ${lastWords(known.log)}`];
}

/** What a reader should know of the containers in which answers were found; nothing where they had all there is. */
export function environmentNotes(known: KnownEnvironment | undefined): string[] {
  const without = 'The Answerers worked without the dependencies that the repository’s own set-up installs';
  if (known === undefined) return [`${without}: none had finished when they started.`];
  if (known.prepared) return [];
  if (known.skipped) return [`${without}: a diagnosis alone runs none, and none is kept from an earlier repair.`];
  return [`${without}: it failed.`];
}

const testLines = (known: KnownEnvironment | undefined): string[] =>
  known?.test === undefined ? [] : [`Tests are usually run with: \`${shortened(known.test)}\``];

const shortened = (text: string): string => (text.length <= 400 ? text : `${text.slice(0, 400)} …`);

const lastWords = (log: string): string => log.trim().slice(-LOG_CHARACTERS).replaceAll(/\s+/g, ' ');

/** Each program is asked for two seconds at most; one that is not there is not named, but for the one everybody expects. */
const PROBE = `sep='Programs: '
ask() {
  command -v "$1" >/dev/null 2>&1 || return 0
  said=$(timeout 2 "$@" 2>&1 </dev/null | grep -m 1 '[0-9]' | cut -c 1-60)
  case "$said" in *[Jj]ava*|*jdk*|*"$1"*|[A-Z]*) ;; *) said="$1 $said" ;; esac
  printf '%s%s' "$sep" "$said"; sep='; '
}
for program in python3 node rustc ruby php gcc make git rg; do ask "$program" --version; done
ask go version; ask java -version
if command -v npm >/dev/null 2>&1; then
  # Started, it takes longer than all the others together.
  about="$(dirname "$(readlink -f "$(command -v npm)")")/../package.json"
  said=$(grep -o '"version": *"[^"]*"' "$about" 2>/dev/null | head -1 | cut -d '"' -f 4)
  printf '%snpm %s' "$sep" "\${said:-of an unknown version}"
fi
echo
command -v python >/dev/null 2>&1 || ! command -v python3 >/dev/null 2>&1 || echo 'Python: \`python3\`; there is no \`python\`.'
if command -v python3 >/dev/null 2>&1; then
  timeout 5 python3 -c '
import importlib.metadata as metadata
found = {(one.metadata["Name"] or ""): str(one.locate_file("")) for one in metadata.distributions()}
names = sorted(set(found) - {""}, key=str.lower)
folders = ", ".join(sorted(set(found.values()))[:3])
print("Python packages in", (folders or "no folder") + ":", ", ".join(names[:40]) + (" and %d more" % (len(names) - 40) if len(names) > 40 else ""))
print("pytest is", "installed" if "pytest" in [name.lower() for name in names] else "not installed", "for python3")
' 2>/dev/null
fi
declared=
if [ -f package.json ] && command -v node >/dev/null 2>&1; then
  declared=$(timeout 5 node -e '
const { existsSync, readFileSync } = require("fs"), { dirname, join } = require("path");
const about = JSON.parse(readFileSync("package.json", "utf8"));
const names = Object.keys({ ...about.devDependencies, ...about.dependencies }).slice(0, 200);
const folders = []; for (let at = process.cwd(); ; at = dirname(at)) { folders.push(join(at, "node_modules")); if (at === dirname(at)) break; }
const place = (name) => folders.find((folder) => existsSync(join(folder, name)));
const list = (some) => some.slice(0, 60).join(" ") + (some.length > 60 ? " and " + (some.length - 60) + " more" : "");
const here = names.filter(place), missing = names.filter((name) => !place(name));
if (here.length) console.log("Node packages of package.json in " + [...new Set(here.map(place))].join(", ") + ": " + list(here));
if (missing.length) console.log("Node packages of package.json that are missing: " + list(missing));
' 2>/dev/null)
  [ -z "$declared" ] || printf '%s\\n' "$declared"
fi
for folder in "$PWD/node_modules" "\${PWD%/*}/node_modules"; do
  [ -z "$declared" ] && [ -d "$folder" ] || continue
  count=$(ls "$folder" | wc -l)
  more=; [ "$count" -gt 40 ] && more=" and $((count - 40)) more"
  echo "Node packages in $folder: $(ls "$folder" | head -40 | paste -s -d ' ')$more"; break
done
true`;

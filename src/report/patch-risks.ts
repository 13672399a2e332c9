import { type AddedLine, addedLines } from '../domain/added-lines.ts';
import { type ChangedFile, diffBytes, type Patch } from '../domain/patch.ts';

/** What a reviewer of a change should not miss. */
export type PatchRiskKind =
  | 'binary'
  | 'executable'
  | 'link'
  | 'minified'
  | 'dependency'
  | 'install-script'
  | 'network'
  | 'existing-tests'
  | 'test-settings'
  | 'hidden';

export interface PatchRisk {
  kind: PatchRiskKind;
  path: string;
  /** In the file after the change; absent where the whole file is meant. */
  line?: number;
}

/**
 * What in a patch deserves a closer look, by its files and by the lines that it adds: in one pass over the diff, with
 * patterns that cannot backtrack. It errs on the side of naming too much; that it names nothing proves nothing.
 */
export function patchRisks(patch: Patch): PatchRisk[] {
  const risks = [
    ...patch.files.flatMap((file) => riskyFile(file)),
    ...newlyExecutable(patch),
    ...addedLines(patch).flatMap((line) => riskyLine(line)),
    ...blobs(addedLines(patch)),
  ];
  return [...new Map(risks.map((risk) => [`${risk.kind} ${risk.path} ${risk.line}`, risk])).values()];
}

function riskyFile(file: ChangedFile): PatchRisk[] {
  const { path, binary, mode, status } = file;
  const kinds: PatchRiskKind[] = [];
  if (binary && status !== 'deleted') kinds.push('binary');
  if (mode === '120000' && status !== 'deleted') kinds.push('link');
  if (status !== 'deleted' && INSTALLING.test(nameOf(path))) kinds.push('install-script');
  if (DECLARING.test(nameOf(path))) kinds.push('dependency');
  if (TEST_SETTINGS.test(nameOf(path))) kinds.push('test-settings');
  if (takesTestsAway(file)) kinds.push('existing-tests');
  if (HIDDEN.test(path)) kinds.push('hidden');
  return kinds.map((kind) => ({ kind, path }));
}

/** A suite is compared by what fails in it; what no longer asks anything fails nowhere. */
const takesTestsAway = ({ kind, status, removed, binary }: ChangedFile): boolean =>
  kind === 'test' && status !== 'added' && (removed > 0 || binary || status === 'deleted' || status === 'renamed');

/** A `modified` file does not tell its mode before; the diff does. */
function newlyExecutable(patch: Patch): PatchRisk[] {
  const candidates = patch.files.filter((file) => file.mode === '100755');
  if (candidates.length === 0) return [];
  const risks: PatchRisk[] = [];
  let header = '';
  for (const line of diffBytes(patch).toString('utf8').split('\n')) {
    if (line.startsWith('diff --git ')) header = line;
    else if (line === 'new mode 100755' || line === 'new file mode 100755') {
      const named = candidates.find(({ path }) => header.endsWith(` b/${path}`));
      risks.push({ kind: 'executable', path: named?.path ?? header.slice('diff --git '.length) });
    }
  }
  return risks;
}

/** Longer than anybody writes, or long without a blank to breathe at. */
const LONG = 2000;
const DENSE = 500;
/** Of a longer line, only so much is looked at. */
const LOOKED_AT = 4000;

function riskyLine({ path, line, text }: AddedLine): PatchRisk[] {
  const kinds: PatchRiskKind[] = [];
  const looked = text.slice(0, LOOKED_AT);
  if (text.length > LONG || (text.length > DENSE && looked.split(/\s/).length < looked.length / 40))
    kinds.push('minified');
  if (NETWORK.test(looked)) kinds.push('network');
  if (HIDDEN.test(text)) kinds.push('hidden');
  if (HOLDS_TEST_SETTINGS.test(nameOf(path)) && TEST_SETTING.test(looked)) kinds.push('test-settings');
  if (nameOf(path) === 'package.json') {
    if (NPM_HOOK.test(looked)) kinds.push('install-script');
    if (NPM_DEPENDENCY.test(looked)) kinds.push('dependency');
  }
  return kinds.map((kind) => ({ kind, path, line }));
}

/** So many lines of data in one file are a blob, however short each is. */
const BLOB_LINES = 20;
const DATA = /^[\s"'`+,(]{0,40}(?:[A-Za-z0-9+/=_-]{56,}|(?:(?:0x|\\x)?[0-9a-f]{2}[\s,]{0,3}){8,})["'`+,;)\\\s]*$/i;

function blobs(lines: AddedLine[]): PatchRisk[] {
  const byPath = new Map<string, AddedLine[]>();
  for (const line of lines) {
    if (line.text.length > LOOKED_AT || !DATA.test(line.text)) continue;
    byPath.set(line.path, [...(byPath.get(line.path) ?? []).slice(0, BLOB_LINES), line]);
  }
  const large = [...byPath.values()].filter((found) => found.length >= BLOB_LINES);
  return large.flatMap(([first]) => (first ? [{ kind: 'minified' as const, path: first.path, line: first.line }] : []));
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Files that run, or decide what runs, when somebody installs or builds. */
const INSTALLING =
  /^(setup\.py|build\.rs|binding\.gyp|extconf\.rb|\.npmrc|\.yarnrc|\.yarnrc\.yml|\.pnpmfile\.cjs|pip\.conf|\.pypirc|install\.sh|bower\.json|(site|user)customize\.py|.{1,100}\.pth)$/;
/** Files that say what is installed. `package.json` says so line by line. */
const DECLARING =
  /^(requirements[\w.-]*\.(txt|in)|constraints[\w.-]*\.txt|pyproject\.toml|setup\.cfg|setup\.py|Pipfile|environment\.ya?ml|Cargo\.toml|go\.(mod|work)|Gemfile|[\w-]+\.gemspec|composer\.json|pom\.xml|build\.gradle(\.kts)?|libs\.versions\.toml|[\w.-]+\.(csproj|fsproj|cabal)|mix\.exs|Package\.swift|pubspec\.yaml|deno\.jsonc?|cpanfile|conanfile\.(py|txt)|vcpkg\.json)$/;
/** A key that is written with escapes is one that nobody is to find. */
const NPM_HOOK =
  /"[^"\\]{0,40}\\u[0-9a-f]{4}|"(pre|post)?(install|prepare|pack|publish|uninstall)"\s*:|"prepublishOnly"\s*:|"gypfile"\s*:/;
const NPM_DEPENDENCY =
  /"(?!version"|node"|npm"|main"|module"|types"|typings"|browser"|source"|license"|name"|directory")[\w@./-]{1,214}"\s{0,4}:\s{0,4}"([~^<>=*]|v?\d+(\.|"|\s)|(latest|next|beta|alpha|canary|rc|nightly)"|[a-z\d][\w-]{0,60}\/[\w.-]{1,100}(#|")|npm:|git|https?:|file:|link:|workspace:|github:)/;

/** Files that decide which tests run, and how; a change of them can make any test pass. */
const TEST_SETTINGS =
  /^(\.?pytest\.(ini|toml)|tox\.ini|conftest\.py|noxfile\.py|\.mocharc(\.\w+)?|\.taprc|\.rspec|(spec|rails|test)_helper\.rb|phpunit(\.dist)?\.xml(\.dist)?|(jest|vitest|vite|ava|karma|babel|playwright|cypress)\.(config|conf|workspace)\.\w+|(GNU)?[Mm]akefile(\.am)?|CMakeLists\.txt|nextest\.toml)$/;
/** Files that say so among other things. */
const HOLDS_TEST_SETTINGS = /^(package\.json|pyproject\.toml|setup\.cfg)$/;
const TEST_SETTING =
  /^\s{0,40}"(pre|post)?test[\w:.-]{0,40}"\s*:|\[tool[:.](pytest|unittest)|\b(addopts|testpaths|python_(files|classes|functions)|norecursedirs|usefixtures|test(Regex|Match|PathIgnorePatterns)|setupFiles(AfterEnv)?|moduleNameMapper|"jest"|"mocha"|"ava")/;

/**
 * Characters that show text in another order than it is read in (trojansource.codes), or not at all: bidi controls, letters
 * and blanks without a form, tags. Joiners and marks of emoji are left out, and so is a byte order mark at the start.
 */
const HIDDEN =
  /[\u00ad\u061c\u115f\u1160\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\uffa0\u{e0000}-\u{e0fff}]|\u034f|\u17b4|\u17b5|[\u180b-\u180e]|(?!^)\ufeff|[\ufe00-\ufe0e]{2}/u;

/** Names by which programs reach a network, in the languages that are set up and a few more. */
const NETWORK = new RegExp(
  [
    String.raw`\b(fetch|sendBeacon|WebSocket|EventSource|XMLHttpRequest|axios|urlopen|urlretrieve|create_connection)\s?\(`,
    String.raw`\b(requests|httpx|aiohttp|urllib3?|paramiko|ftplib|smtplib|telnetlib|socket|dns|dgram|undici|superagent)\b\.\w`,
    String.raw`\b(import|from|require|use|using|include)\b.{0,40}\b(requests|httpx|aiohttp|urllib3?|socket|paramiko|ftplib|smtplib|reqwest|hyper|axios|undici|node:(http2?|https|net|tls|dgram|dns)|net/http|Net::HTTP|open-uri|LWP|HTTP::Tiny)\b`,
    String.raw`\b(import|from|require)\s{0,4}\(?\s{0,4}["'](node:)?(https?|http2|net|tls|dgram|dns|node-fetch|got|ky|needle|ws)["'/]`,
    String.raw`\bhttps?\.(get|request|client|createServer|Get|Post|NewRequest|ListenAndServe)\b`,
    String.raw`\bnet\.(connect|createConnection|createServer|Dial|Listen|Socket)\b|\btls\.connect\b`,
    String.raw`\b(HttpClient|HttpURLConnection|URLConnection|TcpStream|TcpListener|UdpSocket|ServerSocket|Net::HTTP|curl_init|curl_exec|fsockopen|WebClient)\b`,
    String.raw`\b(curl|wget|nc|ncat|ssh|scp|rsync|telnet)\s+[-\w"'$/]|/dev/tcp/`,
  ].join('|'),
);

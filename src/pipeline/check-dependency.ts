import type { CheckedCitation, DependencyCitation } from '../domain/citation.ts';
import type { Sandbox } from '../domain/ports/sandbox-host.ts';
import { DEPENDENCY_SCRIPT } from './dependency-script.ts';

const SECONDS = 40;

/** What the container says of a package and a file of it. */
interface Installed {
  version?: string;
  root?: string;
  file?: { path: string; lines: number };
  folder?: string;
  symbolLines: number[];
}

/**
 * Whether a dependency is installed as a citation says, looked up in the container in which the answer was found: the
 * package and its version, the file, its lines and the symbol in them. Folders that the agent itself could write to show
 * nothing. A package that is not there leaves an unchecked citation where only its version was named.
 * @throws SandboxError with `lost`, CancelledError
 */
export async function checkDependency(
  citation: DependencyCitation,
  sandbox: Sandbox,
  signal: AbortSignal,
): Promise<CheckedCitation> {
  const env = { PACKAGE: citation.package, FILE: citation.path ?? '', SYMBOL: lastName(citation.symbol) };
  const { output } = await sandbox.exec(DEPENDENCY_SCRIPT, { seconds: SECONDS, env }, signal);
  return judgeDependency(citation, installedIn(output));
}

/** The verdict on a citation from what is installed. */
function judgeDependency(citation: DependencyCitation, found: Installed): CheckedCitation {
  const problem = fileProblem(citation, found);
  if (problem !== undefined) return { citation, verdict: 'struck', note: problem };
  if (found.root === undefined) return withoutPackage(citation);
  const corrected: DependencyCitation = { ...citation, ...(found.version ? { version: found.version } : {}) };
  const notes = [...versionNotes(citation.version, found.version), ...symbolNotes(corrected, found.symbolLines)];
  if (notes.includes(NO_SYMBOL)) return { citation, verdict: 'struck', note: NO_SYMBOL };
  if (notes.length === 0) return { citation: corrected, verdict: 'confirmed' };
  return { citation: corrected, verdict: 'corrected', note: notes.join('; ') };
}

function fileProblem(citation: DependencyCitation, { file, folder }: Installed): string | undefined {
  if (citation.path === undefined) return undefined;
  if (file === undefined) {
    return folder === undefined ? `there is no file ${short(citation.path)} in the environment` : 'it is a folder';
  }
  return isScratch(file.path) ? 'it is a file that the agent itself could write' : spanProblem(citation, file.lines);
}

function withoutPackage(citation: DependencyCitation): CheckedCitation {
  if (citation.path === undefined) {
    return { citation, verdict: 'unchecked', note: 'it is not installed in the environment' };
  }
  const note = 'the file is there; which package it is of could not be told';
  return { citation, verdict: 'corrected', note };
}

function versionNotes(said: string | undefined, installed: string | undefined): string[] {
  if (said === undefined || !installed || sameVersion(said, installed)) return [];
  return [`the installed version is ${installed}, not ${short(said)}`];
}

const NO_SYMBOL = 'the symbol does not occur in this file';

function spanProblem({ startLine, endLine }: DependencyCitation, lines: number): string | undefined {
  if (startLine === undefined) return undefined;
  if (endLine !== undefined && endLine < startLine) return `lines ${startLine}-${endLine} are no range`;
  return startLine > lines ? `the file has only ${lines} lines` : undefined;
}

/** Moves the lines of `citation` to where the symbol is named, when it is not in them. */
function symbolNotes(citation: DependencyCitation, named: number[]): string[] {
  const { symbol, path, startLine } = citation;
  if (path === undefined || lastName(symbol) === '') return [];
  if (named.length === 0) return [NO_SYMBOL];
  if (startLine === undefined) return [];
  const endLine = citation.endLine ?? startLine;
  // Lines after a definition's first one are about it, though they do not repeat its name.
  const before = named.filter((line) => line <= endLine).at(-1);
  if (before !== undefined && startLine - before <= NEAR_LINES) return [];
  const nearest = named.reduce((best, line) => (Math.abs(line - startLine) < Math.abs(best - startLine) ? line : best));
  citation.startLine = nearest;
  citation.endLine = nearest;
  return [`\`${short(symbol ?? '')}\` is at line ${nearest}, not ${startLine}-${endLine}`];
}

const NEAR_LINES = 60;

function installedIn(output: string): Installed {
  const installed: Installed = { symbolLines: [] };
  for (const [kind, first = '', second = ''] of output.split('\n').map((line) => line.split('\t'))) {
    if (kind === 'package')
      Object.assign(installed, { root: second, ...(first === '' ? {} : { version: bare(first) }) });
    if (kind === 'file') installed.file = { path: first, lines: Number(second) };
    if (kind === 'folder') installed.folder = first;
    if (kind === 'symbol')
      installed.symbolLines = first
        .split(',')
        .map(Number)
        .filter((line) => line > 0);
  }
  return installed;
}

const isScratch = (path: string): boolean =>
  ['/tmp/', '/home/', '/dev/', '/proc/'].some((folder) => path.startsWith(folder));

/** Without what package managers write before it: Node's `v`, Go's `go`, Debian's epoch. */
const bare = (version: string): string => version.replace(/^(?:v|go|\d+:)(?=\d)/, '');

/** `2.31` is what somebody says of 2.31.0; a range or an operator before it says it too. */
function sameVersion(said: string, installed: string): boolean {
  const plain = bare(said.trim().replace(/^[\^~=<> v]+/, ''));
  return installed === plain || ['.', '-', '+'].some((sign) => installed.startsWith(`${plain}${sign}`));
}

/** The last name of `Class.method(args)`. */
function lastName(symbol: string | undefined): string {
  const open = symbol?.indexOf('(') ?? -1;
  const names = (open > 0 ? symbol?.slice(0, open) : symbol)?.slice(0, 200).split(/[^\p{L}\p{N}_$]+/u) ?? [];
  return names.filter(Boolean).at(-1) ?? '';
}

const short = (text: string): string => text.slice(0, 160).replaceAll(/\s+/g, ' ');

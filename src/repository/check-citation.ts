import type { CheckedCitation, Citation, RepositoryCitation } from '../domain/citation.ts';
import type { CheckedLocation } from '../domain/diagnosis.ts';
import type { Location } from '../domain/finding.ts';
import { matchPath } from './path-matching.ts';
import type { Definition } from './repository.ts';
import type { SourceFiles } from './source-files.ts';
import { shownPath, type TextFile, unreadableBecause } from './text-file.ts';

export type DefinitionsOf = (path: string, file: TextFile) => Promise<Definition[]>;

/** Whether a citation holds. Dependencies and observations are others' to check, standards nobody's here. */
export async function checkCitation(
  source: SourceFiles,
  citation: Citation,
  definitionsOf: DefinitionsOf,
): Promise<CheckedCitation> {
  if (citation.kind !== 'repository') return { citation, verdict: 'unchecked' };
  const place = checkPlace(source, citation);
  if (!place.holds) return { citation, verdict: 'struck', note: place.note };
  const checked: RepositoryCitation = {
    ...citation,
    path: place.path,
    startLine: place.startLine,
    endLine: place.endLine,
  };
  const notes = [...place.notes];
  if (citation.symbol !== undefined && citation.symbol.trim() !== '') {
    const found = await findSymbol(citation.symbol, place, definitionsOf);
    if (!found) {
      return {
        citation,
        verdict: 'struck',
        note: `\`${oneLine(citation.symbol)}\` does not occur in ${shownPath(place.path)}`,
      };
    }
    checked.startLine = found.startLine;
    checked.endLine = found.endLine;
    if (found.note) notes.push(found.note);
  }
  if (notes.length === 0) return { citation: checked, verdict: 'confirmed' };
  return { citation: checked, verdict: 'corrected', note: notes.join('; ') };
}

/** Whether a location is a span of lines in a text file of the base commit. */
export function checkLocation(source: SourceFiles, location: Location): CheckedLocation {
  const place = checkPlace(source, location);
  if (!place.holds) return { location, verdict: 'struck', note: place.note };
  const checked = { ...location, path: place.path, startLine: place.startLine, endLine: place.endLine };
  if (place.notes.length === 0) return { location: checked, verdict: 'confirmed' };
  return { location: checked, verdict: 'corrected', note: place.notes.join('; ') };
}

interface Place extends Location {
  holds: true;
  file: TextFile & { kind: 'text' };
  /** What had to be corrected. */
  notes: string[];
}

function checkPlace(source: SourceFiles, asked: Location): Place | { holds: false; note: string } {
  const struck = (note: string) => ({ holds: false, note }) as const;
  const name = oneLine(asked.path);
  const match = matchPath(source, asked.path);
  if (match.kind === 'none') return struck(`there is no file ${name}`);
  if (match.kind === 'link') return struck(`${name} is a symbolic link`);
  if (match.kind === 'folder') return struck(`${name} is a folder`);
  const file = source.text(match.path);
  if (file.kind !== 'text') return struck(`${shownPath(match.path)} is ${unreadableBecause(file)}`);
  const notes = match.path === asked.path ? [] : [`the path was given as ${name}`];
  const total = file.lines.length;
  const { startLine, endLine } = asked;
  if (endLine < startLine) return struck(`lines ${startLine}-${endLine} are no range`);
  if (startLine > total) return struck(`${shownPath(match.path)} has only ${total} lines`);
  if (endLine > total) notes.push(`the range ended at ${endLine}, the file has ${total} lines`);
  return { holds: true, path: match.path, file, startLine, endLine: Math.min(endLine, total), notes };
}

/** The lines where a symbol stands: those cited, or its definition, or the only line that names it. */
async function findSymbol(
  symbol: string,
  place: Place,
  definitionsOf: DefinitionsOf,
): Promise<{ startLine: number; endLine: number; note?: string } | undefined> {
  const names = namesOf(symbol);
  const last = names.at(-1);
  if (last === undefined) return undefined;
  const cited = place.file.lines.slice(place.startLine - 1, place.endLine);
  if (cited.some((line) => hasWord(line, last))) return { startLine: place.startLine, endLine: place.endLine };
  const definitions = await definitionsOf(place.path, place.file);
  const defined = bestDefinition(definitions, names);
  // Lines inside a definition of that name are about it, though they do not repeat the name.
  const around = definitions.find(
    (one) => lastName(one.name) === last && one.startLine <= place.startLine && one.endLine >= place.endLine,
  );
  if (around) return { startLine: place.startLine, endLine: place.endLine };
  const moved = (startLine: number, endLine: number) => ({
    startLine,
    endLine,
    note: `\`${oneLine(symbol)}\` is at lines ${startLine}-${endLine}, not ${place.startLine}-${place.endLine}`,
  });
  if (defined) return moved(defined.startLine, defined.endLine);
  const line = place.file.lines.findIndex((text) => hasWord(text, last)) + 1;
  return line > 0 ? moved(line, line) : undefined;
}

/** `Class.method`, `pkg::name`, `obj#method()` and `name(args)` as their names. */
function namesOf(symbol: string): string[] {
  const open = symbol.indexOf('(');
  const bare = symbol.slice(0, open > 0 ? open : 200);
  return bare
    .split(/[^\p{L}\p{N}_$]+/u)
    .filter((name) => name !== '')
    .slice(-8);
}

function bestDefinition(definitions: Definition[], names: string[]): Definition | undefined {
  const last = names.at(-1);
  const owner = names.at(-2);
  const named = definitions.filter((one) => lastName(one.name) === last);
  const owned = named.find((one) =>
    definitions.some(
      (outer) =>
        lastName(outer.name) === owner &&
        outer.startLine <= one.startLine &&
        outer.endLine >= one.endLine &&
        outer !== one,
    ),
  );
  return owned ?? named[0];
}

const lastName = (name: string): string =>
  name
    .split(/[^\p{L}\p{N}_$]+/u)
    .filter(Boolean)
    .at(-1) ?? name;

function hasWord(line: string, word: string): boolean {
  for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + 1)) {
    if (!isWord(line[at - 1]) && !isWord(line[at + word.length])) return true;
  }
  return false;
}

const isWord = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_$]/u.test(char);

const oneLine = (text: string): string => text.slice(0, 200).replace(/\s+/g, ' ');

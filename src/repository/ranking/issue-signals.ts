import { isProgram } from '../file-kind.ts';

const MAX_TEXT = 60_000;
const MAX_LINE = 2000;

export interface Frame {
  path: string;
  line: number;
}

/** What an issue's text says about places, apart from its words. */
export interface IssueSignals {
  title: string;
  text: string;
  /** Paths with a program's extension that stand in no stack trace. */
  paths: string[];
  /** Stack-trace frames of any language, innermost first. */
  frames: Frame[];
  /** `package.module.name`. */
  dotted: string[];
  /** Names that look like code: with an underscore or inner capital, called, dotted, or in backticks. */
  identifiers: Set<string>;
  /** Names in backticks in the prose. */
  ticked: Set<string>;
  titleNames: Set<string>;
}

/** Reads the places that an issue names. Linear in the text; a line is read to its 2000th character. */
export function issueSignals(issueText: string): IssueSignals {
  const text = issueText.slice(0, MAX_TEXT);
  const lines = text.split('\n').map((line) => line.slice(0, MAX_LINE));
  const title = lines.find((line) => line.trim() !== '') ?? '';
  const signals: IssueSignals = {
    title,
    text,
    paths: [],
    frames: [],
    dotted: [],
    identifiers: new Set(),
    ticked: new Set(),
    titleNames: new Set(title.match(NAME) ?? []),
  };
  let fenced = false;
  for (const line of lines) {
    if (line.trimStart().startsWith('```')) fenced = !fenced;
    readTokens(line, signals);
    if (!fenced) readTicks(line, signals);
  }
  signals.frames = innermostFirst(signals.frames);
  signals.paths = [...new Set(signals.paths)].slice(0, 50);
  signals.dotted = [...new Set(signals.dotted)].slice(0, 200);
  return signals;
}

const NAME = /[A-Za-z_]\w+/g;
/** A run of the signs that paths and dotted names are made of. */
const RUN = /[\w.@~+\-/\\$:]+/g;

function readTokens(line: string, signals: IssueSignals): void {
  let caller = '';
  for (const match of line.matchAll(RUN)) {
    const run = match[0];
    const end = match.index + run.length;
    const path = asPath(run);
    if (path) addPath(path, line.slice(end, end + 24), caller, signals);
    else readNames(run, line[end] === '(', signals);
    caller = line[end] === '(' ? run : '';
  }
}

/** A run that names a program's file, without the scheme or drive before it and the line that may follow it. */
function asPath(run: string): { path: string; after: string } | undefined {
  const parts = run.split(':');
  const prefixed = parts.length > 1 && (parts[0]?.length === 1 || parts[1]?.startsWith('//') === true);
  const name = ((prefixed ? parts[1] : parts[0]) ?? '').replaceAll('\\', '/').replace(/^[./~]+/, '');
  const after = parts
    .slice(prefixed ? 2 : 1)
    .map((part) => `:${part}`)
    .join('');
  const dot = name.lastIndexOf('.');
  if (dot <= 0 || !isProgram(name.slice(dot - 1)) || !/\w$/.test(name)) return undefined;
  // `name.r` and `x.c` are more often an attribute than a file.
  return !name.includes('/') && name.length - dot <= 2 && after === '' ? undefined : { path: name, after };
}

function addPath(found: { path: string; after: string }, rest: string, caller: string, signals: IssueSignals): void {
  const line = lineAfter(found.after + rest);
  if (line === undefined) {
    signals.paths.push(found.path);
    return;
  }
  // Java and Kotlin name the package before the file: `at a.b.C.m(C.java:12)`.
  const packages = found.path.includes('/')
    ? []
    : caller
        .split('.')
        .filter((part) => /^[a-z]\w*$/.test(part))
        .slice(0, -1);
  const folders = /\.(?:java|kt|scala|groovy)$/.test(found.path) && packages.length > 0 ? `${packages.join('/')}/` : '';
  if (signals.frames.length < 200) signals.frames.push({ path: folders + found.path, line });
}

/** `", line 12`, `:line 12`, `(12)` and `:12` after a file. */
function lineAfter(rest: string): number | undefined {
  const match = /^(?:"?, line |:line |: line |\(|:)(\d{1,7})/.exec(rest);
  return match ? Number(match[1]) : undefined;
}

/** Python's traces end with the innermost frame, other languages' begin with it. */
function innermostFirst(frames: Frame[]): Frame[] {
  const python = frames.filter(({ path }) => path.endsWith('.py') || path.endsWith('.pyx')).reverse();
  return [...python, ...frames.filter(({ path }) => !path.endsWith('.py') && !path.endsWith('.pyx'))];
}

function readNames(run: string, called: boolean, signals: IssueSignals): void {
  for (const part of run.split(/[^\w.$]/)) {
    const names = part.split('.').filter((name) => /^[A-Za-z_$][\w$]*$/.test(name));
    if (names.length > 1 && part.includes('.') && !/\.(?:com|org|io|net|html|md|rst|txt)$/.test(part)) {
      signals.dotted.push(names.join('.'));
      for (const name of names) if (name.length > 2) signals.identifiers.add(name);
    }
    const last = names.at(-1);
    if (last && last.length > 1 && (called || looksLikeCode(last))) signals.identifiers.add(last);
  }
}

function looksLikeCode(name: string): boolean {
  return name.slice(1).includes('_') || /[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Za-z]\d/.test(name) || name.startsWith('_');
}

function readTicks(line: string, signals: IssueSignals): void {
  const parts = line.split('`');
  for (let index = 1; index < parts.length - 1; index += 2) {
    for (const name of (parts[index] as string).slice(0, 200).match(NAME) ?? []) {
      signals.ticked.add(name);
      signals.identifiers.add(name);
    }
  }
}

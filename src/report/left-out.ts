import type { ChangedFile, Patch } from '../domain/patch.ts';
import type { Block } from './compose.ts';
import { oneLine, plainText } from './plain-text.ts';
import { withoutRisks } from './risky-words.ts';
import { bullets, code, fence, type Inline, inline, paragraph, strong } from './write-markdown.ts';

/** Files that the change touched and that are not in it. */
export function leftOut({ left, notes, protectedDiff }: Patch): Block[] {
  if (left.length + notes.length === 0) return [];
  const lines = folded(left);
  const files = lines.slice(0, MOST_LINES).map((one): Inline[] => [code(one.name, 200), `: ${one.why}`]);
  const more = lines.length - files.length;
  return [
    paragraph(strong('Left out of this change')),
    bullets([
      ...files,
      ...(more > 0 ? [[`and ${more} more`]] : []),
      ...notes.slice(0, 8).map((note): Inline[] => [withoutRisks(oneLine(note, 300))]),
    ]),
    ...protectedFold(protectedDiff),
  ];
}

const MOST_LINES = 20;
const MOST_PROTECTED = 12_000;

/** What was changed in protected files, to be looked at and taken by hand. */
function protectedFold(diff: string | undefined): Block[] {
  if (diff === undefined) return [];
  const text = Buffer.from(diff, 'base64').toString('utf8').trimEnd();
  const shown = text.length > MOST_PROTECTED ? text.slice(0, text.lastIndexOf('\n', MOST_PROTECTED)) : text;
  const cut = shown.length < text.length ? [paragraph('Only the beginning is shown.')] : [];
  return [
    {
      name: 'the changes to protected files',
      summary: inline('The changes to protected files, for a person to take'),
      blocks: [fence(plainText(shown, MOST_PROTECTED + 1), 'diff'), ...cut],
    },
  ];
}

interface Line {
  name: string;
  why: string;
}

/** Protected files each for themselves, since a person has to take them; what tools left behind by its folder. */
function folded(left: ChangedFile[]): Line[] {
  const guarded = left.filter(({ kind }) => kind === 'protected');
  const byFolder = Map.groupBy(
    left.filter(({ kind }) => kind !== 'protected'),
    ({ path }) => generatedFolder(path) ?? path,
  );
  return [
    ...guarded.map(({ path }): Line => ({ name: path, why: 'protected, a person has to change it' })),
    ...[...byFolder].map(([name, files]): Line => {
      const isFolder = files.some(({ path }) => path !== name);
      return isFolder
        ? { name: `${name}/`, why: `${counted(files)} that tools or the work left behind` }
        : { name, why: 'scratch of the work, not part of the fix' };
    }),
  ];
}

/** What is in a folder that was left as a whole was not looked at. */
function counted(files: ChangedFile[]): string {
  if (files.some(({ path }) => path.endsWith('/'))) return 'a folder';
  return files.length === 1 ? '1 file' : `${files.length} files`;
}

/** The outermost folder that only a tool would make, by its name alone wherever it is: `__pycache__` is one line. */
function generatedFolder(path: string): string | undefined {
  const folders = path.split('/').slice(0, -1);
  return (
    folders.find((name) => /^(?:__\w+__|\.[\w.-]+|node_modules|htmlcov|venv|[\w.-]+\.egg-info)$/.test(name)) ||
    folders.join('/') ||
    undefined
  );
}

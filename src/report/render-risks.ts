import type { Patch, StrayEdit } from '../domain/patch.ts';
import type { Block } from './compose.ts';
import { type PatchRiskKind, patchRisks } from './patch-risks.ts';
import { bullets, code, type Inline, paragraph, strong } from './write-markdown.ts';

const MOST_PLACES = 5;

const WORDS: Record<PatchRiskKind | StrayEdit['kind'], string> = {
  binary: 'A binary file, which cannot be read here',
  executable: 'A file that becomes executable',
  link: 'A symbolic link',
  minified: 'Text too dense to be read',
  dependency: 'What is installed may change',
  'install-script': 'Runs when somebody installs or builds',
  network: 'Speaks of a network',
  'existing-tests': 'Tests that were there before are changed or removed',
  'test-settings': 'May decide which tests run, and how',
  hidden: 'Characters that nobody sees, or that show text in another order',
  'white-space': 'Changes nothing but white space',
  reformatted: 'Reformatted, so that the change itself is hard to see',
  debugging: 'May be debugging output that was left in',
  'commented-out': 'Code that was commented out instead of removed',
  unplaced: 'Neither the issue nor the rest of the change leads here',
};

/** What the reviewer should look at with care; nothing where nothing stands out. */
export function risksOf(patch: Patch, stray: StrayEdit[] = []): Block[] {
  const byKind = Map.groupBy([...patchRisks(patch), ...stray], ({ kind }) => kind);
  if (byKind.size === 0) return [];
  return [
    paragraph(strong('Look at these with care')),
    bullets([...byKind].map(([kind, risks]): Inline[] => [`${WORDS[kind]}: `, ...places(risks)])),
  ];
}

function places(risks: { path: string; line?: number | undefined }[]): Inline[] {
  const shown = risks
    .slice(0, MOST_PLACES)
    .flatMap(({ path, line }, index): Inline[] => [
      index === 0 ? '' : ', ',
      code(path, 200),
      line === undefined ? '' : ` line ${line}`,
    ]);
  return risks.length > MOST_PLACES ? [...shown, `, and ${risks.length - MOST_PLACES} more`] : shown;
}

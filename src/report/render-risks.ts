import type { Patch } from '../domain/patch.ts';
import type { Block } from './compose.ts';
import { type PatchRisk, type PatchRiskKind, patchRisks } from './patch-risks.ts';
import { bullets, code, type Inline, paragraph, strong } from './write-markdown.ts';

const MOST_PLACES = 5;

const WORDS: Record<PatchRiskKind, string> = {
  binary: 'A binary file, which cannot be read here',
  executable: 'A file that becomes executable',
  link: 'A symbolic link',
  minified: 'Text too dense to be read',
  dependency: 'What is installed may change',
  'install-script': 'Runs when somebody installs or builds',
  network: 'Speaks of a network',
};

/** What the reviewer should look at with care; nothing where nothing stands out. */
export function risksOf(patch: Patch): Block[] {
  const byKind = Map.groupBy(patchRisks(patch), (risk) => risk.kind);
  if (byKind.size === 0) return [];
  return [
    paragraph(strong('Look at these with care')),
    bullets([...byKind].map(([kind, risks]): Inline[] => [`${WORDS[kind]}: `, ...places(risks)])),
  ];
}

function places(risks: PatchRisk[]): Inline[] {
  const shown = risks
    .slice(0, MOST_PLACES)
    .flatMap(({ path, line }, index): Inline[] => [
      index === 0 ? '' : ', ',
      code(path, 200),
      line === undefined ? '' : ` line ${line}`,
    ]);
  return risks.length > MOST_PLACES ? [...shown, `, and ${risks.length - MOST_PLACES} more`] : shown;
}

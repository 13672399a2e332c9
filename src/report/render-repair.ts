import type { ChangedFile, Resolution } from '../domain/patch.ts';
import type { Proof } from '../domain/proof.ts';
import { type Block, compose } from './compose.ts';
import { leftOut } from './left-out.ts';
import { doesNotShow, proofBlocks } from './render-proof.ts';
import { summary } from './render-pull-request.ts';
import { safeInline } from './safe-markdown.ts';
import { bullets, code, heading, type Inline, inline, paragraph, strong } from './write-markdown.ts';

interface Repair {
  resolution: Resolution;
  proof?: Proof;
  /** The file in which the change is kept, as a shell reads it. */
  patchFile?: string;
}

/** A repair without a pull request around it: what was changed, what was shown about it, what was left out. */
export function renderRepair({ resolution, proof, patchFile }: Repair): string {
  const { patch, report } = resolution;
  const change = patchFile === undefined ? undefined : inline('after ', code(`export PATCH=${patchFile}`, MOST_PATH));
  return compose(
    [
      heading(3, 'Repair'),
      ...summary(resolution),
      ...(report?.noChangeReason ? [paragraph('Nothing was changed: ', safeInline(report.noChangeReason, 800))] : []),
      ...(patch.files.length > 0
        ? [paragraph(strong('Changed')), bullets(patch.files.slice(0, 40).map(fileItem))]
        : []),
      ...(proof ? [...proofBlocks(proof, change), ...doesNotShow(proof, report?.notChecked)] : unproven(resolution)),
      ...leftOut(patch),
    ],
    [],
  );
}

const MOST_PATH = 4_200;

/** The run ended before anything was shown; what the Resolver could not check itself counts all the more. */
const unproven = ({ patch, report }: Resolution): Block[] =>
  patch.files.length === 0
    ? []
    : [
        paragraph(strong('Not proven: the run ended before the change was tried on a clean checkout.')),
        ...(report?.regressionTest ? [paragraph('Its test: ', code(report.regressionTest, 400))] : []),
        ...(report?.notChecked ? [paragraph('Not checked: ', safeInline(report.notChecked, 1_500))] : []),
      ];

const fileItem = ({ path, status, added, removed, binary }: ChangedFile): Inline[] => [
  code(path, 200),
  ` ${status}, ${binary ? 'binary' : `+${added} −${removed}`}`,
];

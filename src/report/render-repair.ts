import type { ChangedFile, Resolution } from '../domain/patch.ts';
import type { Proof } from '../domain/proof.ts';
import { compose } from './compose.ts';
import { doesNotShow, proofBlocks } from './render-proof.ts';
import { leftOut, summary } from './render-pull-request.ts';
import { safeInline } from './safe-markdown.ts';
import { bullets, code, heading, type Inline, paragraph, strong } from './write-markdown.ts';

/** A repair without a pull request around it: what was changed, what was shown about it, what was left out. */
export function renderRepair({ resolution, proof }: { resolution: Resolution; proof?: Proof }): string {
  const { patch, report } = resolution;
  return compose(
    [
      heading(3, 'Repair'),
      ...summary(resolution),
      ...(report?.noChangeReason ? [paragraph('Nothing was changed: ', safeInline(report.noChangeReason, 800))] : []),
      ...(patch.files.length > 0
        ? [paragraph(strong('Changed')), bullets(patch.files.slice(0, 40).map(fileItem))]
        : []),
      ...(proof ? [...proofBlocks(proof), ...doesNotShow(proof, report?.notChecked)] : []),
      ...leftOut(patch),
    ],
    [],
  );
}

const fileItem = ({ path, status, added, removed, binary }: ChangedFile): Inline[] => [
  code(path, 200),
  ` ${status}, ${binary ? 'binary' : `+${added} −${removed}`}`,
];

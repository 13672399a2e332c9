import { createHash } from 'node:crypto';

/** Everything that a prepared image is made of. */
export interface ImageParts {
  /** Which repository it was made for: its code ran in the set-up, so that nobody else may be given the image. */
  repository: string;
  /** Digest of the image that it starts from. */
  base: string;
  setup: string;
  /** Where the repository is in the container: installed packages point there. */
  target: string;
  inputs: Record<string, string>;
}

export const IMAGE_NAME = 'fathom-environment';

/** To be raised when the same parts would now make another image. */
const RECIPE = 3;

/** The name of the image that these parts make: equal parts have equal names, whatever order the files were read in. */
export function imageKey({ repository, base, setup, target, inputs }: ImageParts): string {
  const files = Object.entries(inputs).sort(([a], [b]) => (a < b ? -1 : 1));
  const hash = createHash('sha256')
    .update(JSON.stringify([RECIPE, repository, base, setup, target, files]))
    .digest('hex');
  return `${IMAGE_NAME}:${hash.slice(0, 32)}`;
}

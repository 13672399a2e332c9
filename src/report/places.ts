import type { CheckedLocation } from '../domain/diagnosis.ts';
import type { Location } from '../domain/finding.ts';
import { code, html, type Inline, link } from './write-markdown.ts';

/** The address of lines at the base commit, or nothing where there is none. */
export type LinkTo = (location: Location) => string | undefined;

/** `src/a.ts:10-20`, linked where it can be. */
export function place(location: Location, linkTo: LinkTo, name = nameOf(location)): Inline[] {
  const url = linkTo(location);
  const shown = code(name, 160);
  return [url === undefined ? shown : link(url, shown)];
}

const CELL_CHARACTERS = 40;

/**
 * The locations that hold, for a table's cell: one below the other, of a long path its end, so that a phone shows more than
 * this column.
 */
export function placesInCell(checked: CheckedLocation[], linkTo: LinkTo, most: number): Inline[] {
  const held = standing(checked);
  if (held.length === 0) return ['no place in it could be confirmed'];
  const shown = held
    .slice(0, most)
    .flatMap(({ location }, index): Inline[] => [
      index === 0 ? '' : html('<br>'),
      ...place(location, linkTo, endOf(nameOf(location))),
    ]);
  return held.length > most ? [...shown, html('<br>'), `and ${held.length - most} more`] : shown;
}

function endOf(name: string): string {
  const segments = name.split('/');
  while (segments.length > 1 && segments.join('/').length > CELL_CHARACTERS) segments.shift();
  const end = segments.join('/');
  return end === name ? name : `…/${end}`;
}

/** The locations that hold, as places between commas; what was corrected says so. */
export function places(checked: CheckedLocation[], linkTo: LinkTo, most = 4): Inline[] {
  const held = standing(checked);
  if (held.length === 0) return ['no place in it could be confirmed'];
  const shown = held
    .slice(0, most)
    .flatMap((one, index): Inline[] => [
      index === 0 ? '' : ', ',
      ...place(one.location, linkTo),
      one.verdict === 'corrected' ? ' (lines corrected)' : '',
    ]);
  return held.length > most ? [...shown, ` and ${held.length - most} more`] : shown;
}

export const standing = (checked: CheckedLocation[]): CheckedLocation[] =>
  checked.filter((one) => one.verdict !== 'struck');

export function nameOf({ path, startLine, endLine }: Location): string {
  return `${path}:${startLine}${endLine > startLine ? `-${endLine}` : ''}`;
}

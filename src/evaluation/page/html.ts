import { withNamedInvisibles } from '../../report/invisible-characters.ts';

/** Text that is HTML already. Everything else is escaped where it is put into a page. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | Html[] | string | number | undefined;

/** A piece of HTML or SVG: every value is escaped, for text and for attributes in double quotes alike. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  let text = strings[0] ?? '';
  values.forEach((value, index) => {
    text += rendered(value) + (strings[index + 1] ?? '');
  });
  return new Html(text);
}

function rendered(value: Value): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map((one) => one.text).join('');
  return escaped(String(value));
}

const escaped = (text: string): string =>
  withNamedInvisibles(text.toWellFormed())
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
    // Characters that HTML forbids.
    .replaceAll(/[^\P{Cc}\t\n\r]/gu, '�');

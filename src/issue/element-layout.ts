import type { DefaultTreeAdapterTypes } from 'parse5';
import type { TextWriter } from './text-writer.ts';

type Element = DefaultTreeAdapterTypes.Element;

/** Where in the layout a walk stands. */
export interface Layout {
  writer: TextWriter;
  /** Numbers of the next items of the lists around; undefined for bullets. */
  lists: (number | undefined)[];
  /** Text of the code block that is being read. */
  pre: string | undefined;
  /** Levels of <sub>, <sup> and <small>. */
  small: number;
}

const words = (text: string): Set<string> => new Set(text.split(' '));

const BLOCKS = words(
  'address article aside center dd div dl dt fieldset figcaption figure footer form header main nav p section table caption details ul ol',
);
const INLINE = words(
  'a abbr b bdi bdo big br cite code del dfn em font g-emoji hr i img input ins kbd label mark picture pre q rp rt ruby s samp small source span strike strong sub summary sup tbody td tfoot th thead time tr tt u var wbr li blockquote h1 h2 h3 h4 h5 h6 button select option html body col colgroup tfoot legend map area track',
);
const SMALL = words('sub sup small');
const MAX_HREF = 300;

/** Elements of HTML that GitHub or a browser knows; any other tag is shown as nothing. */
export function isKnown(tag: string): boolean {
  return BLOCKS.has(tag) || INLINE.has(tag);
}

export function beginElement(element: Element, layout: Layout): void {
  const { writer } = layout;
  const tag = element.tagName;
  if (SMALL.has(tag)) layout.small++;
  if (tag === 'ul' || tag === 'ol') beginList(element, layout);
  else if (tag === 'li') writer.enter(itemMark(layout), '  ');
  else if (tag === 'blockquote') {
    writer.paragraph();
    writer.enter('', '> ');
  } else if (tag === 'pre') layout.pre = '';
  else if (tag === 'summary') writer.endLine();
  else if (tag === 'td' || tag === 'th') beginCell(writer);
  else if (tag === 'tr') writer.endLine();
  else if (/^h[1-6]$/.test(tag)) {
    writer.paragraph();
    writer.write(`${'#'.repeat(Number(tag[1]))} `);
  } else if (BLOCKS.has(tag)) writer.paragraph();
  else markElement(element, layout);
}

function beginCell(writer: TextWriter): void {
  writer.trimLine();
  writer.write(writer.atLineStart ? '| ' : ' | ');
}

/** Elements without contents, and marks around a few words. */
function markElement(element: Element, layout: Layout): void {
  const { writer } = layout;
  const tag = element.tagName;
  if (tag === 'br' && layout.pre !== undefined) layout.pre += '\n';
  else if (tag === 'br') writer.endLine();
  else if (tag === 'hr') {
    writer.paragraph();
    writer.write('---');
    writer.paragraph();
  } else if (tag === 'img') writer.write('[image]');
  else if (tag === 'input') writer.write(element.attrs.some(({ name }) => name === 'checked') ? '[x]' : '[ ]');
  else if (layout.pre === undefined) writer.write(MARKS[tag] ?? '');
}

const MARKS: Record<string, string> = { code: '`', tt: '`', del: '~~', s: '~~', strike: '~~' };

export function endElement(element: Element, layout: Layout): void {
  const { writer } = layout;
  const tag = element.tagName;
  if (SMALL.has(tag)) layout.small--;
  if (tag === 'ul' || tag === 'ol') {
    layout.lists.pop();
    if (layout.lists.length === 0) writer.paragraph();
  } else if (tag === 'li') writer.leave();
  else if (tag === 'blockquote') {
    writer.leave();
    writer.paragraph();
  } else if (tag === 'pre') endCode(element, layout);
  else if (tag === 'tr') {
    writer.trimLine();
    writer.write(' |');
    writer.endLine();
  } else if (tag === 'summary') writer.endLine();
  else if (BLOCKS.has(tag) || /^h[1-6]$/.test(tag)) writer.paragraph();
  else if (tag === 'a') writer.write(destination(element));
  else if (layout.pre === undefined) writer.write(MARKS[tag] ?? '');
}

function beginList(element: Element, layout: Layout): void {
  if (layout.lists.length === 0) layout.writer.paragraph();
  else layout.writer.endLine();
  const start = Number(element.attrs.find(({ name }) => name === 'start')?.value ?? 1);
  layout.lists.push(element.tagName === 'ol' ? (Number.isInteger(start) ? start : 1) : undefined);
}

function itemMark(layout: Layout): string {
  const number = layout.lists.at(-1);
  if (number === undefined) return '- ';
  layout.lists[layout.lists.length - 1] = number + 1;
  return `${number}. `;
}

/** Code between fences that it cannot close. */
function endCode(element: Element, layout: Layout): void {
  const code = (layout.pre ?? '').replace(/\n$/, '');
  layout.pre = undefined;
  const longest = (code.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(Math.min(longest + 1, 40));
  layout.writer.paragraph();
  layout.writer.verbatim([fence + languageOf(element), ...code.split('\n'), fence]);
  layout.writer.paragraph();
}

function languageOf(element: Element): string {
  const code = element.childNodes.find((node) => node.nodeName === 'code') as Element | undefined;
  const name = code?.attrs?.find((attribute) => attribute.name === 'class')?.value ?? '';
  return /^language-[\w+#.-]{1,30}$/.test(name) ? name.slice('language-'.length) : '';
}

/** A reader sees where a link leads when pointing at it. */
function destination(element: Element): string {
  const href = element.attrs.find(({ name }) => name === 'href')?.value ?? '';
  const only = element.childNodes.length === 1 ? element.childNodes[0] : undefined;
  const label = only && 'value' in only ? only.value : undefined;
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(href) || label === href || element.childNodes.length === 0) return '';
  return href.length <= MAX_HREF ? ` (${href})` : '';
}

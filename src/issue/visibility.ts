import type { DefaultTreeAdapterTypes } from 'parse5';
import type { Disclosure } from './disclosure.ts';

type Element = DefaultTreeAdapterTypes.Element;

/** Elements whose contents no reader of an issue sees. */
const UNSEEN = new Set([
  'template',
  'noscript',
  'object',
  'svg',
  'math',
  'head',
  'datalist',
  'audio',
  'video',
  'canvas',
  'embed',
  'param',
  'meta',
  'link',
  'base',
]);

/** Why a reader cannot see an element; undefined when they can. Stricter than GitHub, which drops styles: a hidden style
 * has no honest use in an issue. */
export function unseenBecause(element: Element): string | undefined {
  if (UNSEEN.has(element.tagName)) return `<${element.tagName}>`;
  for (const { name, value } of element.attrs) {
    if (name === 'hidden') return 'hidden element';
    if (name === 'style' && hidesByStyle(value)) return 'element hidden by its style';
    if (name === 'color' && /^\s*(?:white|transparent|#fff(?:fff)?)\s*$/i.test(value)) return 'text without colour';
  }
  return undefined;
}

const HIDING: Record<string, (value: string) => boolean> = {
  display: (value) => value === 'none',
  visibility: (value) => value === 'hidden' || value === 'collapse',
  opacity: (value) => Number.parseFloat(value) < 0.1,
  'font-size': (value) => Number.parseFloat(value) < 3,
  color: (value) => ['transparent', 'white', '#fff', '#ffffff'].includes(value),
  height: (value) => Number.parseFloat(value) < 2,
  width: (value) => Number.parseFloat(value) < 2,
  'max-height': (value) => Number.parseFloat(value) < 2,
  left: (value) => Number.parseFloat(value) < -100,
  top: (value) => Number.parseFloat(value) < -100,
  'text-indent': (value) => Number.parseFloat(value) < -100,
  clip: (value) => value.startsWith('rect('),
  'clip-path': (value) => value !== 'none',
};

function hidesByStyle(style: string): boolean {
  return style
    .slice(0, 4000)
    .split(';')
    .some((declaration) => {
      const colon = declaration.indexOf(':');
      const property = declaration.slice(0, Math.max(0, colon)).trim().toLowerCase();
      const value = declaration
        .slice(colon + 1)
        .replace('!important', '')
        .trim()
        .toLowerCase();
      return Object.hasOwn(HIDING, property) && (HIDING[property] as (value: string) => boolean)(value);
    });
}

/** Attributes that carry words to nobody but a screen reader, a mouse, or a program. */
export function reportAttributes(element: Element, known: boolean, disclosure: Disclosure): void {
  for (const { name, value } of element.attrs) {
    const kind = attributeKind(name, value);
    if (kind !== undefined) disclosure.add(kind, value);
  }
  // `<ignore all of this>` is a tag with three attributes to a parser, and nothing to a reader.
  if (!known && element.attrs.length > 0) {
    const attributes = element.attrs.map(({ name, value }) => (value === '' ? name : `${name}="${value}"`));
    disclosure.add('unknown tag', `${element.tagName} ${attributes.join(' ')}`);
  }
}

function attributeKind(name: string, value: string): string | undefined {
  if (name === 'alt') return isImageName(value) ? undefined : 'alternative text';
  if (name === 'title') return 'title of a link or image';
  if (name === 'srcset') return 'image source';
  const saysSomething = WORDS.has(name) || (!HARMLESS.has(name) && wordCount(value) > 3);
  return saysSomething ? `attribute ${name.slice(0, 40)}` : undefined;
}

const WORDS = new Set(['aria-label', 'aria-description', 'placeholder', 'value', 'label', 'summary', 'content']);
const HARMLESS = new Set(['href', 'src', 'class', 'style', 'sizes', 'rel', 'media', 'id', 'width', 'height', 'align']);

/** The names that people and tools give to pictures: "image", "Screenshot 2024-05-01 at 10.12.33 AM", "plot.png". */
function isImageName(alt: string): boolean {
  if (alt.length > 120) return false;
  if (/^\S+\.(?:png|jpe?g|gif|webp|svg|bmp|mov|mp4)$/i.test(alt.trim())) return true;
  const words = (alt.match(/\p{L}{2,}/gu) ?? []).filter((word) => !COMMON.has(word.toLowerCase()));
  return words.length <= 3;
}

const COMMON = new Set(
  'screenshot screen shot recording image img photo picture at am pm from png jpg build badge'.split(' '),
);

const wordCount = (value: string): number => value.trim().split(/\s+/).length;

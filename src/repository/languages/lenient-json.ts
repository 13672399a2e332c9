import { mask } from './mask.ts';

/** Parses a JSON object that may hold comments and trailing commas, as tsconfig.json does; undefined for anything else. */
export function parseLenientJson(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  return parsed(text) ?? parsed(strict(text));
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

const SYNTAX = {
  lineComments: ['//'],
  blockComments: [['/*', '*/']],
  strings: [{ open: '"', close: '"', multiline: false, escapes: true }],
} as const;

/** Copies everything but comments and commas that close nothing. */
function strict(text: string): string {
  const { code } = mask(text, SYNTAX);
  const kept: string[] = [];
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const sign = code[at] as string;
    if (sign === '"') inString = !inString;
    if (sign === ',' && !inString && closesNext(code, at + 1)) continue;
    kept.push(inString ? (text[at] as string) : sign);
  }
  return kept.join('');
}

function closesNext(code: string, from: number): boolean {
  let at = from;
  while (at < code.length && ' \t\r\n'.includes(code[at] as string)) at++;
  return code[at] === '}' || code[at] === ']';
}

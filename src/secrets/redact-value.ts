import type { Secrets } from '../domain/ports/secrets.ts';

/** Bytes of a patch in base64, which must stay what they are; patches are looked at before they leave. */
const BYTES = new Set(['diff', 'protectedDiff']);
/** Nothing that is a secret is shorter. */
const SHORTEST = 8;

/** The same JSON value with every text in it redacted. All are looked at in one go, joined by line ends. */
export async function redactValue<T>(value: T, secrets: Secrets): Promise<T> {
  const texts: string[] = [];
  collect(value, texts);
  const found = await secrets.find(texts.join('\n'));
  if (found.length === 0) return value;
  const clean = new Map<string, string>();
  let start = 0;
  for (const text of texts) {
    const end = start + text.length;
    if (found.some((one) => one.start < end && one.end > start)) clean.set(text, await redactedPart(text, start));
    start = end + 1;
  }
  return replaced(value, clean) as T;

  async function redactedPart(text: string, at: number): Promise<string> {
    const alone = await secrets.redact(text);
    if (alone !== text) return alone;
    // A secret that only shows with the text beside it, such as a key in pieces.
    const kind = found.find((one) => one.start < at + text.length && one.end > at)?.kind ?? 'secret';
    return `[removed: ${kind}]`;
  }
}

function collect(value: unknown, texts: string[]): void {
  if (typeof value === 'string') {
    if (value.length >= SHORTEST) texts.push(value);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) if (!BYTES.has(key)) collect(part, texts);
}

function replaced(value: unknown, clean: Map<string, string>): unknown {
  if (typeof value === 'string') return clean.get(value) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((part) => replaced(part, clean));
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, BYTES.has(key) ? part : replaced(part, clean)]),
  );
}

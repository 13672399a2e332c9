import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { creator as recommended } from '@secretlint/secretlint-rule-preset-recommend';
import type { FoundSecret, Secrets } from '../domain/ports/secrets.ts';
import { ownFormats } from './own-formats.ts';
import { matcherOf } from './own-values.ts';

/** What is looked at in one piece, and how much two pieces share, so that no secret is cut by their border. */
const PIECE = 64 * 1024;
const SHARED = 8 * 1024;

/**
 * Secrets by the rules of secretlint's recommended preset, by a few formats that it does not know, and by value.
 * @param own The operator's secrets: keys, tokens, passwords. Those too short to be told from a word are left out.
 */
export function createSecrets(own: (string | undefined)[] = []): Secrets {
  // It would keep two entries of every call for as long as the process lives.
  secretLintProfiler.setEnabled(false);
  const byValue = matcherOf(own);
  const find = async (text: string): Promise<FoundSecret[]> => {
    const found = [...byValue(text), ...ownFormats(text)];
    for (let start = 0; start < text.length; start += PIECE - SHARED) {
      found.push(...(await byRule(text.slice(start, start + PIECE), start)));
    }
    return merged(found);
  };
  return {
    find,
    redact: async (text) => replaced(text, await find(text)),
    redactOwn: (text) => replaced(text, merged([...byValue(text), ...ownFormats(text)])),
  };
}

/** A text may carry comments that tell secretlint to look away; whoever wrote them is not to be trusted. */
const deaf = [{ id: '@secretlint/secretlint-rule-filter-comments', disabled: true }];
const config = { rules: [{ id: recommended.meta.id, rule: recommended, rules: deaf }] };

async function byRule(content: string, offset: number): Promise<FoundSecret[]> {
  const source = { content, filePath: 'text.txt', ext: '.txt', contentType: 'text' as const };
  const { messages } = await lintSource({ source, options: { config, noPhysicFilePath: true, maskSecrets: true } });
  return messages
    .filter((message) => message.type === 'message')
    .map(({ message, range: [start, end] }) => ({ kind: kindOf(message), start: offset + start, end: offset + end }));
}

/** `found GitHub Token(...): ****` is all that a message says; longer words would be the text's own. */
function kindOf(message: string): string {
  const [words = ''] = message.replace(/^found /, '').split(/[:(]/);
  return words.trim().slice(0, 60) || 'secret';
}

function merged(found: FoundSecret[]): FoundSecret[] {
  const result: FoundSecret[] = [];
  for (const one of found.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last === undefined || one.start >= last.end) result.push({ ...one });
    else last.end = Math.max(last.end, one.end);
  }
  return result;
}

function replaced(text: string, found: FoundSecret[]): string {
  if (found.length === 0) return text;
  let from = 0;
  let result = '';
  for (const { kind, start, end } of found) {
    result += `${text.slice(from, start)}[removed: ${kind}]`;
    from = end;
  }
  return result + text.slice(from);
}

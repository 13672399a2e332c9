import { createHash } from 'node:crypto';

/**
 * Puts `text` into a tagged block that it cannot leave: the tag carries a number that does not occur in the text. Equal
 * texts get equal blocks, so that a provider's prompt cache still recognizes them.
 */
export function untrustedBlock(text: string, tag: string): string {
  const name = `${tag}-${absentNonce(text)}`;
  return `<${name}>\n${text}\n</${name}>`;
}

// Whoever wrote the text may have guessed the first hash; they cannot have guessed one that we only take when absent.
function absentNonce(text: string): string {
  const lowered = text.toLowerCase();
  for (let attempt = 0; ; attempt++) {
    const nonce = createHash('sha256').update(`${attempt}\n${text}`).digest('hex').slice(0, 8);
    if (!lowered.includes(nonce)) return nonce;
  }
}

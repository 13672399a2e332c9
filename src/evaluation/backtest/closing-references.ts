const KEYWORDS = new Set('close closes closed fix fixes fixed resolve resolves resolved'.split(' '));

/**
 * The issues of `repository` (owner/name) that a pull request's text says it fixes, by GitHub's keywords: `fixes #12`,
 * `Closes: owner/name#12`, `resolves https://github.com/owner/name/issues/12`. Word by word, linear in the text.
 */
export function closingReferences(text: string, repository: string): number[] {
  const words = text.split(/\s+/);
  const found = new Set<number>();
  words.forEach((word, index) => {
    if (
      !KEYWORDS.has(
        word
          .toLowerCase()
          .replace(/^[([*_-]+/, '')
          .replace(/:$/, ''),
      )
    )
      return;
    const number = issueNumber(words[index + 1] ?? '', repository.toLowerCase());
    if (number !== undefined) found.add(number);
  });
  return [...found];
}

function issueNumber(word: string, repository: string): number | undefined {
  const reference = word.toLowerCase();
  const short = /^(?:([\w.-]+\/[\w.-]+))?#(\d{1,9})\b/.exec(reference);
  if (short) return short[1] === undefined || short[1] === repository ? Number(short[2]) : undefined;
  const link = /^[[<(]*https?:\/\/[^/\s]+\/([\w.-]+\/[\w.-]+)\/issues\/(\d{1,9})\b/.exec(reference);
  return link && link[1] === repository ? Number(link[2]) : undefined;
}

/** The known name that `word` most likely stands for: at an edit distance of at most a third of its length. */
export function nearestName(word: string, known: string[]): string | undefined {
  const ranked = known.map((name) => ({ name, distance: editDistance(word.slice(0, 40).toLowerCase(), name) }));
  const best = ranked.sort((a, b) => a.distance - b.distance)[0];
  return best && best.distance <= Math.max(2, best.name.length / 3) ? best.name : undefined;
}

/** How many letters have to be put in, left out or replaced to make `b` of `a`. */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substituted));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

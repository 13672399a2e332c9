/**
 * The tool that a model means by a name it got nearly right: with a namespace (`functions.shell`), another case, or a
 * chat template's token at its end. Undefined where no tool, or more than one, is meant.
 */
export function meantTool(name: string, tools: string[]): string | undefined {
  if (tools.includes(name)) return name;
  const plain = plainName(name.split('<|')[0] ?? '');
  const meant = tools.filter((tool) => plainName(tool) === plain);
  return meant.length === 1 ? meant[0] : undefined;
}

/** A name as every provider takes it back in a history. */
export function historicName(name: string): string {
  const kept = [...name.slice(0, 60)].filter((letter) => /[A-Za-z0-9_-]/.test(letter)).join('');
  return kept === '' ? 'unknown' : kept;
}

const plainName = (name: string): string =>
  (name.trim().split(/[.:/]/).at(-1) ?? '').toLowerCase().replaceAll(/[^a-z0-9]/g, '');

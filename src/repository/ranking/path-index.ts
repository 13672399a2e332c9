/** Finds files by the ends of their paths: a stack trace names them from another machine's root. */
export class PathIndex {
  private readonly byName = new Map<string, number[]>();
  private readonly byModule = new Map<string, number>();
  private readonly paths: readonly string[];

  constructor(paths: readonly string[]) {
    this.paths = paths;
    paths.forEach((path, number) => {
      const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
      const same = this.byName.get(name);
      if (same) same.push(number);
      else this.byName.set(name, [number]);
      this.byModule.set(moduleName(path), number);
    });
  }

  /** Files that share the longest end with `path`, and how many names that end has. */
  endingLike(path: string): { files: number[]; shared: number } {
    const wanted = path
      .toLowerCase()
      .split('/')
      .filter((part) => part !== '' && part !== '.' && part !== '..')
      .reverse();
    let shared = 0;
    let files: number[] = [];
    for (const number of this.byName.get(wanted[0] ?? '') ?? []) {
      const parts = (this.paths[number] as string).toLowerCase().split('/').reverse();
      let same = 0;
      while (same < parts.length && same < wanted.length && parts[same] === wanted[same]) same++;
      if (same > shared) {
        shared = same;
        files = [number];
      } else if (same === shared) files.push(number);
    }
    return { files, shared };
  }

  /** The file whose module name is the longest beginning of a dotted name, and the names left over. */
  module(dotted: string): { file: number; rest: string[] } | undefined {
    const parts = dotted.split('.');
    for (let length = parts.length; length > 0; length--) {
      const file = this.byModule.get(parts.slice(0, length).join('.'));
      if (file !== undefined) return { file, rest: parts.slice(length) };
    }
    return undefined;
  }
}

function moduleName(path: string): string {
  const dot = path.lastIndexOf('.');
  const bare = dot > path.lastIndexOf('/') ? path.slice(0, dot) : path;
  return bare
    .replace(/^(?:src|lib)\/(?:main\/(?:java|kotlin|scala)\/)?/, '')
    .replace(/\/(?:__init__|index|mod)$/, '')
    .replaceAll('/', '.');
}

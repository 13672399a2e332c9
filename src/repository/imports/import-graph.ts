import type { ImportStatement, Language, Project, Resolve } from '../languages/language.ts';
import { languageOf } from '../languages/languages.ts';
import { mask } from '../languages/mask.ts';
import type { SourceFiles } from '../source-files.ts';

const MAX_BYTES = 1024 * 1024;
const BUILD_MILLISECONDS = 25_000;

export interface FileImports {
  /** Files, and folders that end in "/", in the order of the file. */
  imports: string[];
  /** Modules as written that lead nowhere in the repository. */
  unresolved: string[];
}

/** What every file imports, and what imports it. Built once; scanned file by file with linear-time scanners. */
export class ImportGraph {
  readonly files: readonly string[];
  /** Files that were not scanned: too large, or the time was over. */
  skipped = 0;
  private readonly edges = new Map<string, FileImports>();
  private readonly reverse = new Map<string, string[]>();

  constructor(source: SourceFiles) {
    const scanned = new Map<string, ImportStatement[]>();
    const deadline = performance.now() + BUILD_MILLISECONDS;
    for (const file of source.sizes.keys()) {
      const language = languageOf(file);
      if (language?.imports) this.scan(source, file, language, scanned, deadline);
    }
    this.files = [...scanned.keys()];
    this.resolveAll(projectOf(source, scanned), scanned);
  }

  of(file: string): FileImports | undefined {
    return this.edges.get(file);
  }

  /** Files that import this file or its package folder. */
  importersOf(file: string): string[] {
    const folder = file.slice(0, file.lastIndexOf('/') + 1);
    const direct = this.reverse.get(file) ?? [];
    const byFolder = folder === '' ? [] : (this.reverse.get(folder) ?? []);
    return [...new Set([...direct, ...byFolder])].filter((importer) => importer !== file).sort();
  }

  /** Files and folders by how many files import them, most first. */
  mostImported(limit: number): { path: string; importers: number }[] {
    const counts = [...this.reverse].map(([path, importers]) => ({ path, importers: importers.length }));
    return counts.sort((a, b) => b.importers - a.importers || (a.path < b.path ? -1 : 1)).slice(0, limit);
  }

  private scan(
    source: SourceFiles,
    file: string,
    language: Language,
    scanned: Map<string, ImportStatement[]>,
    deadline: number,
  ): void {
    if ((source.sizes.get(file) as number) > MAX_BYTES || performance.now() > deadline) {
      this.skipped++;
      return;
    }
    const text = source.text(file);
    if (text.kind !== 'text') return;
    const { code } = mask(text.text, language.syntax);
    scanned.set(file, language.imports?.(code, text.text) ?? []);
  }

  private resolveAll(project: Project, scanned: Map<string, ImportStatement[]>): void {
    const resolvers = new Map<string, Resolve | undefined>();
    for (const [file, statements] of scanned) {
      const language = languageOf(file) as Language;
      if (!resolvers.has(language.name)) resolvers.set(language.name, language.resolver?.(project));
      const resolve = resolvers.get(language.name);
      if (resolve) this.edges.set(file, this.resolveFile(file, statements, resolve));
    }
  }

  private resolveFile(file: string, statements: ImportStatement[], resolve: Resolve): FileImports {
    const imports = new Set<string>();
    const unresolved = new Set<string>();
    for (const statement of statements.filter(({ declares }) => !declares)) {
      const targets = resolve(statement, file);
      if (targets.length === 0) unresolved.add(statement.module);
      for (const target of targets) if (target !== file) imports.add(target);
    }
    for (const target of imports) {
      const importers = this.reverse.get(target);
      if (importers) importers.push(file);
      else this.reverse.set(target, [file]);
    }
    return { imports: [...imports], unresolved: [...unresolved] };
  }
}

function projectOf(source: SourceFiles, statements: Map<string, ImportStatement[]>): Project {
  return {
    files: [...source.sizes.keys()],
    has: (path) => source.has(path),
    folder: (path) => source.folders.get(path),
    text: (path) => {
      if ((source.sizes.get(path) ?? MAX_BYTES + 1) > MAX_BYTES) return undefined;
      const text = source.text(path);
      return text.kind === 'text' ? text.text : undefined;
    },
    statements: (path) => statements.get(path) ?? [],
  };
}

import type { CheckedCitation, Citation } from '../domain/citation.ts';
import type { CheckedLocation } from '../domain/diagnosis.ts';
import type { Location, Suspect } from '../domain/finding.ts';
import { checkCitation, checkLocation } from './check-citation.ts';
import { fileView } from './file-view.ts';
import { connectionOverview, connectionSummary, connectionsOf } from './imports/connections.ts';
import { ImportGraph } from './imports/import-graph.ts';
import { issueTemplates } from './issue-templates.ts';
import { countLines } from './line-counts.ts';
import { definitionsOf, outlineOf } from './outline/outline.ts';
import { SyntaxTrees } from './outline/syntax-trees.ts';
import { matchPath } from './path-matching.ts';
import { Ranker } from './ranking/ranker.ts';
import type {
  Connections,
  Definition,
  FileView,
  LineRange,
  Outline,
  SearchResult,
  TreeView,
  ViewOptions,
} from './repository.ts';
import { search } from './search/search.ts';
import { SourceFiles } from './source-files.ts';
import { shownPath, type TextFile } from './text-file.ts';
import { treeView } from './tree-view.ts';

/** Bytes of a found file that is parsed for its excerpts: a search shows several files, and has to be quick. */
const SEARCH_PARSED = 256 * 1024;

/** The Repository's methods in this process. What is costly to build is built when first asked for, and kept. */
export class CheckoutReader {
  private readonly source: SourceFiles;
  private readonly trees = new SyntaxTrees();
  private lineCounts: Map<string, number> | undefined;
  private importGraph: ImportGraph | undefined;
  private ranker: Ranker | undefined;

  constructor(tree: string) {
    this.source = new SourceFiles(tree);
  }

  tree(options?: { maxTokens?: number; near?: string[] }): TreeView {
    this.lineCounts ??= countLines(this.source);
    return treeView(this.source, this.lineCounts, options?.maxTokens ?? 8000, options?.near);
  }

  view(path: string, range?: LineRange, options?: ViewOptions): FileView {
    const plain = options?.withoutImportsOf ?? [];
    const imports = (file: string) => (plain.includes(file) ? [] : connectionSummary(this.graph(), file));
    return fileView(this.source, path, range ?? undefined, imports);
  }

  search(query: string, options?: { path?: string }): Promise<SearchResult> {
    return search(this.source, query, options?.path ?? undefined, (path, file) =>
      this.definitions(path, file, SEARCH_PARSED),
    );
  }

  connected(path?: string): Connections {
    if (path === undefined || path === null || path === '') return connectionOverview(this.graph());
    const match = matchPath(this.source, path);
    if (match.kind === 'file') return connectionsOf(this.graph(), match.path);
    const suggestions = match.kind === 'none' ? match.suggestions.map((near) => `  ${shownPath(near)}`) : [];
    const text = [`${shownPath(path.slice(0, 300))} is no file of this repository.`, ...suggestions].join('\n');
    return { text, imports: [], importedBy: [], unresolved: [] };
  }

  async outline(path: string): Promise<Outline> {
    const match = matchPath(this.source, path);
    if (match.kind === 'file') return await outlineOf(match.path, this.source.text(match.path), this.trees);
    return { text: `${shownPath(path.slice(0, 300))} is no file of this repository.`, definitions: [], by: 'none' };
  }

  rank(issueText: string, limit: number): Suspect[] {
    this.ranker ??= new Ranker(this.source);
    return this.ranker.rank(issueText, limit);
  }

  checkCitation(citation: Citation): Promise<CheckedCitation> {
    return checkCitation(this.source, citation, (path, file) => this.definitions(path, file));
  }

  checkLocation(location: Location): CheckedLocation {
    return checkLocation(this.source, location);
  }

  issueTemplates(): string[] {
    return issueTemplates(this.source);
  }

  private async definitions(path: string, file: TextFile, maxParsed?: number): Promise<Definition[]> {
    return (await definitionsOf(path, file, this.trees, maxParsed)).definitions;
  }

  private graph(): ImportGraph {
    this.importGraph ??= new ImportGraph(this.source);
    return this.importGraph;
  }
}

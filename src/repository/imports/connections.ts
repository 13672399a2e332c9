import path from 'node:path';
import { roleOf } from '../file-kind.ts';
import type { Connections } from '../repository.ts';
import { shownPath } from '../text-file.ts';
import type { ImportGraph } from './import-graph.ts';

const SHOWN = 60;
const RETURNED = 2000;

/** The imports of one file in both directions, in words for a model. */
export function connectionsOf(graph: ImportGraph, file: string): Connections {
  const edges = graph.of(file);
  const imports = edges?.imports ?? [];
  const unresolved = edges?.unresolved ?? [];
  const importedBy = graph.importersOf(file);
  const lines = [shownPath(file)];
  if (!edges) lines.push('Its own imports are not known: a language without import scanner, or a file too large.');
  else lines.push(...section('imports', imports));
  lines.push(...section('imported by', importedBy));
  if (unresolved.length > 0) {
    lines.push(...section('unresolved (another package, or generated or missing)', unresolved));
  }
  return {
    text: lines.join('\n'),
    path: file,
    imports: imports.slice(0, RETURNED),
    importedBy: importedBy.slice(0, RETURNED),
    unresolved: unresolved.slice(0, RETURNED).map((module) => module.slice(0, 300)),
  };
}

/** Two lines about a file's imports for the head of a view. */
export function connectionSummary(graph: ImportGraph, file: string): string[] {
  const line = (title: string, names: string[]): string => {
    const shown = names.slice(0, 12).map(shownPath).join(', ');
    return `${title}: ${shown || 'none found'}${names.length > 12 ? ` … +${names.length - 12} more` : ''}`;
  };
  const edges = graph.of(file);
  const importers = line('imported by', graph.importersOf(file));
  return edges ? [line('imports', edges.imports), importers] : [];
}

/** The whole repository: modules that most others import, and files that start something. */
export function connectionOverview(graph: ImportGraph): Connections {
  const edges = graph.files.reduce((sum, file) => sum + (graph.of(file)?.imports.length ?? 0), 0);
  const lines = [`${graph.files.length} files with imports that can be read, ${edges} imports between them.`];
  if (graph.skipped > 0) lines.push(`${graph.skipped} files were not read: too large, or the time was over.`);
  lines.push('', 'Most imported:');
  for (const { path: name, importers } of graph.mostImported(40)) lines.push(`  ${shownPath(name)} by ${importers}`);
  const entries = graph.files.filter((file) => isEntry(file)).slice(0, 30);
  if (entries.length > 0) lines.push('', 'Entry points by name:', ...entries.map((file) => `  ${shownPath(file)}`));
  return { text: lines.join('\n'), imports: [], importedBy: [], unresolved: [] };
}

const ENTRY_NAMES = /^(?:__main__|main|cli|app|server|manage|wsgi|asgi|index|setup|Main|Program|Application)\.[a-z]+$/;

function isEntry(file: string): boolean {
  return roleOf(file) === 'source' && ENTRY_NAMES.test(path.posix.basename(file)) && file.split('/').length <= 4;
}

function section(title: string, names: string[]): string[] {
  const lines = [
    `${title} (${names.length}):`,
    ...names.slice(0, SHOWN).map((name) => `  ${shownPath(name.slice(0, 300))}`),
  ];
  if (names.length > SHOWN) lines.push(`  … +${names.length - SHOWN} more`);
  return lines;
}

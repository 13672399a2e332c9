import path from 'node:path';
import type { Project } from './language.ts';
import { parseLenientJson } from './lenient-json.ts';

interface Aliases {
  folder: string;
  baseUrl?: string;
  patterns: { prefix: string; suffix: string; exact: boolean; targets: string[] }[];
}

interface Options {
  baseUrl?: string;
  /** Folder that `paths` are relative to. */
  pathsFrom?: string;
  paths?: Record<string, unknown>;
}

/** `compilerOptions.paths` and `baseUrl` of every tsconfig.json and jsconfig.json, with `extends` followed. */
export class PathAliases {
  private readonly configs: Aliases[];

  constructor(project: Project) {
    this.configs = project.files
      .filter((file) => /^[jt]sconfig(?:\.[\w-]+)*\.json$/.test(path.posix.basename(file)))
      .map((file) => asAliases(path.posix.dirname(file), readOptions(project, file, 0)))
      .filter((config) => config !== undefined)
      .sort((a, b) => b.folder.length - a.folder.length);
  }

  /** Paths without certain extension that a specifier may stand for in a file, nearest configuration first. */
  *candidates(specifier: string, from: string): Generator<string> {
    for (const config of this.configs) {
      if (config.folder !== '.' && !from.startsWith(`${config.folder}/`)) continue;
      for (const pattern of config.patterns) {
        const middle = matched(pattern, specifier);
        if (middle === undefined) continue;
        for (const target of pattern.targets) yield target.replace('*', () => middle);
      }
      if (config.baseUrl !== undefined) yield path.posix.join(config.baseUrl, specifier);
    }
  }
}

function matched(pattern: Aliases['patterns'][number], specifier: string): string | undefined {
  const { prefix, suffix, exact } = pattern;
  if (exact) return specifier === prefix ? '' : undefined;
  if (specifier.length < prefix.length + suffix.length) return undefined;
  if (!specifier.startsWith(prefix) || !specifier.endsWith(suffix)) return undefined;
  return specifier.slice(prefix.length, specifier.length - suffix.length);
}

function readOptions(project: Project, file: string, depth: number): Options {
  const json = depth > 8 ? undefined : parseLenientJson(project.text(file));
  if (!json) return {};
  const folder = path.posix.dirname(file);
  const own = (json['compilerOptions'] ?? {}) as Record<string, unknown>;
  let options: Options = {};
  for (const parent of [json['extends']].flat()) {
    if (typeof parent !== 'string' || !parent.startsWith('.')) continue;
    const target = path.posix.join(folder, parent.endsWith('.json') ? parent : `${parent}.json`);
    options = { ...options, ...readOptions(project, target, depth + 1) };
  }
  if (typeof own['baseUrl'] === 'string') options.baseUrl = path.posix.join(folder, own['baseUrl']);
  if (own['paths'] !== null && typeof own['paths'] === 'object') {
    options.paths = own['paths'] as Record<string, unknown>;
    options.pathsFrom = options.baseUrl ?? folder;
  }
  return options;
}

function asAliases(folder: string, options: Options): Aliases | undefined {
  if (options.baseUrl === undefined && options.paths === undefined) return undefined;
  const patterns = Object.entries(options.paths ?? {}).map(([key, value]) => {
    const star = key.indexOf('*');
    return {
      prefix: star < 0 ? key : key.slice(0, star),
      suffix: star < 0 ? '' : key.slice(star + 1),
      exact: star < 0,
      targets: [value]
        .flat()
        .filter((target) => typeof target === 'string')
        .map((target) => path.posix.join(options.pathsFrom ?? folder, target)),
    };
  });
  patterns.sort((a, b) => Number(b.exact) - Number(a.exact) || b.prefix.length - a.prefix.length);
  return { folder, patterns, ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }) };
}

import type { Project, Resolve } from './language.ts';

/** Modules of Rust: `crate`, `super`, `self`, sibling modules, and the repository's own crates by name. */
export function rustResolver(project: Project): Resolve {
  const crates = crateSources(project);
  return ({ module }, from) => {
    const parts = module.split('::').filter((part) => part !== '' && part !== '*');
    const start = startOf(project, crates, parts[0] ?? '', from);
    if (!start) return [];
    const found = descend(project, start.folder, parts.slice(start.used)) ?? start.file;
    return found === undefined ? [] : [found];
  };
}

interface Start {
  /** Folder of the child modules. */
  folder: string;
  /** File that the beginning of the path itself stands for. */
  file: string | undefined;
  /** Names of the path that are used up. */
  used: number;
}

function startOf(project: Project, crates: Map<string, string>, first: string, from: string): Start | undefined {
  if (first === 'crate') {
    const folder = crateRoot(project, from);
    return { folder, file: rootFile(project, folder), used: 1 };
  }
  if (first === 'self') return { folder: childFolder(from), file: undefined, used: 1 };
  if (first === 'super') {
    const folder = parentFolder(childFolder(from));
    return { folder, file: moduleFile(project, folder.slice(0, -1)) ?? rootFile(project, folder), used: 1 };
  }
  const other = crates.get(first);
  if (other !== undefined) return { folder: other, file: rootFile(project, other), used: 1 };
  return { folder: childFolder(from), file: undefined, used: 0 };
}

/** The deepest module that the names lead to; what follows is defined in it. */
function descend(project: Project, folder: string, names: string[]): string | undefined {
  let at = folder;
  let found: string | undefined;
  for (const name of names) {
    if (name === 'super') {
      at = parentFolder(at);
      continue;
    }
    const file = moduleFile(project, at + name);
    if (file === undefined) break;
    found = file;
    at = `${at}${name}/`;
  }
  return found;
}

function moduleFile(project: Project, stem: string): string | undefined {
  return [`${stem}.rs`, `${stem}/mod.rs`].find((file) => project.has(file));
}

function rootFile(project: Project, folder: string): string | undefined {
  return [`${folder}lib.rs`, `${folder}main.rs`, `${folder}mod.rs`].find((file) => project.has(file));
}

/** Where the child modules of a file are. */
function childFolder(file: string): string {
  return /(?:^|\/)(?:mod|lib|main)\.rs$/.test(file)
    ? file.slice(0, file.lastIndexOf('/') + 1)
    : file.replace(/\.rs$/, '/');
}

const parentFolder = (folder: string): string => folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);

function crateRoot(project: Project, from: string): string {
  for (let folder = parentFolder(`${from}/`); ; folder = parentFolder(folder)) {
    if (project.has(`${folder}lib.rs`) || project.has(`${folder}main.rs`) || folder === '') return folder;
  }
}

/** Source folder of each crate by the name it is used with. */
function crateSources(project: Project): Map<string, string> {
  const crates = new Map<string, string>();
  for (const file of project.files) {
    if (file !== 'Cargo.toml' && !file.endsWith('/Cargo.toml')) continue;
    const name = /^name\s?=\s?"([\w-]{1,100})"/m.exec(project.text(file) ?? '')?.[1];
    if (name !== undefined) crates.set(name.replaceAll('-', '_'), `${file.slice(0, -'Cargo.toml'.length)}src/`);
  }
  return crates;
}

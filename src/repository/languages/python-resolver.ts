import type { Project, Resolve } from './language.ts';

/** Modules and packages of Python: relative, absolute from any source root, namespace packages, a script's neighbours. */
export function pythonResolver(project: Project): Resolve {
  const modules = new PythonModules(project);
  return ({ module, names }, from) => {
    const dots = leadingDots(module);
    const base = dots > 0 ? modules.relative(from, dots, module.slice(dots)) : undefined;
    if (dots > 0 && base === undefined) return [];
    const at = (name: string): string | undefined => {
      if (base === undefined) return modules.absolute(name === '' ? module : `${module}.${name}`, from);
      return modules.file(name === '' ? base : base === '' ? name : `${base}/${name}`);
    };
    return names.length === 0 ? wholeModule(module, at, modules, from) : namesOf(names, at);
  };
}

/** `import a.b.c` runs a, a.b and a.b.c; the last that exists is what it leads to. */
function wholeModule(
  module: string,
  at: (name: string) => string | undefined,
  modules: PythonModules,
  from: string,
): string[] {
  const direct = at('');
  if (direct !== undefined) return [direct];
  const parts = module.split('.');
  for (let length = parts.length - 1; length > 0; length--) {
    const found = modules.absolute(parts.slice(0, length).join('.'), from);
    if (found !== undefined) return [found];
  }
  return [];
}

/** A name may be a module of the package, or something defined in the package's own file. */
function namesOf(names: string[], at: (name: string) => string | undefined): string[] {
  const own = at('');
  const packageFile =
    own === undefined || own.endsWith('/__init__.py') || own.endsWith('__init__.pyi') || own === '__init__.py';
  const found = new Set<string>();
  for (const name of names) {
    const submodule = packageFile && name !== '*' ? at(name) : undefined;
    const target = submodule ?? own;
    if (target !== undefined) found.add(target);
  }
  return [...found];
}

function leadingDots(module: string): number {
  let dots = 0;
  while (module[dots] === '.') dots++;
  return dots;
}

class PythonModules {
  private readonly project: Project;
  private readonly roots: string[];
  private readonly known = new Map<string, string | undefined>();

  constructor(project: Project) {
    this.project = project;
    this.roots = sourceRoots(project);
  }

  /** The file of a module at a path without extension: a module, then a package. */
  file(path: string): string | undefined {
    for (const end of ['.py', '.pyx', '.pyi', '/__init__.py', '/__init__.pyi']) {
      if (this.project.has(path + end)) return path + end;
    }
    return undefined;
  }

  /** The path that dots and a name stand for, seen from a file; undefined beyond the top. */
  relative(from: string, dots: number, rest: string): string | undefined {
    const folders = from.split('/').slice(0, -1);
    if (dots - 1 > folders.length) return undefined;
    const base = folders.slice(0, folders.length - (dots - 1));
    return [...base, ...rest.split('.').filter((part) => part !== '')].join('/');
  }

  /** Nearest source root above the importing file first, then the script's own folder, then any root. */
  absolute(module: string, from: string): string | undefined {
    const folder = from.slice(0, from.lastIndexOf('/') + 1);
    const key = `${folder}\n${module}`;
    if (this.known.has(key)) return this.known.get(key);
    const path = module.replaceAll('.', '/');
    const above = this.roots.filter((root) => folder.startsWith(root));
    const isPackage = this.project.has(`${folder}__init__.py`);
    const places = [...above, ...(isPackage ? [] : [folder]), ...this.roots];
    let found: string | undefined;
    for (const place of places) {
      found = this.file(place + path);
      if (found !== undefined) break;
    }
    this.known.set(key, found);
    return found;
  }
}

/** Folders that modules are imported from: the parents of top packages, `src/` layouts, and the root; deepest first. */
function sourceRoots(project: Project): string[] {
  const roots = new Set<string>(['']);
  for (const file of project.files) {
    if (!file.endsWith('/__init__.py')) continue;
    let top = file.slice(0, file.lastIndexOf('/') + 1);
    while (top !== '' && project.has(`${top}__init__.py`)) top = top.slice(0, top.lastIndexOf('/', top.length - 2) + 1);
    roots.add(top);
  }
  for (const name of ['src/', 'lib/', 'python/']) if (project.folder(name)) roots.add(name);
  return [...roots].sort((a, b) => b.length - a.length);
}

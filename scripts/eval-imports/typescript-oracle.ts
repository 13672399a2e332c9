import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { ts } from '@ts-morph/common';
import type { Expected, Oracle } from './oracle.ts';

const SCRIPT = /\.[cm]?[jt]sx?$/;

/**
 * Where TypeScript itself resolves every import, export-from, `require`, `import()` and import type. The repository's
 * own packages are linked into `node_modules` first, as an installation would do.
 */
export function typescriptOracle(root: string, files: string[]): Oracle {
  linkPackages(root, files);
  const resolver = new Resolver(root);
  const scripts = files.filter((file) => SCRIPT.test(file));
  return Object.fromEntries(scripts.map((file) => [file, resolver.expected(file)]));
}

function linkPackages(root: string, files: string[]): void {
  for (const file of files.filter((one) => path.posix.basename(one) === 'package.json')) {
    const name = nameIn(path.join(root, file));
    if (name === undefined || !/^(?:@[\w.-]+\/)?[\w.-]+$/.test(name)) continue;
    const link = path.join(root, 'node_modules', name);
    if (existsSync(link)) continue;
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(path.join(root, path.dirname(file)), link);
  }
}

function nameIn(file: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { name?: string }).name;
  } catch {
    return undefined;
  }
}

class Resolver {
  private readonly root: string;
  private readonly options = new Map<string, ts.CompilerOptions>();

  constructor(root: string) {
    this.root = root;
  }

  expected(file: string): Expected {
    const full = path.join(this.root, file);
    const source = ts.createSourceFile(full, readFileSync(full, 'utf8'), ts.ScriptTarget.Latest, true);
    const options = this.optionsFor(full);
    const must = new Set<string>();
    let open = 0;
    for (const specifier of specifiersIn(source)) {
      const found = ts.resolveModuleName(specifier, full, options, ts.sys).resolvedModule?.resolvedFileName;
      const inside = found === undefined ? undefined : path.relative(this.root, found);
      if (inside === undefined) open++;
      else if (inside !== file && !inside.startsWith('..') && !inside.includes('node_modules/')) must.add(inside);
    }
    return { must: [...must].map((one) => [one]), allowed: [], open };
  }

  private optionsFor(file: string): ts.CompilerOptions {
    const config = ts.findConfigFile(path.dirname(file), ts.sys.fileExists) ?? '';
    const known = this.options.get(config);
    if (known) return known;
    const host = { ...ts.sys, readDirectory: () => [] };
    const read = config === '' ? {} : ts.readConfigFile(config, ts.sys.readFile).config;
    const parsed = ts.parseJsonConfigFileContent(read ?? {}, host, path.dirname(config)).options;
    const options = {
      ...parsed,
      allowJs: true,
      resolveJsonModule: true,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
    };
    this.options.set(config, options);
    return options;
  }
}

function specifiersIn(source: ts.SourceFile): Set<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier && ts.isStringLiteralLike(specifier)) found.add(specifier.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function specifierOf(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return node.argument.literal;
  if (ts.isExternalModuleReference(node)) return node.expression;
  if (!ts.isCallExpression(node)) return undefined;
  const called = node.expression.getText();
  const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
  return isImport || called === 'require' || called === 'require.resolve' ? node.arguments[0] : undefined;
}

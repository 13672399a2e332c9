import path from 'node:path';
import { languageOf } from './languages/languages.ts';

/** What a file is for, as far as its path tells. */
export type FileRole =
  | 'source'
  | 'test'
  | 'example'
  | 'documentation'
  | 'vendored'
  | 'build output'
  | 'configuration'
  | 'data';

const words = (text: string): Set<string> => new Set(text.split(' '));

const VENDORED = words(
  'node_modules bower_components vendor vendored third_party 3rdparty extern externals site-packages deps _vendor',
);
const OUTPUT = words('dist htmlcov __pycache__ .next .nuxt .tox .nox .venv venv .eggs .cache');
/** Build output at the top of a repository; deeper, such names are code (`src/build`, `cmd/bin`). */
const TOP_OUTPUT = words('build out target bin obj coverage env');
const DOCUMENTATION = words('docs doc documentation site website changelog changelogs changes newsfragments man');
const EXAMPLES = words(
  'examples example samples sample demo demos benchmark benchmarks bench asv_bench jmh tutorials playground',
);
/** Below these a program is a part of the product whatever its folder is called: `src/doc`, `lib/demo`. */
const PRODUCT = words('src lib pkg internal app');
/** Translations of messages, by gettext's folder of them. */
const MESSAGES = 'lc_messages';
const TESTS = words(
  'test tests __tests__ testdata test-data __snapshots__ spec specs e2e fixtures __fixtures__ testfixtures unittest unittests',
);
const PROGRAMS = words(
  'vue svelte kt kts scala rs go java c h cc cpp cxx hpp hh hxx cs rb php swift m mm lua ex exs erl hs ml mli clj dart r jl sh bash sql proto pl pm zig nim groovy fs fsx vb cu f90 f95 for asm s el lisp coffee graphql',
);
const MANIFESTS = words(
  'package.json pyproject.toml setup.py setup.cfg go.mod cargo.toml pom.xml build.gradle build.gradle.kts tsconfig.json makefile cmakelists.txt gemfile composer.json dockerfile',
);
const TEXTS = words('md rst txt adoc markdown');

/** Judges a path by its folders and its name. Sources are what is left when nothing else fits. */
export function roleOf(file: string): FileRole {
  const base = path.posix.basename(file);
  const name = base.toLowerCase();
  const folders = file.toLowerCase().split('/').slice(0, -1);
  const within = (set: Set<string>): boolean => folders.some((folder) => set.has(folder));
  const top = folders[0] ?? '';
  if (within(VENDORED)) return 'vendored';
  if (isTestName(base) || testFolderAt(folders) >= 0) return 'test';
  if (within(OUTPUT) || TOP_OUTPUT.has(top) || isBuilt(name)) return 'build output';
  const outer = isProgram(name) ? aboveProduct(folders) : folders;
  if (outer.some((folder) => EXAMPLES.has(folder))) return 'example';
  if (outer.some((folder) => DOCUMENTATION.has(folder))) return 'documentation';
  if (folders.includes(MESSAGES)) return 'data';
  if (isConfiguration(name) || folders.some((folder) => folder.startsWith('.'))) return 'configuration';
  if (isProgram(name)) return 'source';
  return TEXTS.has(extension(name)) ? 'documentation' : 'data';
}

function aboveProduct(folders: string[]): string[] {
  const product = folders.findIndex((folder) => PRODUCT.has(folder));
  return product < 0 ? folders : folders.slice(0, product);
}

/** By its name; `vitest.config.ts` is a program that configures one. */
const isConfiguration = (name: string): boolean =>
  MANIFESTS.has(name) || name.startsWith('.') || /\.config\.[cm]?[jt]s$/.test(name);

/** The folder of a test file: the outermost that is named as one of tests, else the one that it is in. */
export function testFolderOf(file: string): string {
  const folders = file.split('/').slice(0, -1);
  const at = testFolderAt(folders.map((folder) => folder.toLowerCase()));
  const kept = at < 0 ? folders : folders.slice(0, at + 1);
  return kept.length === 0 ? '' : `${kept.join('/')}/`;
}

/** The first folder named as one of tests. Under `src/main` a package may be called so and be the product. */
function testFolderAt(folders: string[]): number {
  const main = folders.findIndex((folder, at) => folder === 'main' && folders[at - 1] === 'src');
  return folders.findIndex(
    (folder, at) => (TESTS.has(folder) && (main < 0 || at < main)) || (at === 0 && folder === 'testing'),
  );
}

export function isProgram(name: string): boolean {
  return PROGRAMS.has(extension(name)) || languageOf(name) !== undefined;
}

function extension(name: string): string {
  return path.posix.extname(name).slice(1).toLowerCase();
}

/** Minified, bundled, or another project's file with its version in the name (`jquery-3.5.1.js`). */
const isBuilt = (name: string): boolean =>
  /\.(?:min|bundle)\.(?:js|css|mjs)$/.test(name) || /-\d+\.\d+[\w.-]*\.(?:js|css)$/.test(name) || name.endsWith('.map');

function isTestName(name: string): boolean {
  if (name === 'conftest.py' || (name.startsWith('test_') && name.endsWith('.py'))) return true;
  if (/_(?:test|tests|spec)\.[a-z]+$/.test(name) || /\.(?:test|spec|cy)\.[cm]?[jt]sx?$/.test(name)) return true;
  return /[a-z0-9](?:Test|Tests|TestCase|IT)\.(?:java|kt|cs|php|scala|swift)$/.test(name);
}

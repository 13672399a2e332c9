import { describe, expect, test } from 'vitest';
import { readerOf } from './trees.ts';

const importsOf = (files: Record<string, string>, file: string) => {
  const { imports, unresolved } = readerOf(files).connected(file);
  return { imports, unresolved };
};

describe('imports of Python', () => {
  const tree = {
    'src/shop/__init__.py': 'from .cart import Cart\n',
    'src/shop/cart.py': '',
    'src/shop/prices/__init__.py': '',
    'src/shop/prices/tax.py': '',
    'src/shop/prices/sale.pyx': '',
    'space/plugin/tool.py': '',
    'scripts/run.py': 'import helper\n',
    'scripts/helper.py': '',
    'tests/helpers.py': '',
  };

  test.each([
    ['a module of a package', 'from shop.prices import tax', ['src/shop/prices/tax.py'], []],
    ['a name of a package', 'from shop.prices import rate', ['src/shop/prices/__init__.py'], []],
    ['a name of a module', 'from shop.prices.tax import rate as r', ['src/shop/prices/tax.py'], []],
    ['a dotted module', 'import shop.cart, os.path as p', ['src/shop/cart.py'], ['os.path']],
    ['a sibling', 'from . import cart', ['src/shop/cart.py'], []],
    ['a sibling without spaces', 'from.cart import(Cart)', ['src/shop/cart.py'], []],
    [
      'several lines in brackets',
      'from .prices import (  # both\n    tax,\n    sale,\n)',
      ['src/shop/prices/tax.py', 'src/shop/prices/sale.pyx'],
      [],
    ],
    ['a continued line', 'from .prices import \\\n    tax', ['src/shop/prices/tax.py'], []],
    ['inside a function', 'def f():\n    from .cart import Cart', ['src/shop/cart.py'], []],
    ['after a condition', 'try: import shop.cart\nexcept ImportError: pass', ['src/shop/cart.py'], []],
    ['after a semicolon', 'x = 1; import shop.cart', ['src/shop/cart.py'], []],
    ['everything', 'from shop.cart import *', ['src/shop/cart.py'], []],
    ['a namespace package', 'from space.plugin import tool', ['space/plugin/tool.py'], []],
    ['beyond the top', 'from .....nowhere import x', [], ['.....nowhere']],
    ['another package', 'import numpy as np', [], ['numpy']],
    ['in a docstring', '"""\nimport shop.cart\n"""\n', [], []],
    ['in a comment', '# import shop.cart', [], []],
    ['in a string', 'x = "\\"; import shop.cart"', [], []],
    ['a word that only begins so', 'importer = shop.cart\nfrom_x = 1', [], []],
    ['a raise from', 'raise ValueError(\n    1\n) from error', [], []],
    ['a name that begins with import', 'from .cart import_it', [], []],
  ])('%s', (_, code, imports, unresolved) => {
    expect(importsOf({ ...tree, 'src/shop/main.py': `${code}\n` }, 'src/shop/main.py')).toEqual({
      imports,
      unresolved,
    });
  });

  test('of a script lead to its neighbours', () => {
    expect(importsOf(tree, 'scripts/run.py').imports).toEqual(['scripts/helper.py']);
  });
});

describe('imports of JavaScript and TypeScript', () => {
  const tree = {
    'package.json': '{"name": "root", "imports": {"#config": "./src/config.ts", "#lib/*": "./src/lib/*.ts"}}',
    'tsconfig.json':
      '{\n  // paths\n  "extends": "./base.json",\n  "compilerOptions": {"paths": {"@/*": ["src/*"], "exact": ["./src/exact.ts"],},},\n}',
    'base.json': '{"compilerOptions": {"baseUrl": "."}}',
    'src/config.ts': '',
    'src/exact.ts': '',
    'src/lib/one.ts': '',
    'src/lib/index.ts': '',
    'src/view.tsx': '',
    'src/data.json': '{}',
    'src/types.d.ts': '',
    'packages/core/package.json':
      '{"name": "@acme/core", "exports": {".": {"import": "./dist/index.js"}, "./util/*": "./dist/util/*.js"}}',
    'packages/core/src/index.ts': '',
    'packages/core/src/util/text.ts': '',
    'packages/plain/package.json': '{"name": "plain", "main": "lib/main.js"}',
    'packages/plain/lib/main.js': '',
    'packages/styled/package.json':
      '{"name": "styled", "exports": {".": {"style": "./index.css", "browser": "./browser.js", "default": "./src/index.ts"}}}',
    'packages/styled/index.css': '',
    'packages/styled/browser.js': '',
    'packages/styled/src/index.ts': '',
  };

  test.each([
    ['a file with the extension it will have', "import { a } from './lib/one.js'", ['src/lib/one.ts']],
    ['a file without extension', "import a from './view'", ['src/view.tsx']],
    ['a folder', "export * from './lib'", ['src/lib/index.ts']],
    ['types alone', "import type { A } from './types'", ['src/types.d.ts']],
    ['for its effect', "import './config'", ['src/config.ts']],
    ['several lines', "import {\n  a,\n  type B,\n} from './config'", ['src/config.ts']],
    ['a default and names', "import a, { b as c } from './config'", ['src/config.ts']],
    ['when it is run', "const a = await import( './lib/one' )", ['src/lib/one.ts']],
    ['by require', "const { a } = require('./lib/one')", ['src/lib/one.ts']],
    ['by import and require', "import a = require('./config')", ['src/config.ts']],
    ['an alias of tsconfig', "import a from '@/lib/one'", ['src/lib/one.ts']],
    ['an exact alias', "import a from 'exact'", ['src/exact.ts']],
    ['from the base URL', "import a from 'src/config'", ['src/config.ts']],
    [
      'an import map of the package',
      "import a from '#config'\nimport b from '#lib/one'",
      ['src/config.ts', 'src/lib/one.ts'],
    ],
    ['a package of the workspace', "import a from '@acme/core'", ['packages/core/src/index.ts']],
    ['a subpath of a package', "import a from '@acme/core/util/text'", ['packages/core/src/util/text.ts']],
    ['a package by its main file', "import a from 'plain'", ['packages/plain/lib/main.js']],
    ['a folder that is a package', "require('../packages/plain')", ['packages/plain/lib/main.js']],
    ['the conditions that code is read under', "import a from 'styled'", ['packages/styled/src/index.ts']],
    ['a template without anything filled in', 'import(`./lib/one`)', ['src/lib/one.ts']],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the code under test.
    ['no template with something filled in', 'import(`./lib/${name}`)', []],
    ['data', "import a from './data.json' with { type: 'json' }", ['src/data.json']],
    ['with a query', "import a from './config?raw'", ['src/config.ts']],
    ['in a comment', "// import './config'\n/* import './config' */", []],
    ['in a template', "const a = `\nimport './config'\n`", []],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the code under test.
    ['in the code of a template', "const a = `x ${require('./config')} y`", ['src/config.ts']],
    ['in a string', 'const a = "import \'./config\'"', []],
    ['after a regular expression with a quote', "const a = /['\"]/\nimport './config'", ['src/config.ts']],
    ['as a property', "a.require('./config'); b.import('./config')", []],
  ])('%s', (_, code, imports) => {
    expect(importsOf({ ...tree, 'src/main.ts': code }, 'src/main.ts').imports).toEqual(imports);
  });

  test('of other packages and missing files are said to be unresolved', () => {
    expect(
      importsOf({ ...tree, 'src/main.ts': "import a from 'react'\nimport b from './gone'" }, 'src/main.ts').unresolved,
    ).toEqual(['react', './gone']);
  });
});

describe('what imports a file', () => {
  test('is listed, in cycles too', () => {
    const reader = readerOf({ 'a.py': 'import b\n', 'b.py': 'import a, c\n', 'c.py': 'import c\n' });
    expect(reader.connected('a.py')).toMatchObject({ imports: ['b.py'], importedBy: ['b.py'] });
    expect(reader.connected('c.py')).toMatchObject({ imports: [], importedBy: ['b.py'] });
    expect(reader.connected('c.py').text).toContain('imported by (1):\n  b.py');
  });

  test('is summed up for the whole repository', () => {
    const { text } = readerOf({
      'a.py': 'import c\n',
      'b.py': 'import c\n',
      'c.py': 'x = 1\n',
      'main.py': 'import a\n',
    }).connected();
    expect(text).toContain('4 files with imports that can be read, 3 imports between them.');
    expect(text).toContain('c.py by 2');
    expect(text).toContain('Entry points by name:\n  main.py');
  });

  test('of a file that is not there is an answer too', () => {
    expect(readerOf({ 'a.py': '' }).connected('zzz/nothing.rb').text).toContain('is no file of this repository');
  });
});

describe('files made to be slow', () => {
  test.each([
    ['from x import (', 'py'],
    ['from ', 'py'],
    ['from :', 'py'],
    ['import a,', 'py'],
    ['"""', 'py'],
    ["'\\", 'py'],
    ['export {', 'ts'],
    ['import a ', 'ts'],
    ['require(', 'ts'],
    ['`${', 'ts'],
    ['/*', 'ts'],
    ['a / b ', 'ts'],
    ['"', 'ts'],
    ['import {a,\n', 'ts'],
    ['{"a":', 'json'],
  ])('of %j again and again are read in time', { timeout: 15_000 }, (piece, extension) => {
    const text = piece.repeat(Math.floor(1_000_000 / piece.length));
    const name = extension === 'json' ? 'tsconfig.json' : `a.${extension}`;
    expect(readerOf({ [name]: text, 'b.py': 'import a\n' }).connected('b.py').path).toBe('b.py');
  });
});

test('a file that very many import stays within bounds', () => {
  const files = Object.fromEntries(
    Array.from({ length: 2500 }, (_, index) => [`m${index}.py`, 'import core\nimport outside\n']),
  );
  const { text, importedBy } = readerOf({ ...files, 'core.py': 'x = 1\n' }).connected('core.py');
  expect(importedBy).toHaveLength(2000);
  expect(text).toContain('imported by (2500):');
  expect(text.length).toBeLessThan(5000);
});

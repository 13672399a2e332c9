import { describe, expect, test } from 'vitest';
import type { Language } from '../../src/repository/languages/language.ts';
import { languageOf } from '../../src/repository/languages/languages.ts';
import { mask } from '../../src/repository/languages/mask.ts';
import { scanDefinitions } from '../../src/repository/outline/scan-definitions.ts';
import { readerOf } from './trees.ts';

describe('imports of other languages lead', () => {
  test.each([
    [
      'in Go to the folder of the package',
      {
        'go.mod': 'module example.com/shop // x\n',
        'cart/cart.go': 'package cart\n',
        'main.go':
          'package main\n\nimport (\n\t"fmt"\n\tc "example.com/shop/cart"\n)\n\nfunc main() { fmt.Println("example.com/shop/no") }\n',
      },
      'main.go',
      ['cart/'],
      ['fmt'],
    ],
    [
      'in Java to the class, whatever its source folder',
      {
        'core/src/main/java/org/acme/Cart.java': 'package org.acme;\n\npublic class Cart {}\n',
        'core/src/main/java/org/acme/tax/Rate.java': 'package org.acme.tax;\nclass Rate {}\n',
        'app/src/main/java/org/app/Main.java':
          'package org.app;\n\nimport org.acme.Cart;\nimport static org.acme.Cart.add;\nimport org.acme.tax.*;\nimport java.util.List;\n/* import org.acme.Gone; */\nclass Main {}\n',
      },
      'app/src/main/java/org/app/Main.java',
      ['core/src/main/java/org/acme/Cart.java', 'core/src/main/java/org/acme/tax/'],
      ['java.util.List'],
    ],
    [
      'in Kotlin to classes and to packages with functions',
      {
        'src/shop/Cart.kt': 'package shop\n\nclass Cart\n',
        'src/shop/util/Text.kt': 'package shop.util\n\nfun trimAll() {}\n',
        'src/Main.kt': 'package app\n\nimport shop.Cart\nimport shop.util.trimAll\nimport kotlin.math.max\n',
      },
      'src/Main.kt',
      ['src/shop/Cart.kt', 'src/shop/util/'],
      ['kotlin.math.max'],
    ],
    [
      'in Rust through crate, super, mod and other crates',
      {
        'shop/Cargo.toml': '[package]\nname = "my-shop"\n',
        'shop/src/lib.rs': 'mod cart;\npub mod tax;\n',
        'shop/src/cart.rs':
          "use crate::tax::{rate::Rate, self};\nuse super::tax as t;\nuse std::fmt;\nconst Q: char = '\"';\nfn f<'a>(x: &'a str) {}\n",
        'shop/src/tax/mod.rs': 'pub mod rate;\n',
        'shop/src/tax/rate.rs': 'pub struct Rate;\n',
        'cli/Cargo.toml': '[package]\nname = "cli"\n',
        'cli/src/main.rs': 'use my_shop::cart::Cart;\n',
      },
      'shop/src/cart.rs',
      ['shop/src/tax/rate.rs', 'shop/src/tax/mod.rs'],
      ['std::fmt'],
    ],
    [
      'in C and C++ to headers beside the file and in include folders',
      {
        'include/shop/cart.h': 'int add(void);\n',
        'src/local.h': '\n',
        'src/main.cpp': '#include "local.h"\n# include <shop/cart.h>\n#include <vector>\n// #include "gone.h"\n',
      },
      'src/main.cpp',
      ['src/local.h', 'include/shop/cart.h'],
      ['vector', 'gone.h'],
    ],
    [
      'in C# to the folder of the namespace',
      {
        'src/Shop/Cart.cs': 'namespace Acme.Shop;\n\npublic class Cart {}\n',
        'src/App/Main.cs':
          'using System;\nusing Acme.Shop;\nnamespace Acme.App { class Main { void F() { using (var x = y) {} } } }\n',
      },
      'src/App/Main.cs',
      ['src/Shop/'],
      ['System'],
    ],
    [
      'in Ruby beside the file and under lib',
      {
        'lib/shop/cart.rb': '',
        'lib/shop/tax.rb': '',
        'lib/shop.rb': "require 'json'\nrequire \"shop/cart\"\nrequire_relative 'shop/tax'\n# require 'shop/gone'\n",
      },
      'lib/shop.rb',
      ['lib/shop/cart.rb', 'lib/shop/tax.rb'],
      ['json'],
    ],
    [
      'in PHP to classes and included files',
      {
        'src/Cart.php': '<?php\nnamespace Acme\\Shop;\n\nclass Cart {}\n',
        'src/main.php':
          "<?php\nnamespace Acme\\App;\n\nuse Acme\\Shop\\Cart;\nuse Psr\\Log\\Logger as L;\nrequire_once __DIR__ . '/helpers.php';\n",
        'src/helpers.php': '<?php\n',
      },
      'src/main.php',
      ['src/Cart.php', 'src/helpers.php'],
      ['Psr\\Log\\Logger'],
    ],
  ])('%s', (_, files, file, imports, unresolved) => {
    const connections = readerOf(files as Record<string, string>).connected(file);
    expect({
      imports: connections.imports,
      unresolved: connections.unresolved.filter((name) => name !== 'gone.h'),
    }).toEqual({
      imports,
      unresolved: unresolved.filter((name) => name !== 'gone.h'),
    });
  });

  test('back to a file from those that import its package folder', () => {
    const reader = readerOf({
      'go.mod': 'module m\n',
      'cart/cart.go': 'package cart\n',
      'main.go': 'package main\nimport "m/cart"\n',
    });
    expect(reader.connected('cart/cart.go').importedBy).toEqual(['main.go']);
  });
});

const CODE: Record<string, string> = {
  'a.go':
    'package a\n\ntype Cart struct {\n\titems []int\n}\n\nfunc (c *Cart) Add(i int) error {\n\tif i > 0 {\n\t}\n\treturn nil\n}\n\nfunc New() *Cart {\n\treturn nil\n}\n',
  'A.java':
    'package a;\n\npublic class Cart {\n  private int n = 0;\n\n  public int add(int i) {\n    if (i > 0) {\n      call(i);\n    }\n    return i;\n  }\n}\n\ninterface New {\n}\n',
  'a.kt':
    'package a\n\ndata class Cart(val n: Int) {\n\n  suspend fun Add(i: Int): Int {\n    return i\n  }\n}\n\nfun New() {\n}\n',
  'a.rs':
    "pub struct Cart<'a> {\n    n: &'a str,\n}\n\nimpl Cart {\n    pub(crate) async fn add(&self) -> char {\n        '{'\n    }\n}\n\nfn new() {\n}\n",
  'a.c':
    'struct cart {\n  int class;\n};\n\nint cart_add(struct cart *this, int new)\n{\n  return this->class + new;\n}\n\nstatic struct cart *new_cart(void) {\n  return 0;\n}\n',
  'a.cpp': 'class Cart {\n};\n\nint Cart::Add(int i) {\n  return i;\n}\n\nstatic Cart *New(void) {\n  return 0;\n}\n',
  'A.cs':
    'namespace A {\n  public class Cart {\n    public async Task<int> Add(int i) {\n      return i;\n    }\n  }\n  interface New {\n  }\n}\n',
  'a.rb':
    'module Shop\n  class Cart\n    def self.add(i)\n      i.each do |x|\n        x\n      end\n    end\n  end\nend\n\ndef new\n  1\nend\n',
  'a.php':
    '<?php\nclass Cart {\n  public function add(int $i): int {\n    return $i;\n  }\n}\n\nfunction new_one() {\n}\n',
};

describe('definitions of other languages', () => {
  const wanted = [/cart/i, /add/i, /new/i];

  test.each(Object.keys(CODE))('are outlined in %s', async (path) => {
    const { definitions } = await readerOf({ [path]: CODE[path] as string }).outline(path);
    for (const name of wanted) expect(definitions.map((one) => one.name).join(' ')).toMatch(name);
  });

  test('of C are macros, types and variables too, and no use of a type', async () => {
    const text =
      '#define LIMIT 3\n#define MAX(a, b) (a)\ntypedef struct cart { int n; } cart_t;\ntypedef int (*callback)(void);\nstatic int table[2] = {1, 2};\nint use(struct point *p)\n{\n  struct point inner;\n  int local = 1;\n  return local;\n}\n';
    const { definitions, by } = await readerOf({ 'a.c': text }).outline('a.c');
    expect(by).toBe('tree-sitter');
    expect(definitions.map(({ name, kind }) => `${kind} ${name}`)).toEqual([
      'macro LIMIT',
      'macro MAX',
      'type cart_t',
      'struct cart',
      'type callback',
      'variable table',
      'function use',
    ]);
  });

  test('of Kotlin are objects, interfaces, constructors and the values of a file', async () => {
    const text =
      'package a\n\ntypealias Names = List<String>\n\nclass Cart(val n: Int) {\n  var total = 0\n  constructor() : this(1)\n  companion object Factory {\n    fun make() = Cart()\n  }\n}\n\nobject Single {\n}\n\nsealed interface Shape {\n  fun area(): Int\n}\n\nfun String.half(): Int = 1\nval TOP = 3\n';
    const { definitions, by } = await readerOf({ 'a.kt': text }).outline('a.kt');
    expect(by).toBe('tree-sitter');
    expect(definitions.map(({ name, kind, depth }) => `${depth} ${kind} ${name}`)).toEqual([
      '0 type Names',
      '0 class Cart',
      '1 method constructor',
      '1 class Factory',
      '2 function make',
      '0 class Single',
      '0 interface Shape',
      '1 function area',
      '0 function half',
      '0 variable TOP',
    ]);
  });

  test.each(Object.keys(CODE))('are scanned with the same lines in %s', async (path) => {
    const text = CODE[path] as string;
    const { definitions } = await readerOf({ [path]: text }).outline(path);
    const scanned = scanDefinitions(text, languageOf(path) as Language);
    const lines = scanned.map(({ name, startLine, endLine }) => `${name} ${startLine}-${endLine}`);
    for (const name of wanted) {
      const one = definitions.find((definition) => name.test(definition.name)) as (typeof definitions)[number];
      const simple = one.name.split('::').at(-1);
      expect(lines).toContain(`${simple} ${one.startLine}-${one.endLine}`);
    }
  });
});

test('masking keeps length and line ends in every language', () => {
  const hostile = [
    '"\n',
    "'",
    '`${',
    '/*\n*/',
    '//x\n',
    '"""\n',
    'r#"\n',
    '@"',
    '\\',
    '#',
    '\n=begin\n',
    '{',
    '}',
    "'a'",
    'R"(\n',
  ];
  for (const extension of ['py', 'js', 'go', 'java', 'kt', 'rs', 'c', 'cpp', 'cs', 'rb', 'php']) {
    const { syntax } = languageOf(`a.${extension}`) as Language;
    for (let seed = 0; seed < 300; seed++) {
      const text = Array.from(
        { length: 20 },
        (_, at) => hostile[(seed * 7 + at * at * (seed % 11) + at) % hostile.length],
      ).join('');
      const { code } = mask(text, syntax);
      expect(code.length).toBe(text.length);
      expect(code.replace(/[^\n]/g, '')).toBe(text.replace(/[^\n]/g, ''));
    }
  }
});

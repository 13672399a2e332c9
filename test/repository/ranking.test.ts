import { describe, expect, test } from 'vitest';
import { issueSignals } from '../../src/repository/ranking/issue-signals.ts';
import { readerOf } from './trees.ts';

const shop = {
  'shop/cart.py':
    'class Cart:\n    def add_item(self, item):\n        self.items.append(item)\n\n    def total_price(self):\n        return sum(i.price for i in self.items)\n',
  'shop/tax.py': 'def tax_rate(country):\n    """Tax of a country."""\n    return RATES[country]\n',
  'shop/mail.py': 'def send_receipt(order):\n    raise ValueError("order has no address to send to")\n',
  'shop/__init__.py': 'from .cart import Cart\n',
  'tests/test_tax.py': 'def test_tax_rate():\n    tax_rate("NL")\n',
  'docs/tax_rate.py': 'tax_rate\n',
  'web/checkout.ts': 'export function placeOrder(cart: Cart) {\n  return post("/orders", cart)\n}\n',
};
const first = (issue: string) => readerOf(shop).rank(issue, 3)[0];

describe('the lexical ranking', () => {
  test.each([
    ['a name in backticks', 'Wrong result\n\n`tax_rate` gives 21 instead of 9', 'shop/tax.py'],
    ['words split from names', 'The total price of a cart is wrong', 'shop/cart.py'],
    ['a dotted name', 'Cart.add_item loses items', 'shop/cart.py'],
    ['a path', 'Wrong rounding\n\nI think it is in shop/tax.py', 'shop/tax.py'],
    [
      'a stack trace of Python',
      'Crash\n\n  File "/app/shop/cart.py", line 3, in add_item\n  File "/app/shop/tax.py", line 3, in tax_rate\nKeyError',
      'shop/tax.py',
    ],
    [
      'a stack trace of JavaScript',
      'Crash\n\n    at placeOrder (/app/web/checkout.ts:2:10)\n    at main (/app/node_modules/x/index.js:1:1)',
      'web/checkout.ts',
    ],
    ['the words of an error message', 'Crash\n\nValueError: order has no address to send to', 'shop/mail.py'],
  ])('follows %s', (_, issue, path) => {
    const suspect = first(issue);
    expect(suspect?.path).toBe(path);
    expect(suspect?.reasons.length).toBeGreaterThan(0);
  });

  test('follows a command that only a decorator names, and not the project by its own name', () => {
    const noise = 'class Shop:\n    # The shop. A shop has domains; shop domain, shop domains.\n    pass\n';
    const command =
      'import click\n\n\ndef first():\n    pass\n\n\n@click.command("routes", short_help="x")\n@click.option(\n    "--sort",\n)\ndef list_all():\n    print("Endpoint")\n';
    const files = {
      'src/shop/shop.py': noise,
      'src/shop/cli.py': command,
      'src/shop/mail.py': 'def send():\n    pass\n',
    };
    const [best] = readerOf(files).rank('Shop routes should show the endpoint\n\nWhen I run shop routes …', 3);
    expect(best?.path).toBe('src/shop/cli.py');
    expect(best?.definitions[0]?.name).toBe('list_all');
    expect(best?.reasons).toContain('it defines what a decorator names `routes`');
  });

  test('takes the forms of a word for one', () => {
    const files = { 'a.py': 'def other():\n    pass\n', 'b.py': 'def route():\n    pass\n' };
    for (const word of ['routes', 'routed', 'routing'])
      expect(readerOf(files).rank(`Wrong ${word} again`, 1)[0]?.path).toBe('b.py');
  });

  test('names the definitions with their lines', () => {
    expect(first('`tax_rate` is wrong')?.definitions[0]).toEqual({ name: 'tax_rate', startLine: 1, endLine: 3 });
  });

  test('says why, so that a person can judge', () => {
    expect(first('Cart.add_item loses items')?.reasons).toContain('it defines `Cart.add_item`');
  });

  test('never names tests, documentation or examples', () => {
    const paths = readerOf(shop)
      .rank('tax_rate test_tax_rate', 10)
      .map(({ path }) => path);
    expect(paths).toContain('shop/tax.py');
    expect(paths.filter((path) => path.startsWith('tests/') || path.startsWith('docs/'))).toEqual([]);
  });

  test('works in a language that it does not know', () => {
    const files = { 'lib/parser.zig': 'fn parseHeader(x) {\n}\n', 'lib/writer.zig': 'fn writeBody(x) {\n}\n' };
    expect(readerOf(files).rank('parseHeader fails on long input', 1)[0]?.path).toBe('lib/parser.zig');
  });

  test('of an empty issue or an empty repository is empty', () => {
    expect(readerOf(shop).rank('', 5)).toEqual([]);
    expect(readerOf({}).rank('something', 5)).toEqual([]);
  });
});

describe('what an issue says about places', () => {
  test.each([
    ['Python', '  File "/usr/lib/a/b.py", line 12, in f', { path: 'usr/lib/a/b.py', line: 12 }],
    ['pytest', 'src/a/b.py:12: in f', { path: 'src/a/b.py', line: 12 }],
    ['Node', '    at Object.f (/app/src/b.ts:12:5)', { path: 'app/src/b.ts', line: 12 }],
    ['Node without a name', '    at file:///app/src/b.mjs:12:5', { path: 'app/src/b.mjs', line: 12 }],
    ['Java', '\tat org.acme.shop.Cart.add(Cart.java:12)', { path: 'org/acme/shop/Cart.java', line: 12 }],
    ['Go', '\t/home/u/src/b.go:12 +0x1d', { path: 'home/u/src/b.go', line: 12 }],
    ['Rust', '  --> src/b.rs:12:5', { path: 'src/b.rs', line: 12 }],
    ['Ruby', "\tfrom lib/b.rb:12:in `f'", { path: 'lib/b.rb', line: 12 }],
    ['C#', '   at Acme.Cart.Add() in C:\\src\\Cart.cs:line 12', { path: 'src/Cart.cs', line: 12 }],
    ['PHP', '#0 /app/src/Cart.php(12): add()', { path: 'app/src/Cart.php', line: 12 }],
    ['C++', '#1 0x55 in f() /app/src/b.cpp:12', { path: 'app/src/b.cpp', line: 12 }],
  ])('has the stack frames of %s', (_, line, frame) => {
    expect(issueSignals(`Crash\n\n${line}\n`).frames).toEqual([frame]);
  });

  test('is read in time from a text made to be slow', { timeout: 10_000 }, () => {
    for (const piece of ['a.', '/', 'a/b.py:', '`', '(', '"', '\\', 'A_', '~'])
      issueSignals(piece.repeat(60_000 / piece.length));
    expect(readerOf(shop).rank('a.b.'.repeat(15_000), 3)).toBeDefined();
  });
});

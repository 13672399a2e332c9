import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openRepository, type RepositoryOptions } from '../../src/repository/open-repository.ts';
import { makeTree, numbered } from './trees.ts';

function opened(files: Record<string, string | Buffer>, options?: RepositoryOptions) {
  const repository = openRepository(makeTree(files), options);
  onTestFinished(() => repository.close());
  return repository;
}

describe('an opened repository', () => {
  test('answers calls made at the same time', async () => {
    const repository = opened({ 'a.py': 'def fall():\n    pass\n', 'b.py': 'import a\n' });
    const [tree, view, search, connected, outline, suspects, citation, location] = await Promise.all([
      repository.tree(),
      repository.view('a.py', { startLine: 1, endLine: 1 }),
      repository.search('def', { path: 'a.py' }),
      repository.connected(),
      repository.outline('a.py'),
      repository.rank('fall is broken', 3),
      repository.checkCitation({ kind: 'repository', path: 'a.py', symbol: 'fall', startLine: 1, endLine: 2 }),
      repository.checkLocation({ path: 'a.py', startLine: 1, endLine: 9 }),
    ]);
    expect(tree.files).toBe(2);
    expect(view.range).toEqual({ startLine: 1, endLine: 1 });
    expect(search.matches).toBe(1);
    expect(connected.text).toContain('a.py by 1');
    expect(outline.definitions).toHaveLength(1);
    expect(suspects[0]?.path).toBe('a.py');
    expect([citation.verdict, location.verdict]).toEqual(['confirmed', 'corrected']);
  });

  test('leaves the event loop free while it works', async () => {
    const repository = opened(
      Object.fromEntries(
        Array.from({ length: 300 }, (_, i) => [`m${i}.py`, numbered(500, (n) => `def name_${n}(): return other_${n}`)]),
      ),
    );
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    onTestFinished(() => clearInterval(timer));
    await repository.rank('name_3 is broken', 3);
    expect(turns).toBeGreaterThan(10);
  });

  test('gives up a call that takes too long, and answers the next', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [`m${i}.py`, numbered(2000, (n) => `def name_${n}(): return other_${n}`)]),
    );
    const repository = opened(files, { callSeconds: 0.001 });
    await expect(repository.rank('name_3', 3)).rejects.toMatchObject({ code: 'repository-timed-out' });
    await expect(repository.tree()).rejects.toMatchObject({ reason: 'timed-out' });
  });

  test('survives running out of memory', { timeout: 60_000 }, async () => {
    const files = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`m${i}.py`, numbered(20_000, (n) => `word_${n}_${i}x = other_${n}_${i}`)]),
    );
    const repository = opened(files, { memoryMegabytes: 24 });
    await expect(repository.rank('word', 3)).rejects.toMatchObject({ code: 'repository-crashed' });
    expect((await repository.checkLocation({ path: 'm1.py', startLine: 1, endLine: 1 })).verdict).toBe('confirmed');
  });

  test('of a folder that is not there says so, with a remedy', async () => {
    const repository = openRepository('/nowhere/at/all');
    onTestFinished(() => repository.close());
    await expect(repository.tree()).rejects.toMatchObject({
      code: 'repository-unreadable',
      remedy: expect.stringContaining('checkout'),
    });
  });

  test('refuses calls after it was closed, and ends those that wait', async () => {
    const repository = opened({ 'a.py': 'x\n' });
    const waiting = repository.tree();
    const ended = expect(waiting).rejects.toMatchObject({ reason: 'closed' });
    await repository.close();
    await ended;
    await expect(repository.tree()).rejects.toMatchObject({ reason: 'closed' });
  });

  test('reads deep folders, odd names and devices without harm', async () => {
    const deep = `${'d/'.repeat(200)}deep.py`;
    const tree = makeTree({ [deep]: 'x\n', 'a b\n"c".py': 'needle\n', 'ok.py': 'x\n' });
    fs.writeFileSync(
      Buffer.concat([Buffer.from(`${tree}${path.sep}`), Buffer.from([0xff, 0xfe]), Buffer.from('.py')]),
      'x\n',
    );
    const repository = openRepository(tree);
    onTestFinished(() => repository.close());
    expect((await repository.tree()).files).toBe(2);
    expect((await repository.search('needle')).files).toBe(1);
    expect((await repository.view('a b\n"c".py')).text).toContain('"a b\\n\\"c\\".py", lines 1-1 of 1');
  });
});

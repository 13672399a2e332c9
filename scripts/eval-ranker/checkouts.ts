import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Checks commits of clones out into a folder of its own; the clones are only read. */
export class Checkouts {
  private readonly repos: string;
  private readonly folder = mkdtempSync(join(tmpdir(), 'fathom-eval-ranker-'));

  constructor(repos: string) {
    this.repos = resolve(repos);
  }

  /** The git directory of `owner/name`, or undefined where there is none. */
  gitDir(repository: string): string | undefined {
    const clone = join(this.repos, repository.replace('/', '+'));
    const places = [join(clone, '.git'), join(clone, 'repo', '.git'), clone, join(clone, 'repo')];
    return places.find((place) => existsSync(join(place, 'HEAD')) && existsSync(join(place, 'objects')));
  }

  /** A folder with the files of a commit; the next commit of the same repository changes it. */
  at(repository: string, commit: string): string {
    const gitDir = this.gitDir(repository);
    if (gitDir === undefined) throw new Error(`no clone of ${repository} in ${this.repos}`);
    const name = repository.replace('/', '+');
    const tree = join(this.folder, name);
    mkdirSync(tree, { recursive: true });
    const attributes = join(this.folder, 'attributes');
    writeFileSync(attributes, '* -text -eol -ident -filter -working-tree-encoding\n');
    const settings = ['core.hooksPath=/dev/null', 'core.fsmonitor=false', `core.attributesFile=${attributes}`];
    execFileSync('git', [...settings.flatMap((setting) => ['-c', setting]), 'read-tree', '--reset', '-u', commit], {
      stdio: ['ignore', 'ignore', 'pipe'],
      cwd: tree,
      env: {
        PATH: process.env['PATH'],
        GIT_DIR: gitDir,
        GIT_WORK_TREE: tree,
        GIT_INDEX_FILE: join(this.folder, `${name}.index`),
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_CONFIG_NOSYSTEM: '1',
      },
    });
    return tree;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

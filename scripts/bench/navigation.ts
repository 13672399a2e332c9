import { execFile } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { rgPath } from '@vscode/ripgrep';
import { openRepository } from '../../src/repository/open-repository.ts';
import type { Repository } from '../../src/repository/repository.ts';
import { Checkouts } from '../eval-ranker/checkouts.ts';
import { alternate, type Measured } from './alternate.ts';
import { childProcesses, peakKibibytes } from './peak-memory.ts';

const ROUNDS = 5;
const run = promisify(execFile);

const SUBJECTS = [
  {
    repository: 'sympy/sympy',
    queries: ['simplify', 'cannot be determined'],
    issue: 'simplify(x**2) loses assumptions\n\n`Pow._eval_simplify` returns a wrong result for negative bases.',
  },
  {
    repository: 'spring-projects/spring-framework',
    queries: ['getBean', 'no qualifying bean'],
    issue:
      'Circular reference with @Async\n\n`AbstractAutowireCapableBeanFactory.doCreateBean` throws for a proxied bean.',
  },
];

/** Reading large checkouts: time, the reading process's memory, and how long the caller's event loop was held. */
export async function benchNavigation({ repos, beside }: { repos?: string; beside?: string }): Promise<Measured[]> {
  if (repos === undefined) {
    process.stderr.write('bench: navigation skipped, it needs --repos DIR\n');
    return [];
  }
  const checkouts = new Checkouts(repos);
  const measured: Measured[] = [];
  for (const subject of SUBJECTS) {
    if (checkouts.gitDir(subject.repository) === undefined)
      process.stderr.write(`bench: no clone of ${subject.repository} in ${repos}, skipped\n`);
    else measured.push(...(await benchCheckout(subject, checkouts.at(subject.repository, 'HEAD'), beside)));
  }
  checkouts.remove();
  return measured;
}

async function benchCheckout(
  subject: (typeof SUBJECTS)[number],
  tree: string,
  beside: string | undefined,
): Promise<Measured[]> {
  const name = (what: string): string => `${subject.repository.split('/')[1]?.split('-')[0]}: ${what}`;
  const watch = new Watch();
  const cold = (what: string, act: (repository: Repository) => Promise<unknown>) => async () => {
    const repository = openRepository(tree, { callSeconds: 300 });
    await watch.during(name(what), () => act(repository));
    await repository.close();
  };
  const other = (action: string) => async () => await run(process.execPath, [beside ?? '', action, tree], BUFFER);
  const opened = openRepository(tree, { callSeconds: 300 });
  await opened.rank(subject.issue, 10);
  const actions: Record<string, () => Promise<unknown>> = {
    [name('import graph, cold')]: cold('import graph, cold', (repository) => repository.connected()),
    [name('a second of nothing')]: () => watch.during(name('a second of nothing'), () => setTimeout(1000)),
    ...(beside === undefined ? {} : { [name('import graph, beside')]: other('graph') }),
    [name('tree, cold')]: cold('tree, cold', (repository) => repository.tree()),
    ...(beside === undefined ? {} : { [name('tree, beside')]: other('tree') }),
    [name('rank, cold')]: cold('rank, cold', (repository) => repository.rank(subject.issue, 10)),
    [name('rank, again')]: () => opened.rank(subject.issue, 10),
  };
  for (const query of subject.queries) {
    actions[name(`search "${query}"`)] = () => opened.search(query);
    actions[name(`rg "${query}", all lines`)] = () => run(rgPath, [...RIPGREP, query, '.'], { ...BUFFER, cwd: tree });
  }
  const times = await alternate(ROUNDS, actions);
  await opened.close();
  return [...times, ...watch.measured()];
}

const BUFFER = { maxBuffer: 2 ** 30 };
const RIPGREP = ['--fixed-strings', '--ignore-case', '--line-number', '--hidden', '--no-ignore', '--glob=!.git'];

/** Peak memory of the process that an action started, and the longest delay of this process's event loop meanwhile. */
class Watch {
  private readonly memory = new Map<string, number[]>();
  private readonly delay = new Map<string, number[]>();

  async during(name: string, act: () => Promise<unknown>): Promise<void> {
    const before = new Set(childProcesses());
    const loop = monitorEventLoopDelay({ resolution: 2 });
    loop.enable();
    await act();
    loop.disable();
    const started = childProcesses().filter((pid) => !before.has(pid));
    push(this.memory, name, Math.max(0, ...started.map(peakKibibytes)) / 1024);
    push(this.delay, name, loop.max / 1e6);
  }

  /** Without the first round, which does not count. */
  measured(): Measured[] {
    const memory = [...this.memory].map(([name, values]) => ({
      name: `${name}: memory`,
      unit: 'MiB' as const,
      values,
    }));
    const delay = [...this.delay].map(([name, values]) => ({
      name: `${name}: loop delay`,
      unit: 'ms' as const,
      values,
    }));
    return [...memory, ...delay].map((one) => ({ ...one, values: one.values.slice(1) }));
  }
}

function push(map: Map<string, number[]>, key: string, value: number): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}

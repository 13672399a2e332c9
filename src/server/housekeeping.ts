import type { JobsLog } from '../jobs/worker-ports.ts';

export interface Chore {
  name: string;
  everySeconds: number;
  /** Says how much there was to do. */
  run(): Promise<number>;
}

/** Does each chore now and then again and again, never twice at once. Gives the function that ends it. */
export function startHousekeeping(chores: Chore[], log: JobsLog): () => Promise<void> {
  const running = new Set<Promise<void>>();
  const busy = new Set<string>();
  const start = (chore: Chore) => {
    if (busy.has(chore.name)) return;
    busy.add(chore.name);
    const work = attempt(chore, log).finally(() => {
      busy.delete(chore.name);
      running.delete(work);
    });
    running.add(work);
  };
  const timers = chores.map((chore) => setInterval(() => start(chore), chore.everySeconds * 1000));
  for (const chore of chores) start(chore);
  return async () => {
    for (const timer of timers) clearInterval(timer);
    await Promise.all(running);
  };
}

async function attempt(chore: Chore, log: JobsLog): Promise<void> {
  try {
    const count = await chore.run();
    if (count > 0) log.info({ chore: chore.name, count }, 'housekeeping');
  } catch (err) {
    log.warn({ chore: chore.name, err }, 'housekeeping failed; it is tried again later');
  }
}

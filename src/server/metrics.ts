import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Publisher } from '../domain/ports/publisher.ts';
import type { RunEvent } from '../domain/run-events.ts';
import type { QueueDepth } from '../jobs/queue.ts';
import type { DiskCaps } from './disk-caps.ts';

export interface Metrics {
  /** Counts what the runs of this process tell. */
  publisher: Publisher;
  /** In Prometheus's text format. */
  text(): Promise<string>;
  contentType: string;
}

export interface MetricsSources {
  depth(): Promise<QueueDepth>;
  /** Runs that this process works on. */
  active(): number;
  /** Containers of this process that run now; undefined where nobody knows. */
  containers(): Promise<number | undefined>;
  disk: Pick<DiskCaps, 'caps' | 'used'>;
}

/** Metrics of one process. No label names a repository, an issue or a person. */
export function createMetrics(sources: MetricsSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  queueGauges(registry, sources);
  machineGauges(registry, sources);
  const count = runCounters(registry);
  return {
    publisher: { publish: (_run, event) => count(event), flush: async () => undefined },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function queueGauges(registry: Registry, sources: MetricsSources): void {
  const of = (name: string, help: string) => new Gauge({ name, help, registers: [registry] });
  const waiting = of('fathom_queue_waiting', 'Issues that wait for a worker.');
  const running = of('fathom_queue_running', 'Issues that a worker acts on, over all processes.');
  const dead = of('fathom_queue_dead', 'Issues that were given up and wait to be told so.');
  const oldest = of('fathom_queue_oldest_seconds', 'Age of the issue that waits longest.');
  new Gauge({
    name: 'fathom_runs_active',
    help: 'Runs that this process works on.',
    registers: [registry],
    async collect() {
      this.set(sources.active());
      // Without the database the rest is worth all the more.
      const depth = await sources.depth().catch(() => undefined);
      if (depth === undefined) return;
      waiting.set(depth.waiting);
      running.set(depth.running);
      dead.set(depth.dead);
      oldest.set(depth.oldestSeconds);
    },
  });
}

function machineGauges(registry: Registry, { containers, disk }: MetricsSources): void {
  const registers = [registry];
  new Gauge({
    name: 'fathom_containers',
    help: 'Containers that run for this process.',
    registers,
    async collect() {
      const count = await soon(containers());
      // An engine that does not answer is told by the absence of the number.
      if (count === undefined) this.reset();
      else this.set(count);
    },
  });
  const labelNames = ['kind'];
  const used = {
    name: 'fathom_disk_bytes',
    help: 'What is kept on the disk, as last looked at.',
    labelNames,
    registers,
  };
  new Gauge({
    ...used,
    collect() {
      for (const [kind, bytes] of Object.entries(disk.used())) this.set({ kind }, bytes);
    },
  });
  const cap = new Gauge({ name: 'fathom_disk_cap_bytes', help: 'What may be kept.', labelNames, registers });
  for (const [kind, bytes] of Object.entries(disk.caps)) cap.set({ kind }, bytes);
}

const SOON_MS = 2000;

/** Undefined where it fails or takes too long for a scraper. */
async function soon<T>(work: Promise<T>): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(resolve, SOON_MS, undefined);
  const result = await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
  return result;
}

function runCounters(registry: Registry): (event: RunEvent) => void {
  const registers = [registry];
  const runs = new Counter({ name: 'fathom_runs_total', help: 'Runs by end.', labelNames: ['end'], registers });
  const stages = new Histogram({
    name: 'fathom_stage_seconds',
    help: 'Seconds of each stage.',
    labelNames: ['stage'],
    buckets: [1, 5, 15, 60, 180, 600, 1800, 3600],
    registers,
  });
  const tokens = new Counter({
    name: 'fathom_tokens_total',
    help: 'Tokens by kind: cached is part of input, reasoning of output.',
    labelNames: ['kind', 'role'],
    registers,
  });
  const usd = new Counter({ name: 'fathom_usd_total', help: 'US dollars.', labelNames: ['role'], registers });
  return (event) => {
    if (event.type === 'run-finished') runs.inc({ end: event.end.kind });
    if (event.type === 'stage-finished' && !event.resumed) stages.observe({ stage: event.stage }, event.seconds);
    if (event.type !== 'agent-finished') return;
    const { role, spent } = event;
    usd.inc({ role }, spent.usd);
    for (const kind of ['input', 'cached', 'output', 'reasoning'] as const) {
      tokens.inc({ kind, role }, spent.tokens[kind]);
    }
  };
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TrajectoryEntry, TrajectoryStore } from '../domain/ports/trajectory-store.ts';
import { appendLine } from './folder-ledger.ts';

/** Transcripts in `folder`, one file an agent, one JSON object a line, appended as it happens. */
export function createFolderTrajectories(folder: string): TrajectoryStore {
  const fileOf = (agent: string) => join(folder, `${agent}.jsonl`);
  const queues = new Map<string, Promise<void>>();
  return {
    append: (_run, agent, entry) => {
      const next = (queues.get(agent) ?? Promise.resolve()).then(() => appendLine(fileOf(agent), entry));
      queues.set(
        agent,
        next.catch(() => undefined),
      );
      return next;
    },
    read: (_run, agent) => readEntries(fileOf(agent)),
  };
}

async function readEntries(path: string): Promise<TrajectoryEntry[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
  // The last line may be half written if the machine stopped in the middle of it.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TrajectoryEntry);
}

import { z } from 'zod';
import { loadConfig } from '../config.ts';
import { InputError } from '../domain/errors.ts';
import { RunDetails, RunSummary } from '../jobs/operations.ts';
import { spending } from '../report/amounts.ts';
import { askServer } from './admin-client.ts';
import { exitCodes } from './exit-codes.ts';

export interface RunsFlags {
  json?: boolean;
  limit?: string;
}

type Write = (text: string) => void;
const toStdout: Write = (text) => void process.stdout.write(`${text}\n`);

/** `fathom runs list`: the newest runs of the running server. Gives the process's exit code, as the others do. */
export async function listRunsCommand(flags: RunsFlags, write = toStdout): Promise<number> {
  const limit = limitOf(flags.limit ?? '30');
  const runs = await askServer(loadConfig().dataDir, 'GET', `/runs?limit=${limit}`, z.array(RunSummary));
  if (flags.json) write(JSON.stringify(runs, null, 2));
  else write(runs.length === 0 ? 'No runs yet.' : table(runs.map(columns)));
  return exitCodes.done;
}

function limitOf(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  const message = `"${text}" is not a number of runs`;
  throw new InputError([{ source: '--limit', message, remedy: 'Give how many to list, from 1.' }]);
}

/** `fathom runs show ID`. */
export async function showRunCommand(id: string, flags: RunsFlags, write = toStdout): Promise<number> {
  const run = await askServer(loadConfig().dataDir, 'GET', `/runs/${encodeURIComponent(id)}`, RunDetails);
  write(flags.json ? JSON.stringify(run, null, 2) : details(run));
  return exitCodes.done;
}

/** `fathom runs stop ID` and `fathom runs retry ID`. */
export async function actOnRunCommand(verb: 'stop' | 'retry', id: string, write = toStdout): Promise<number> {
  const run = await askServer(loadConfig().dataDir, 'POST', `/runs/${encodeURIComponent(id)}/${verb}`, RunSummary);
  write(verb === 'stop' ? `Run ${run.id} is being stopped.` : `Run ${run.id} goes on after its last finished stage.`);
  return exitCodes.done;
}

const header = ['RUN', 'ISSUE', 'MODE', 'ASKED BY', 'STATE', 'SINCE'];

const columns = (run: RunSummary): string[] => [
  run.id,
  run.issue,
  run.mode,
  printable(run.actor),
  stateOf(run),
  run.createdAt.slice(0, 16).replace('T', ' '),
];

/** A run that was interrupted and waits for its turn again is said to wait. */
const stateOf = (run: RunSummary): string =>
  run.end ?? (run.position === undefined ? run.state : `waiting (number ${run.position})`);

function table(rows: string[][]): string {
  const all = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return all.map((row) => line(row).trimEnd()).join('\n');
}

function details(run: RunDetails): string {
  const lines: [string, string | undefined][] = [
    ['run', run.id],
    ['issue', `${run.issue}: ${printable(run.title)}`],
    ['mode', run.mode],
    ['asked by', printable(run.actor)],
    ['state', run.position === undefined ? run.state : stateOf(run)],
    ['end', run.end && (run.detail ? `${run.end}, ${printable(run.detail)}` : run.end)],
    ['finished', run.finished.join(', ') || 'no stage yet'],
    ['attempts', `${run.attempt}${run.worker ? ` (now on ${run.worker})` : ''}`],
    ['spent', spending(run.spent)],
    ['asked for', run.createdAt],
    ['ended', run.endedAt],
  ];
  return lines
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name.padEnd(10)} ${value}`)
    .join('\n');
}

/** Text from an issue must not drive the terminal. */
const printable = (text: string): string => text.replace(/\p{Cc}|\p{Cf}/gu, ' ');

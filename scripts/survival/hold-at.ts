// Loaded into a server before anything else (`node --import`): once it has written the log line that the file named in
// this module's address asks for, the process holds still until it is killed, however slow this machine is.
import fs from 'node:fs';
import type { Hold } from './hold.ts';

const file = new URL(import.meta.url).searchParams.get('file') ?? '';
const STANDARD_OUTPUT = 1;
const write = fs.write as (...args: unknown[]) => void;

// Pino writes its lines with this function of this module. To be told at once keeps each line apart from the next one.
fs.write = ((...args: unknown[]) => {
  const [fd, text] = args;
  const done = args.at(-1);
  if (fd !== STANDARD_OUTPUT || typeof text !== 'string' || typeof done !== 'function') return write(...args);
  done(...attempt(text));
}) as typeof fs.write;

/** What is said to whoever asked: an error, or how much was written. Pino tries again where the pipe is full. */
function attempt(text: string): [unknown, number, string] {
  try {
    const written = fs.writeSync(STANDARD_OUTPUT, text);
    for (const line of text.split('\n')) look(line);
    return [null, written, text];
  } catch (error) {
    return [error, 0, text];
  }
}

function look(text: string): void {
  const wanted = holdIn(file);
  const line = parsed(text);
  if (wanted === undefined || !String(line['issue']).endsWith(wanted.issue)) return;
  if (Object.entries(wanted.line).some(([name, value]) => line[name] !== value)) return;
  void holdAfter(wanted.turns);
}

/** Work on the embedded database goes on without ever returning to the event loop, so turns are counted, not time. */
async function holdAfter(turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await undefined;
  process.kill(process.pid, 'SIGSTOP');
}

function holdIn(path: string): Hold | undefined {
  try {
    return JSON.parse(fs.readFileSync(path, 'utf8')) as Hold;
  } catch {
    // Nothing is asked for.
    return undefined;
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

// Loaded into a server before anything else (`node --import`): once it has written the log line that the file named in
// this module's address asks for, the process holds still until it is killed, however slow this machine is.
import fs from 'node:fs';
import type { Hold } from './hold.ts';

const file = new URL(import.meta.url).searchParams.get('file') ?? '';
const write = fs.writeSync;
const STANDARD_OUTPUT = 1;

// Pino writes its lines with this function of this module.
fs.writeSync = ((...args: Parameters<typeof write>) => {
  const written = write(...args);
  if (args[0] === STANDARD_OUTPUT && typeof args[1] === 'string') for (const line of args[1].split('\n')) look(line);
  return written;
}) as typeof write;

function look(text: string): void {
  const wanted = holdIn(file);
  const line = parsed(text);
  if (wanted === undefined || !String(line['issue']).endsWith(wanted.issue)) return;
  if (Object.entries(wanted.line).some(([name, value]) => line[name] !== value)) return;
  const hold = () => process.kill(process.pid, 'SIGSTOP');
  if (wanted.afterMs === 0) hold();
  else setTimeout(hold, wanted.afterMs);
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

import { readFileSync } from 'node:fs';

/** The most memory that a process has held so far, in KiB; 0 once it has ended, and where there is no /proc. */
export const peakKibibytes = (pid: number): number => kibibytesOf(pid, /^VmHWM:\s+(\d+)/m);

/** The memory that a process holds now, in KiB; 0 as above. */
export const residentKibibytes = (pid: number): number => kibibytesOf(pid, /^VmRSS:\s+(\d+)/m);

function kibibytesOf(pid: number, line: RegExp): number {
  try {
    return Number(line.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    // It has just ended.
    return 0;
  }
}

/** Processes that this process has started and that still run. */
export function childProcesses(): number[] {
  try {
    const text = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8');
    return text.split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** A name of a run or an agent as a folder's name: nothing in it can climb out, and different names stay different. */
export function folderName(name: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,79}$/.test(name)) return name;
  const readable = name.replaceAll(/[^\w-]/g, '-').slice(0, 40);
  return `${readable}-${createHash('sha256').update(name).digest('hex').slice(0, 12)}`;
}

export const workspacesFolder = (dataDir: string): string => join(dataDir, 'workspaces');
export const mirrorsFolder = (dataDir: string): string => join(dataDir, 'mirrors');

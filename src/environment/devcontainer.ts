import { z } from 'zod';
import type { TreeFiles } from './tree-files.ts';

const FILES = ['.devcontainer/devcontainer.json', '.devcontainer.json'];
const Devcontainer = z.object({
  postCreateCommand: z.union([z.string(), z.array(z.string())]).optional(),
  updateContentCommand: z.union([z.string(), z.array(z.string())]).optional(),
});

/** The command by which a development container is set up (containers.dev), where it is written as one. */
export async function devcontainerSetup(files: TreeFiles): Promise<string | undefined> {
  for (const path of FILES) {
    const found = Devcontainer.safeParse(parsed(await files.read(path)));
    const command = found.data?.updateContentCommand ?? found.data?.postCreateCommand;
    if (typeof command === 'string' && command.trim() !== '') return command;
  }
  return undefined;
}

/** JSON in which lines may be comments, as its template writes them. */
function parsed(text = ''): unknown {
  const lines = text.split('\n').filter((line) => !line.trimStart().startsWith('//'));
  try {
    return JSON.parse(lines.join('\n'));
  } catch {
    return undefined;
  }
}

import type { Git } from './git-command.ts';
import type { IndexPlace } from './index-changes.ts';

/** Contents by object id, in one process. What is longer than `limit` bytes, or past `total` together, is not read. */
export async function readBlobs(
  git: Git,
  place: IndexPlace,
  ids: string[],
  limits: { limit: number; total: number },
  signal: AbortSignal,
): Promise<Map<string, Buffer>> {
  const lines = (some: string[]) => Buffer.from(some.map((id) => `${id}\n`).join(''));
  const wanted = [...new Set(ids)];
  const sized = await git(
    { ...place, args: ['cat-file', '--batch-check=%(objectsize)'], input: lines(wanted) },
    signal,
  );
  const sizes = sized.stdout.toString().split('\n').map(Number);
  let budget = limits.total;
  const chosen = wanted.filter((_, n) => {
    const size = sizes[n] ?? 0;
    if (size > limits.limit || size > budget) return false;
    budget -= size;
    return true;
  });
  const { stdout } = await git({ ...place, args: ['cat-file', '--batch'], input: lines(chosen) }, signal);
  return contents(stdout);
}

/** Reads `<id> blob <size>\n<bytes>\n`, one after the other. */
function contents(output: Buffer): Map<string, Buffer> {
  const found = new Map<string, Buffer>();
  for (let at = 0; at < output.length; ) {
    const start = output.indexOf('\n', at) + 1;
    const [id = '', , size = '0'] = output
      .subarray(at, start - 1)
      .toString()
      .split(' ');
    const end = start + Number(size);
    found.set(id, output.subarray(start, end));
    at = end + 1;
  }
  return found;
}

/** One process as the engine's machine sees it. */
export interface ProcessRow {
  pid: string;
  user: string;
  line: string;
}

/**
 * The rows that are not the user's who keeps the container alive; undefined where the list cannot be the container's. A
 * rootless engine without cgroups knows of the init alone and not of its child; of gVisor's containers the engine has
 * the numbers that processes have inside, and shows the host's processes that happen to have the same ones.
 * @param init The number of the container's own init.
 */
export function commandRows(rows: ProcessRow[], init: string): ProcessRow[] | undefined {
  const keeper = rows.find((row) => row.pid === init)?.user;
  const kept = rows.filter((row) => row.user === keeper);
  const isTheHosts = rows.some((row) => row.pid === '1');
  return isTheHosts || kept.length < 2 ? undefined : rows.filter((row) => row.user !== keeper);
}

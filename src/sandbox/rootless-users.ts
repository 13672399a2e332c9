const FIELDS = /^([^:]*):(\d+):(\d+)$/;

/**
 * Who a container's user is on the host of a rootless engine: root is the engine's own user, and the others count on
 * from the first number that `/etc/subuid` gives to that user (subuid(5)). Undefined where it gives none.
 * @param owner Whose engine it is, by number.
 * @param files The texts of `/etc/passwd` and `/etc/subuid`.
 */
export function rootlessUser(
  user: number,
  owner: number,
  files: { passwd: string; subuid: string },
): number | undefined {
  if (user === 0) return owner;
  const account = files.passwd.split('\n').find((line) => line.split(':')[2] === String(owner));
  const names = [String(owner), account?.split(':')[0]];
  const range = files.subuid
    .split('\n')
    .map((line) => FIELDS.exec(line.trim()))
    .find((fields) => fields !== null && names.includes(fields[1]));
  const [, , first, count] = range ?? [];
  return first === undefined || user > Number(count) ? undefined : Number(first) + user - 1;
}

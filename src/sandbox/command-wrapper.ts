/** `$0` of the wrapper's shell, by which it is told from the commands that it runs. */
const WRAPPER_NAME = 'fathom-command';

/** Linux refuses a single argument of 128 KiB and more; longer commands come through standard input. */
const LONGEST_ARGUMENT_BYTES = 100_000;

/** A process still running when the command had ended, and the last word of a wrapper that cleaned up. */
const LEFT = 'L';
const DONE = 'E';

/*
 * Standard error is the wrapper's own channel; the command has both of its streams on standard output, so that they
 * keep their order. The command is a job of its own, so that `kill 0` in it does not hit the wrapper. After it has
 * ended only builtins are used, since it may have left nothing to fork with. What is still running gets a moment to
 * finish (`> >(tee log)` does), is named, and is killed (a process without a command line is a zombie, or about to start
 * another program): a signal to -1 reaches every process of this user but the sender.
 */
const WRAPPER = `exec 3>&2 2>/dev/null
cd -- "$1" 2>&1 || { printf '${DONE}\\0' >&3; exit 126; }
if [ "$3" ]; then c=$(head -c "$3"); fi
set -m
if [ "$3" ]; then (exec </dev/null 2>&1 3>&-; set +m --; eval "unset c
$c") &
else bash -c "$2" </dev/null 2>&1 3>&- & fi
p=$!
set +m
wait "$p"
r=$?
running() {
  left=()
  for d in /proc/[0-9]*; do
    if [ "$d" = "/proc/$$" ] || ! [ -O "$d" ]; then continue; fi
    mapfile -d '' -t a <"$d/cmdline"
    if [ "\${#a[@]}" -eq 0 ]; then [ -e "$d/exe" ] && read -r a <"$d/comm" || continue; fi
    left+=("\${a[*]:0:40}")
    if [ "\${#left[@]}" -ge 20 ]; then break; fi
  done
}
running
if [ "\${#left[@]}" -gt 0 ] && [ "\${#left[@]}" -lt 6 ]; then sleep 0.1; running; fi
kill -KILL -1
for l in "\${left[@]}"; do printf '${LEFT}%s\\0' "\${l:0:200}" >&3; done
printf '${DONE}\\0' >&3
exit "$r"`;

/** Ends every process of the user who runs it, but for itself. */
export const KILL_EVERYTHING = ['bash', '-c', 'kill -KILL -1; exit 0'];

export interface WrappedCommand {
  argv: string[];
  /** What the wrapper reads from standard input: commands too long to be an argument. */
  input: Buffer | undefined;
}

/** Makes a fresh bash run `command` in `cwd`, and end with its exit code and none of its processes. */
export function wrapCommand(command: string, cwd: string): WrappedCommand {
  const bytes = Buffer.from(command);
  const long = bytes.length > LONGEST_ARGUMENT_BYTES;
  const last = long ? ['', String(bytes.length)] : [command, ''];
  return { argv: ['bash', '-c', WRAPPER, WRAPPER_NAME, cwd, ...last], input: long ? bytes : undefined };
}

/** What the wrapper said on its own channel. The command can write there too: this informs, and decides nothing. */
export function readWrapperWords(channel: Buffer): { cleanedUp: boolean; leftRunning: string[] } {
  const words = channel.toString().split('\0');
  const left = words.filter((word) => word.startsWith(LEFT)).map((word) => word.slice(LEFT.length));
  return { cleanedUp: words.at(-2) === DONE, leftRunning: left };
}

/** True for a line of a process list that is the wrapper of `command`, or the shell that runs it. */
export function isShellOf(command: string, processLine: string): boolean {
  if (processLine.includes(WRAPPER_NAME)) return true;
  const start = `bash -c ${command}`.split('\n', 1)[0]?.slice(0, 60) ?? '';
  return processLine.startsWith(start);
}

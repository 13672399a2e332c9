/** Where a container sees files. Sources are understood by the engine, and are made by Workspaces. */
export type Mount =
  | { kind: 'bind'; source: string; target: string; readOnly: boolean }
  | { kind: 'volume'; source: string; target: string; readOnly: boolean };

export interface SandboxSpec {
  run: string;
  /** Which agent or proof this container is for; a label, and part of its name. */
  purpose: string;
  image: string;
  mounts: Mount[];
  workdir: string;
  /** `none` for every agent. `setup` lets out what the operator allows set-ups, and nothing else. */
  network: 'none' | 'setup';
  env?: Record<string, string>;
  /** Set-up writes into the image's own folders; agents never do. */
  writableRoot?: boolean;
}

export interface ExecOptions {
  seconds: number;
  cwd?: string;
  env?: Record<string, string>;
  /** Characters of output that are shown, split evenly between head and tail, whole lines. */
  shownCharacters?: number;
  /** As root in the container (without capabilities); only for set-up. */
  root?: boolean;
}

/** Standard output and standard error in the order in which they came. */
export interface ExecResult {
  /** Null when the command did not end by itself. */
  exitCode: number | null;
  ending: 'exited' | 'timed-out' | 'output-limit' | 'disk-limit';
  /** Head and tail, whole lines, with a line between that says how much is missing. */
  output: string;
  totalBytes: number;
  elidedLines: number;
  undecodableBytes: number;
  /** Where in the container the whole output is, when it was too long to be shown. */
  spillPath?: string;
  /** Commands that were still running after it ended, and were killed. */
  leftRunning: string[];
  seconds: number;
}

export interface Sandbox {
  readonly id: string;
  /**
   * Runs `command` with bash in a fresh shell, without a terminal or input. No process of it is left afterwards.
   * One command at a time. @throws SandboxError with `lost` when the container is gone, CancelledError on abort.
   */
  exec(command: string, options: ExecOptions, signal: AbortSignal): Promise<ExecResult>;
  /** Bytes of a file in the container, at most `limit`; undefined where there is no such file. */
  readFile(path: string, limit: number): Promise<Buffer | undefined>;
  /** What of the network it was refused, in words; absent where nothing stands between it and the network. */
  refusals?(): string[];
  /** Keeps the container's file system as an image. */
  saveAs(image: string): Promise<void>;
  remove(): Promise<void>;
}

export interface EngineReport {
  reachable: boolean;
  address: string;
  version?: string;
  cgroupVersion?: string;
  seccomp?: boolean;
  rootless?: boolean;
  /** Users of containers are others on the host, and root is nobody there. */
  userNamespaces?: boolean;
  /** gVisor stands between containers and the kernel. */
  gVisor?: boolean;
  storageDriver?: string;
  freeDiskBytes?: number;
  image?: { name: string; present: boolean; digest?: string };
  /** What is wrong or weaker than it should be, with the remedy. */
  problems: { message: string; remedy: string; fatal: boolean; of?: 'image' }[];
}

/** Containers on an engine. Everything it makes carries the run's label, so that it can be swept. */
export interface SandboxHost {
  /** @throws SandboxError when the engine or image cannot be had. */
  start(spec: SandboxSpec, signal: AbortSignal): Promise<Sandbox>;
  inspect(image: string): Promise<EngineReport>;
  /** The number that the commands' user has on the engine's host, where the engine maps it to another one. */
  userOnHost?(): Promise<number | undefined>;
  /** The digest that names this image's content; undefined where the engine does not have it. */
  imageDigest(image: string): Promise<string | undefined>;
  /** Notes that an image made with `saveAs` is used now. */
  markUsed?(image: string): Promise<void>;
  /**
   * Removes images of the repository `name` (of any tag), the least recently used first, until what the rest take for
   * themselves is within `bytes`. Those used within `idleSeconds` stay. Says how many went.
   */
  pruneImages?(name: string, limits: { bytes: number; idleSeconds: number }): Promise<number>;
  /** Bytes that images of the repository `name` take for themselves. */
  imageBytes?(name: string): Promise<number>;
  /** Containers that run now and belong to whoever made this host. */
  running?(): Promise<number>;
  /** Ids of the runs of which the engine holds a container or volume. */
  runs?(): Promise<string[]>;
  /** Removes containers and volumes of `run`, or of every run when absent; says how many. */
  sweep(run?: string): Promise<number>;
}

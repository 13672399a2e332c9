import type { FileKind, Patch } from '../patch.ts';
import type { RepositorySource } from '../run.ts';
import type { Mount } from './sandbox-host.ts';

export interface WorkspaceRequest {
  run: string;
  repository: RepositorySource;
  /** A revision; absent means the default branch's head (a local clone: its HEAD). */
  base?: string;
  /** Paths (globs) of files that a patch may not carry. */
  protectedPaths: string[];
}

export type AppliedCheckout = { applied: true; mount: Mount } | { applied: false; reason: string };

export interface WriterCopy {
  mount: Mount;
  /** The change against base, byte for byte, from a git directory that no container ever saw. */
  takePatch(signal: AbortSignal): Promise<Patch>;
}

/** One run's copies of the repository at its base commit. History reaches up to base and nothing after it. */
export interface Workspace {
  /** Full SHA of the base commit. */
  readonly base: string;
  /** The checkout on this host, for readers that never follow a link out of it. Nobody writes to it. */
  readonly tree: string;
  /** Sentences about what was found: a dirty clone left alone, submodules or LFS files not fetched, history cut. */
  readonly notes: string[];
  /** The checkout for containers that only read. */
  reader(): Promise<Mount>;
  /** A copy that one container may write to. */
  writer(name: string): Promise<WriterCopy>;
  /** A clean, writable checkout of base, with `patch` applied when given: all of it, or just its files of kind `only`. */
  checkout(name: string, patch?: Patch, only?: FileKind): Promise<AppliedCheckout>;
  dispose(): Promise<void>;
}

export interface Workspaces {
  /** @throws InputError (no repository, no such base), EnvironmentError (git or disk refused), CancelledError. */
  open(request: WorkspaceRequest, signal: AbortSignal): Promise<Workspace>;
}

import { randomBytes } from 'node:crypto';
import type Docker from 'dockerode';
import type { Mount, SandboxSpec } from '../domain/ports/sandbox-host.ts';
import type { SandboxLimits } from './limits.ts';

/** Commands run as this user and group. */
export const COMMAND_USER = '65534:65534';
/** For set-up. Root without a single capability. */
export const ROOT_USER = '0:0';
/**
 * The main process, which only keeps the container alive, is a third user's: `kill -KILL -1` by either of the others
 * ends every process but this one.
 */
const KEEPER_USER = '65533:65533';
const HOME = '/home/agent';

export const RUN_LABEL = 'fathom.run';
export const PURPOSE_LABEL = 'fathom.purpose';
/** Which Fathom it belongs to, where several share an engine. */
export const OWNER_LABEL = 'fathom.owner';

/** What stands between a container and the kernel, where the engine's own choice is not taken. */
export interface KernelOptions {
  owner?: string | undefined;
  seccomp: string | undefined;
  runtime: string | undefined;
  /** Another container's network, as `container:ID`, instead of one of its own. */
  network?: string | undefined;
}

/** What the engine is asked for: no privilege, no network for agents, and a limit on everything that can be limited. */
export function containerOptions(
  spec: SandboxSpec,
  limits: SandboxLimits,
  kernel: KernelOptions,
): Docker.ContainerCreateOptions {
  return {
    name: containerName(spec),
    Image: spec.image,
    Entrypoint: [],
    Cmd: ['sleep', String(limits.lifeSeconds)],
    User: KEEPER_USER,
    WorkingDir: spec.workdir,
    Env: assignments({ ...environment(spec), ...spec.env }),
    Labels: labels(spec, kernel),
    Healthcheck: { Test: ['NONE'] },
    HostConfig: hostOptions(spec, limits, kernel),
  };
}

function labels(spec: SandboxSpec, { owner }: KernelOptions): Record<string, string> {
  const ours = { [RUN_LABEL]: spec.run, [PURPOSE_LABEL]: spec.purpose };
  return owner === undefined ? ours : { ...ours, [OWNER_LABEL]: owner };
}

export const assignments = (env: Record<string, string>): string[] =>
  Object.entries(env).map(([name, value]) => `${name}=${value}`);

function hostOptions(spec: SandboxSpec, limits: SandboxLimits, kernel: KernelOptions): Docker.HostConfig {
  const { seccomp, runtime } = kernel;
  const privileges = ['no-new-privileges:true', ...(seccomp === undefined ? [] : [`seccomp=${seccomp}`])];
  return {
    AutoRemove: true,
    ...(runtime === undefined ? {} : { Runtime: runtime }),
    Init: true,
    NetworkMode: spec.network === 'none' ? 'none' : (kernel.network ?? 'none'),
    CapDrop: ['ALL'],
    SecurityOpt: privileges,
    ReadonlyRootfs: spec.writableRoot !== true,
    IpcMode: 'private',
    LogConfig: { Type: 'none', Config: {} },
    RestartPolicy: { Name: 'no' },
    Tmpfs: temporaryFolders(limits),
    Mounts: spec.mounts.map(mountSettings),
    OomScoreAdj: 500,
    ...resources(limits, spec.writableRoot === true ? limits.layerBytes : limits.diskBytes),
  };
}

function resources(limits: SandboxLimits, fileBytes: number): Docker.HostConfig {
  const period = 100_000;
  return {
    Memory: limits.memoryBytes,
    MemorySwap: limits.memoryBytes,
    PidsLimit: limits.pids,
    CpuPeriod: period,
    CpuQuota: Math.round(limits.cpus * period),
    Ulimits: [
      { Name: 'core', Soft: 0, Hard: 0 },
      { Name: 'fsize', Soft: fileBytes, Hard: fileBytes },
      { Name: 'nofile', Soft: limits.openFiles, Hard: limits.openFiles },
    ],
  };
}

/** The engine's own default would forbid to run programs from there, which test suites do. */
function temporaryFolders(limits: SandboxLimits): Record<string, string> {
  const size = `rw,exec,nosuid,nodev,size=${limits.tmpBytes}`;
  return { '/tmp': `${size},mode=1777`, [HOME]: `${size},mode=0755,uid=65534,gid=65534` };
}

function mountSettings(mount: Mount): Docker.MountSettings {
  return { Type: mount.kind, Source: mount.source, Target: mount.target, ReadOnly: mount.readOnly };
}

/** Nothing waits for a person, nothing pages, and git trusts the checkout although somebody else owns it. */
function environment(spec: SandboxSpec): Record<string, string> {
  const trusted = [...new Set(['/repo', spec.workdir, ...spec.mounts.map((mount) => mount.target)])];
  const git = trusted.flatMap((path, index) => [
    [`GIT_CONFIG_KEY_${index}`, 'safe.directory'],
    [`GIT_CONFIG_VALUE_${index}`, path],
  ]);
  return {
    HOME,
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    TERM: 'dumb',
    CI: '1',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'true',
    GIT_TERMINAL_PROMPT: '0',
    DEBIAN_FRONTEND: 'noninteractive',
    PYTHONUNBUFFERED: '1',
    GIT_CONFIG_COUNT: String(trusted.length),
    ...Object.fromEntries(git),
  };
}

function containerName(spec: SandboxSpec): string {
  const readable = `${spec.run}-${spec.purpose}`.replace(/[^a-zA-Z0-9_.-]/g, '-').slice(0, 80);
  return `fathom-${readable}-${randomBytes(4).toString('hex')}`;
}

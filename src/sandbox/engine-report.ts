import { readFile, stat, statfs } from 'node:fs/promises';
import type Docker from 'dockerode';
import type { EngineReport } from '../domain/ports/sandbox-host.ts';
import { addressOf } from './engine-client.ts';
import { remedyFor, statusOf } from './engine-errors.ts';
import { forwarderRuntime, isGVisor, type Runtimes } from './gvisor.ts';
import { rootlessUser } from './rootless-users.ts';
import { seccompProfile } from './seccomp-profile.ts';

type Problem = EngineReport['problems'][number];

/** What the engine tells of itself; docker info has more than the client's types know. */
interface EngineInfo extends Runtimes {
  ServerVersion: string;
  OSType: string;
  Architecture: string;
  CgroupVersion?: string;
  Driver: string;
  DockerRootDir: string;
  SecurityOptions?: string[];
  MemoryLimit?: boolean;
  SwapLimit?: boolean;
  PidsLimit?: boolean;
  CPUCfsQuota?: boolean;
  CpuCfsQuota?: boolean;
}

/** An address behind a firewall answers nothing at all. */
const PATIENCE_MS = 15_000;
/** An engine that is about to be used may be busy with other containers. */
const BUSY_MS = 60_000;
const LEAST_FREE_BYTES = 5 * 2 ** 30;
/** From this version on the engine's own seccomp profile refuses io_uring; ours always does. */
const REFUSES_IO_URING = 25;

/**
 * Says what engine there is and what is wrong with it, by asking its API. Never throws for an engine's faults.
 * @param runtime What containers are to run with, if that was chosen.
 */
export async function inspectEngine(engine: Docker, image: string, runtime?: string): Promise<EngineReport> {
  const address = addressOf(engine);
  try {
    const info = await askInfo(engine);
    const report = await describe(engine, address, info, image);
    return {
      ...report,
      gVisor: isGVisor(info, runtime),
      problems: [...runtimeProblems(info, runtime), ...report.problems],
    };
  } catch (error) {
    return { reachable: false, address, problems: [unreachable(address, error)] };
  }
}

/** The digest that names an image's content; undefined where the engine does not have the image. */
export async function digestOf(engine: Docker, image: string): Promise<string | undefined> {
  try {
    return (await engine.getImage(image).inspect()).Id;
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

/** What the making of containers depends on. */
export interface EngineTraits {
  /** Our own profile where the engine can use it; elsewhere containers have the engine's. */
  seccomp: string | undefined;
  /** The engine's, where that is on this machine. */
  folder: string | undefined;
  gVisor: boolean;
  forwarderRuntime: string | undefined;
  /** Limits that the engine was asked for and does not enforce. */
  unlimited: string[];
}

/** @param runtime What containers are to run with, if that was chosen. @throws the engine's errors as they come. */
export async function engineTraits(engine: Docker, runtime: string | undefined): Promise<EngineTraits> {
  const info = await askInfo(engine, BUSY_MS);
  return {
    seccomp: hasSeccomp(info) ? seccompProfile(info.Architecture) : undefined,
    folder: isLocal(addressOf(engine)) ? info.DockerRootDir : undefined,
    gVisor: isGVisor(info, runtime),
    forwarderRuntime: forwarderRuntime(info, runtime),
    unlimited: limitProblems(info).map(({ message }) => message),
  };
}

/**
 * What Docker calls userns-remap: its folder is named after the first user that it maps to. A rootless engine's folder
 * belongs to its user.
 */
export async function userOnHost(engine: Docker, user: number): Promise<number | undefined> {
  const info = await askInfo(engine, BUSY_MS);
  if (hasOption(info, 'rootless')) {
    const owner = (await stat(info.DockerRootDir)).uid;
    const [passwd, subuid] = await Promise.all(['/etc/passwd', '/etc/subuid'].map((file) => readFile(file, 'utf8')));
    return rootlessUser(user, owner, { passwd: passwd ?? '', subuid: subuid ?? '' });
  }
  const first = hasOption(info, 'userns') ? /\/(\d+)\.\d+$/.exec(info.DockerRootDir)?.[1] : undefined;
  return first === undefined ? undefined : Number(first) + user;
}

/** True where the engine can filter system calls. */
const hasSeccomp = (info: Pick<EngineInfo, 'SecurityOptions'>): boolean => hasOption(info, 'seccomp');

/** The client takes a signal here, which its types do not know. */
function askInfo(engine: Docker, patience = PATIENCE_MS): Promise<EngineInfo> {
  const info = engine.info.bind(engine) as (options: object) => Promise<EngineInfo>;
  return info({ abortSignal: AbortSignal.timeout(patience) });
}

async function describe(engine: Docker, address: string, info: EngineInfo, image: string): Promise<EngineReport> {
  const digest = await digestOf(engine, image);
  const free = await freeBytes(address, info.DockerRootDir);
  return {
    reachable: true,
    address,
    version: info.ServerVersion,
    ...(info.CgroupVersion === undefined ? {} : { cgroupVersion: info.CgroupVersion }),
    seccomp: hasSeccomp(info),
    rootless: hasOption(info, 'rootless'),
    userNamespaces: hasOption(info, 'userns'),
    storageDriver: info.Driver,
    ...(free === undefined ? {} : { freeDiskBytes: free }),
    image: { name: image, present: digest !== undefined, ...(digest === undefined ? {} : { digest }) },
    problems: [...engineProblems(info), ...limitProblems(info), ...imageProblems(image, digest), ...diskProblems(free)],
  };
}

const hasOption = (info: Pick<EngineInfo, 'SecurityOptions'>, name: string): boolean =>
  (info.SecurityOptions ?? []).some((option) => option.split(',').includes(`name=${name}`));

const isLocal = (address: string): boolean => address.startsWith('unix://') || address === 'the default socket';

/** The API does not tell; it can be looked up where the engine's folder is on this machine. */
async function freeBytes(address: string, folder: string): Promise<number | undefined> {
  if (!isLocal(address)) return undefined;
  try {
    const disk = await statfs(folder);
    return disk.bavail * disk.bsize;
  } catch {
    return undefined;
  }
}

function unreachable(address: string, error: unknown): Problem {
  const because = error instanceof Error ? error.message.trim() : String(error);
  return { message: `no Docker Engine answers at ${address}: ${because}`, remedy: remedyFor(error), fatal: true };
}

function engineProblems(info: EngineInfo): Problem[] {
  const problems: Problem[] = [];
  if (info.OSType !== 'linux') {
    const message = `the engine runs ${info.OSType} containers`;
    problems.push({ message, remedy: 'Switch it to Linux containers.', fatal: true });
  }
  if (!hasSeccomp(info)) {
    const message = 'the engine filters no system calls (no seccomp): agents reach the whole kernel';
    problems.push({ message, remedy: 'Use an engine with its default seccomp profile.', fatal: false });
  } else if (majorVersion(info) < REFUSES_IO_URING && seccompProfile(info.Architecture) === undefined) {
    const message = `engine ${info.ServerVersion} lets containers use io_uring, a large part of the kernel`;
    const remedy = `Use engine ${REFUSES_IO_URING} or newer, or set the sysctl kernel.io_uring_disabled=2 on its host.`;
    problems.push({ message, remedy, fatal: false });
  }
  return problems;
}

function runtimeProblems({ Runtimes: known = {} }: EngineInfo, runtime: string | undefined): Problem[] {
  if (runtime === undefined || Object.hasOwn(known, runtime)) return [];
  const message = `the engine knows no container runtime ${runtime}, only ${Object.keys(known).join(', ') || 'its own'}`;
  const remedy = `Install ${runtime} where the engine is, add it to the engine's daemon.json, and restart the engine.`;
  return [{ message, remedy, fatal: true }];
}

const majorVersion = (info: EngineInfo): number => Number.parseInt(info.ServerVersion, 10) || 0;

function limitProblems(info: EngineInfo): Problem[] {
  const limits: [string, boolean | undefined][] = [
    ['memory', info.MemoryLimit],
    ['process', info.PidsLimit],
    ['processor', info.CPUCfsQuota ?? info.CpuCfsQuota],
  ];
  return limits
    .filter(([, enforced]) => enforced === false)
    .map(([name]) => ({
      message: `the engine enforces no ${name} limit: one agent can exhaust the machine`,
      remedy: hasOption(info, 'rootless')
        ? 'A rootless engine needs cgroup v2 with its controllers delegated to its user; until then, limit the machine.'
        : 'Delegate the cgroup controllers to the engine, or use one with cgroup support.',
      fatal: false,
    }));
}

function imageProblems(image: string, digest: string | undefined): Problem[] {
  if (digest !== undefined) return [];
  const remedy = 'Make it with `npm run provide`, or pull it.';
  return [{ message: `the engine does not have the image ${image}`, remedy, fatal: true, of: 'image' }];
}

function diskProblems(free: number | undefined): Problem[] {
  if (free === undefined || free >= LEAST_FREE_BYTES) return [];
  const gigabytes = (free / 2 ** 30).toFixed(1);
  const remedy = 'Free some, for example with `docker system prune`.';
  return [{ message: `only ${gigabytes} GiB are free on the engine's disk`, remedy, fatal: false }];
}

import type Docker from 'dockerode';
import { KILL_EVERYTHING } from './command-wrapper.ts';
import { lostContainer, saysGone } from './engine-errors.ts';
import { runInContainer } from './engine-exec.ts';
import { commandRows, type ProcessRow } from './process-list.ts';

const KILL_SECONDS = 5;
const ROUNDS = 40;
const ROUND_MS = 50;

/**
 * The processes of one container as the engine sees them, which no program in the container can forge, and the end of
 * all of them but the one that keeps the container alive.
 */
export class ContainerProcesses {
  readonly #container: Docker.Container;
  readonly #pids: number;
  /** The number of the container's own init, as the engine's machine counts. */
  #init: string | undefined;

  /** @param pids The container's limit of processes. */
  constructor(container: Docker.Container, pids: number) {
    this.#container = container;
    this.#pids = pids;
  }

  /**
   * Command lines of everything that commands have started: what is not the user's who keeps the container alive.
   * Undefined where the engine cannot list processes.
   */
  async others(): Promise<string[] | undefined> {
    this.#init ??= String((await this.#container.inspect()).State.Pid);
    const rows = await this.#list();
    return rows && commandRows(rows, this.#init)?.map((row) => row.line);
  }

  /**
   * Ends every process of `user`. A fork bomb leaves no room for the process that kills it, so that the limit is
   * raised for that moment. @throws SandboxError with `lost` when it cannot be done; the container is removed then.
   */
  async killAll(user: string): Promise<void> {
    if ((await this.#tryKill(user)) && (await this.#settled())) return;
    if ((await this.#limit(this.#pids * 2 + 64)) && (await this.#tryKill(user)) && (await this.#settled())) {
      await this.#limit(this.#pids);
      return;
    }
    await this.#container.remove({ force: true, v: true }).catch(() => undefined);
    throw lostContainer(this.#container.id, new Error('its processes could not be ended, and it was removed'));
  }

  /** False where it cannot be changed: gVisor's containers keep the limit that they were made with. */
  async #limit(pids: number): Promise<boolean> {
    try {
      await this.#container.update({ PidsLimit: pids });
      return true;
    } catch (error) {
      if (saysGone(error)) throw error;
      return false;
    }
  }

  async #tryKill(user: string): Promise<boolean> {
    try {
      const { exitCode } = await runInContainer(this.#container, { argv: KILL_EVERYTHING, user }, KILL_SECONDS);
      return exitCode === 0;
    } catch (error) {
      if (saysGone(error)) throw error;
      return false;
    }
  }

  /** Killed processes need a moment to disappear. */
  async #settled(): Promise<boolean> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const others = await this.others();
      if (others === undefined || others.length === 0) return true;
      await new Promise((resolve) => setTimeout(resolve, ROUND_MS));
    }
    return false;
  }

  async #list(): Promise<ProcessRow[] | undefined> {
    try {
      const table = await this.#container.top({ ps_args: '-eo pid,uid,args' });
      return table.Processes.map(([pid = '', user = '', ...rest]: string[]) => ({ pid, user, line: rest.join(' ') }));
    } catch (error) {
      if (saysGone(error)) throw error;
      return undefined;
    }
  }
}

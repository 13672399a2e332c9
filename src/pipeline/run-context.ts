import type { z } from 'zod';
import type { AgentContext } from '../agents/agent-context.ts';
import type { Diagnosis } from '../domain/diagnosis.ts';
import type { RunEnd } from '../domain/ends.ts';
import type { Location } from '../domain/finding.ts';
import type { Resolution } from '../domain/patch.ts';
import type {
  BudgetLedger,
  ChatModel,
  Clock,
  Publisher,
  RunLedger,
  SandboxHost,
  Secrets,
  TrajectoryStore,
  Workspaces,
} from '../domain/ports/index.ts';
import type { Proof } from '../domain/proof.ts';
import type { Run } from '../domain/run.ts';
import type { RunEventBody } from '../domain/run-events.ts';
import type { SetUpAccess } from '../domain/set-up-access.ts';
import type { RunSettings } from '../domain/settings.ts';
import type { Stage } from '../domain/stage.ts';

/** Everything a run needs of the world. Without a model it ranks suspects and stops there. */
export interface PipelinePorts {
  model: ChatModel | undefined;
  sandboxes: SandboxHost;
  workspaces: Workspaces;
  ledger: RunLedger;
  trajectories: TrajectoryStore;
  budget: BudgetLedger;
  clock: Clock;
  prompts: AgentContext['prompts'];
  publishers: Publisher[];
  /** Lays the repository's own configuration (the text of its file, if any) over the operator's settings. */
  repositorySettings(text: string | undefined, settings: RunSettings): RunSettings;
  /** Sentences about what that configuration asks for and does not get. */
  repositoryNotes?(text: string | undefined, settings: RunSettings): string[];
  version: string;
  /** Knows a secret when it sees one; a change that adds one goes nowhere. */
  secrets?: Secrets;
  /** What a set-up may reach its registries with. */
  access?: SetUpAccess | undefined;
  /** The commit at which the default branch stands now, where a change would be proposed to it. */
  currentBase?(signal: AbortSignal): Promise<string | undefined>;
  /** Why nothing should be repaired at these places now, in a sentence: somebody else is changing them. */
  inTheWay?(places: Location[]): Promise<string | undefined>;
  /** Stage 8, where there is a code host to propose a change to; without it a repair stays on this machine. */
  propose?(repaired: Repaired, signal: AbortSignal): Promise<RunEnd>;
}

/** What a pull request is made of. The patch is not empty. */
export interface Repaired {
  run: Run;
  diagnosis: Diagnosis;
  resolution: Resolution;
  proof: Proof;
}

/** What every stage gets beside the artefacts of those before it. */
export interface RunContext {
  run: Run;
  ports: PipelinePorts;
  settings: RunSettings;
  signal: AbortSignal;
  emit(event: RunEventBody): Promise<void>;
}

/** Keeps an event and then tells it to everybody who listens. */
export async function emitEvent(run: string, ports: PipelinePorts, body: RunEventBody): Promise<void> {
  const event = { at: ports.clock.now().toISOString(), ...body };
  await ports.ledger.append(run, event);
  for (const publisher of ports.publishers) publisher.publish(run, event);
}

/**
 * One stage: what it left behind before is taken as it is; else its work is done and kept before the next one starts.
 * @throws whatever the work throws, after which the stage starts again when the run is resumed.
 */
export async function runStage<T>(
  context: RunContext,
  stage: Stage,
  schema: z.ZodType<T>,
  work: () => Promise<T>,
): Promise<T> {
  const { ledger, clock } = context.ports;
  const kept = await ledger.load(context.run.id, stage, schema);
  if (kept !== undefined) {
    await context.emit({ type: 'stage-finished', stage, seconds: 0, resumed: true });
    return kept;
  }
  context.signal.throwIfAborted();
  await context.emit({ type: 'stage-started', stage });
  const started = clock.monotonic();
  const artefact = await work();
  await ledger.save(context.run.id, stage, artefact);
  const seconds = (clock.monotonic() - started) / 1000;
  await ledger.save(context.run.id, `seconds/${stage}`, seconds);
  await context.emit({ type: 'stage-finished', stage, seconds, resumed: false });
  return artefact;
}

/** The same for a part of a stage, such as one agent's answer. */
export async function keepPart<T>(
  context: RunContext,
  key: string,
  schema: z.ZodType<T>,
  work: () => Promise<T>,
): Promise<T> {
  const kept = await context.ports.ledger.load(context.run.id, key, schema);
  if (kept !== undefined) return kept;
  const part = await work();
  await context.ports.ledger.save(context.run.id, key, part);
  return part;
}

import type { AgentContext, AgentResult } from '../agents/agent-context.ts';
import { ModelError } from '../domain/errors.ts';
import type { ChatModel } from '../domain/ports/chat-model.ts';
import type { Mount, Sandbox } from '../domain/ports/sandbox-host.ts';
import { OFFLINE_VARIABLES } from '../environment/container-variables.ts';
import type { RunContext } from './run-context.ts';

/** What the agent named `agent` works with in this run. Only for runs that have a model. */
export function agentContext(context: RunContext, agent: string): AgentContext {
  const { ports, run, settings } = context;
  return {
    run: run.id,
    agent,
    settings,
    model: modelOf(context),
    budget: ports.budget,
    trajectories: ports.trajectories,
    clock: ports.clock,
    prompts: ports.prompts,
    emit: context.emit,
  };
}

/** A container that lives as long as `work`. */
export async function withSandbox<T>(
  context: RunContext,
  spec: { purpose: string; image: string; mount: Mount; variables?: Record<string, string> | undefined },
  work: (sandbox: Sandbox) => Promise<T>,
): Promise<T> {
  const sandbox = await context.ports.sandboxes.start(
    {
      run: context.run.id,
      purpose: spec.purpose,
      image: spec.image,
      mounts: [spec.mount],
      workdir: spec.mount.target,
      network: 'none',
      env: { ...OFFLINE_VARIABLES, ...spec.variables },
    },
    context.signal,
  );
  try {
    return await work(sandbox);
  } finally {
    await sandbox.remove();
  }
}

/**
 * An agent that was stopped, or whose model failed, has not finished: it is not kept, and starts again on a resume.
 * @throws the reason of the stop, or the model's error.
 */
export function finished<T>(context: RunContext, result: AgentResult<T>): AgentResult<T> {
  if (result.end === 'cancelled') context.signal.throwIfAborted();
  if (result.end === 'model-failed') throw result.error ?? unexplained(result.detail);
  return result;
}

const unexplained = (detail: string | undefined): ModelError =>
  new ModelError('invalid-reply', detail ?? 'the model failed', 'Run `fathom doctor`, then go on with --resume.');

function modelOf(context: RunContext): ChatModel {
  const { model } = context.ports;
  if (model) return model;
  throw new ModelError('unknown-model', 'no model is configured', 'Name one with --model or FATHOM_MODEL.');
}

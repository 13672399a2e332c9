import type { ToolSpec } from '../domain/ports/chat-model.ts';
import type { AgentContext } from './agent-context.ts';
import type { AgentTask } from './agent-task.ts';

/** The role's own system prompt, what holds for every role, and the tools where the model has to be told in text. */
export function systemText<T>(task: AgentTask<T>, context: AgentContext): string {
  const parts = [task.system, context.prompts.render('shared/reading-data')];
  const tools = toolSpecs(task);
  if (context.settings.protocol === 'text' && tools.length > 0)
    parts.push(context.prompts.render('shared/text-protocol', { tools: tools.map(describe).join('\n\n') }));
  return parts.join('\n\n');
}

/** Every tool of a role in a fixed order, the one that submits last. */
export function toolSpecs<T>(task: AgentTask<T>): ToolSpec[] {
  const submit = task.submission.by === 'tool' ? [task.submission.tool.spec] : [];
  return [...task.tools.map((tool) => tool.spec), ...submit];
}

const describe = (tool: ToolSpec): string =>
  `### ${tool.name}\n\n${tool.description}\n\nArguments (JSON Schema): ${JSON.stringify(tool.parameters)}`;

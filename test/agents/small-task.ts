import { z } from 'zod';
import type { AgentTask } from '#src/agents/agent-task.ts';
import { type AgentTool, acceptBy, defineTool, type SubmitTool, toolSpec } from '#src/agents/tools/tool.ts';

const Result = z.object({ text: z.string().min(1) });
type Result = z.infer<typeof Result>;

const submitTool: SubmitTool<Result> = {
  spec: toolSpec({ name: 'submit', description: 'Hands in.', schema: Result }),
  accept: (args) => acceptBy(Result, args),
};

/** A tool that looks something up; `answer` says what it finds. */
export function lookTool(answer: (what: string) => string | Promise<string>, repeatsAreUseless = true): AgentTool {
  return defineTool({
    name: 'look',
    description: 'Looks something up.',
    schema: z.object({ what: z.string() }),
    repeatsAreUseless,
    doing: ({ what }) => `look ${what}`,
    run: async ({ what }) => answer(what),
  });
}

/** A role's task reduced to what the loop needs. */
export function smallTask(...tools: AgentTool[]): AgentTask<Result> {
  return {
    role: 'answerer',
    system: 'You look things up.',
    user: 'What is x?',
    tools: tools.length > 0 ? tools : [lookTool((what) => `found ${what}`)],
    submission: { by: 'tool', tool: submitTool },
  };
}

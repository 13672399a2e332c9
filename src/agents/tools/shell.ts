import { z } from 'zod';
import type { ExecResult, Sandbox } from '../../domain/ports/sandbox-host.ts';
import type { PromptSet } from '../../prompts/load-prompts.ts';
import { type AgentTool, defineTool } from './tool.ts';

export interface ShellOptions {
  sandbox: Sandbox;
  prompts: PromptSet;
  /** Time limit of one command. */
  seconds: number;
  /** Whether the checkout is mounted so that it can be changed. */
  writable: boolean;
}

const SHOWN_CHARACTERS = 10_000;

const ShellArguments = z.object({ command: z.string().trim().min(1) });

/** The `shell` tool: one command in a fresh bash in the agent's container (ACQUIRE §III-B2, mini-swe-agent's rules). */
export function shellTool(options: ShellOptions): AgentTool {
  const { sandbox, prompts, seconds, writable } = options;
  return defineTool({
    name: 'shell',
    description: prompts.render('tools/shell', { seconds, characters: SHOWN_CHARACTERS, writable }),
    schema: ShellArguments,
    repeatsAreUseless: false,
    doing: ({ command }) => `shell: ${firstLine(command)}`,
    run: async ({ command }, { signal, secondsLeft }) => {
      const allowed = Math.max(1, Math.min(seconds, Math.ceil(secondsLeft)));
      const result = await sandbox.exec(command, { seconds: allowed, shownCharacters: SHOWN_CHARACTERS }, signal);
      return shellObservation(prompts, command, result, allowed);
    },
  });
}

const firstLine = (command: string): string => (command.split('\n')[0] ?? '').slice(0, 160);

/** What a model is told of a command: how it ended, its output, and a hint for everything unusual. */
function shellObservation(prompts: PromptSet, command: string, result: ExecResult, seconds: number): string {
  return prompts.render('tools/shell-result', {
    exit_code: result.exitCode ?? 'none',
    timed_out: result.ending === 'timed-out',
    output_limit: result.ending === 'output-limit',
    seconds,
    interactive: interactiveProgram(command, result) ?? '',
    output: result.output,
    total_bytes: result.totalBytes,
    spill_path: result.output.includes(result.spillPath ?? '') ? '' : result.spillPath,
    undecodable: result.undecodableBytes,
    left_running: result.leftRunning.map((process) => process.slice(0, 200)).join('\n'),
  });
}

// Programs that wait for somebody at a terminal; those in the second set only when they are called with nothing to do.
const TERMINAL_PROGRAMS = new Set([
  'vi',
  'vim',
  'nvim',
  'nano',
  'emacs',
  'less',
  'more',
  'top',
  'htop',
  'tmux',
  'screen',
]);
const PROMPTING_PROGRAMS = new Set([
  'python',
  'python3',
  'node',
  'irb',
  'bash',
  'sh',
  'gdb',
  'lldb',
  'psql',
  'mysql',
  'sqlite3',
  'cat',
]);
const INTERACTIVE_GIT = ['git rebase -i', 'git add -p', 'git add -i', 'git commit -p', 'git checkout -p'];

function interactiveProgram(command: string, result: ExecResult): string | undefined {
  const hasFailed = result.ending === 'timed-out' || result.exitCode !== 0 || result.output.trim() === '';
  if (!hasFailed) return undefined;
  const parts = command.split(/[;&|\n]+/).map((part) => part.trim().split(/\s+/));
  const program = parts.find(
    ([name = '', ...rest]) => TERMINAL_PROGRAMS.has(name) || (PROMPTING_PROGRAMS.has(name) && rest.length === 0),
  );
  return program?.[0] ?? INTERACTIVE_GIT.find((git) => command.includes(git));
}

import { fileURLToPath } from 'node:url';
import type { AgentContext } from '#src/agents/agent-context.ts';
import type { RepositoryReader } from '#src/agents/repository-reader.ts';
import { defaultRunSettings } from '#src/domain/default-settings.ts';
import type { RenderedIssue } from '#src/domain/issue-snapshot.ts';
import type {
  BudgetLedger,
  ChatModel,
  Clock,
  Estimate,
  ExecOptions,
  ExecResult,
  Message,
  Sandbox,
  TrajectoryEntry,
} from '#src/domain/ports/index.ts';
import type { RunEventBody } from '#src/domain/run-events.ts';
import type { RepairRole, RoleSettings, RunSettings } from '#src/domain/settings.ts';
import { nothingSpent, type Spent } from '#src/domain/usage.ts';
import { loadPrompts } from '#src/prompts/load-prompts.ts';

const prompts = loadPrompts(fileURLToPath(new URL('../../prompts', import.meta.url)));

export const issue: RenderedIssue = {
  title: 'Sum is off by one',
  text: 'Calling `sum([1, 2])` gives 4 instead of 3.',
  hidden: [],
};

export const neverAborted = new AbortController().signal;

export interface TestAgent {
  context: AgentContext;
  /** The trajectory so far. */
  entries: TrajectoryEntry[];
  events: RunEventBody[];
  settled: Spent[];
  estimates: Estimate[];
  /** Moves the clock. */
  pass(seconds: number): void;
}

export interface TestAgentOptions {
  settings?: Partial<RunSettings>;
  role?: RepairRole;
  limits?: Partial<RoleSettings['limits']>;
  /** Refuses a reservation when this gives the name of a budget. */
  refuse?: (estimate: Estimate) => 'agent' | 'run' | undefined;
}

/** An agent's surroundings in memory, around a scripted model. */
export function testAgent(model: ChatModel, options: TestAgentOptions = {}): TestAgent {
  const entries: TrajectoryEntry[] = [];
  const events: RunEventBody[] = [];
  const settled: Spent[] = [];
  const estimates: Estimate[] = [];
  let ms = 0;
  const clock: Clock = { now: () => new Date(ms), monotonic: () => ms, sleep: async () => undefined };
  const budget: BudgetLedger = {
    reserve: async (_run, _agent, estimate) => {
      estimates.push(estimate);
      const refused = options.refuse?.(estimate);
      if (refused) return { granted: false, budget: refused };
      return {
        granted: true,
        settle: async (actual) => {
          settled.push(actual);
        },
      };
    },
    spent: async () => nothingSpent(),
  };
  const context: AgentContext = {
    run: 'run-1',
    agent: 'agent-1',
    settings: settingsFor(options),
    model,
    budget,
    trajectories: { append: async (_run, _agent, entry) => void entries.push(entry), read: async () => entries },
    clock,
    prompts,
    emit: (event) => void events.push(event),
  };
  const pass = (seconds: number) => {
    ms += seconds * 1000;
  };
  return { context, entries, events, settled, estimates, pass };
}

function settingsFor(options: TestAgentOptions): RunSettings {
  const settings = { ...defaultRunSettings('test-model'), ...options.settings };
  if (!options.role) return settings;
  const role = settings.roles[options.role];
  const limits = { ...role.limits, ...options.limits };
  return { ...settings, roles: { ...settings.roles, [options.role]: { ...role, limits } } };
}

/** Settings with every recovery off but those named. */
export function onlyRecoveries(...on: (keyof RunSettings['recoveries'])[]): Pick<RunSettings, 'recoveries'> {
  const isOn = (name: keyof RunSettings['recoveries']) => on.includes(name);
  return {
    recoveries: {
      contextManagement: isOn('contextManagement'),
      loopDetection: isOn('loopDetection'),
      implicitToolCalls: isOn('implicitToolCalls'),
      responseLength: isOn('responseLength'),
      finalTurn: isOn('finalTurn'),
    },
  };
}

export interface TestSandbox extends Sandbox {
  commands: { command: string; options: ExecOptions }[];
}

/** A sandbox that answers commands from memory. */
export function testSandbox(answer: (command: string) => Partial<ExecResult> | Error = () => ({})): TestSandbox {
  const commands: TestSandbox['commands'] = [];
  return {
    id: 'sandbox-1',
    commands,
    exec: async (command, options) => {
      commands.push({ command, options });
      const result = answer(command);
      if (result instanceof Error) throw result;
      return { ...quietExit, ...result };
    },
    readFile: async () => undefined,
    saveAs: async () => undefined,
    remove: async () => undefined,
  };
}

const quietExit: ExecResult = {
  exitCode: 0,
  ending: 'exited',
  output: '',
  totalBytes: 0,
  elidedLines: 0,
  undecodableBytes: 0,
  leftRunning: [],
  seconds: 0.1,
};

/** A repository that answers every call with its name and arguments. */
export const echoingRepository: RepositoryReader = {
  tree: async () => ({ text: 'src/sum.ts (12 lines)' }),
  view: async (path, range) => ({
    text: `view ${path} ${JSON.stringify(range ?? {})}`,
    path,
    range: range ?? { startLine: 1, endLine: 12 },
  }),
  search: async (query, options) => ({ text: `search ${query} ${JSON.stringify(options ?? {})}` }),
  connected: async (path) => ({ text: `connected ${path ?? 'all'}` }),
};

/** The last thing that the model was told in a request. */
export const lastText = (request: { messages: Message[] }): string => request.messages.at(-1)?.text ?? '';

/** Everything that the model was told in a request. */
export const allText = (request: { messages: Message[] }): string =>
  request.messages.map((message) => message.text).join('\n');

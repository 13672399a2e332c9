import type { RunEvent } from '../../../src/domain/run-events.ts';
import { AgentRole, type Stage } from '../../../src/domain/stage.ts';
import type { Spent } from '../../../src/domain/usage.ts';
import { counted, duration, tokens } from '../../../src/report/amounts.ts';
import { STAGE_WORDS } from '../../../src/report/describe-event.ts';
import { agentEndInWords } from '../../../src/report/ends-in-words.ts';
import { fitted, type Screen, wrapped } from './screen.ts';

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const FRAME_MS = 120;
const NAME = 14;

interface Agent {
  /** What it does, or what came of it. */
  doing: string;
  over: boolean;
}

/** The stages of a run as they go on: each is written for good when it is finished, and until then it is alive. */
export interface LiveStages {
  publish(event: RunEvent): void;
  /** Leaves nothing on the screen that still moves. */
  end(): void;
}

export function createLiveStages(screen: Screen): LiveStages {
  let stage: Stage | undefined;
  let started = performance.now();
  let frame = 0;
  const agents = new Map<string, Agent>();
  const details: string[] = [];
  const refresh = () => {
    if (stage === undefined) return;
    const seconds = duration(Math.floor((performance.now() - started) / 1000));
    const mark = screen.style('cyan', FRAMES[frame % FRAMES.length] ?? '');
    screen.show([stageLine(screen, mark, stage, seconds), ...details, ...agentLines(screen, agents)]);
  };
  const timer = setInterval(() => {
    frame += 1;
    refresh();
  }, FRAME_MS).unref();
  const finish = (event: Extract<RunEvent, { type: 'stage-finished' }>) => {
    const mark = screen.style('green', '✓');
    screen.print(stageLine(screen, mark, event.stage, duration(event.seconds)), ...details);
    screen.print(...agentLines(screen, agents));
    stage = undefined;
    agents.clear();
    details.length = 0;
  };
  return {
    publish(event) {
      if (event.type === 'stage-started') {
        stage = event.stage;
        started = performance.now();
      }
      if (event.type === 'question-asked') details.push(...questionLines(screen, event.question));
      if (event.type === 'note') details.push(screen.style('yellow', `  ! ${fitted(event.text, screen.width - 4)}`));
      keepAgent(agents, event);
      if (event.type === 'stage-finished') finish(event);
      else refresh();
    },
    end() {
      clearInterval(timer);
      screen.show([]);
    },
  };
}

function keepAgent(agents: Map<string, Agent>, event: RunEvent): void {
  if (event.type === 'agent-step') {
    agents.set(event.agent, { doing: `${event.step}  ${event.doing === '' ? 'thinks' : event.doing}`, over: false });
  }
  if (event.type !== 'agent-finished') return;
  const { end, steps, spent } = event;
  const how = end === 'submitted' ? '' : `, ${agentEndInWords(end)}`;
  agents.set(event.agent, { doing: `${counted(steps, 'step')}, ${tokens(all(spent))}${how}`, over: true });
}

function stageLine(screen: Screen, mark: string, stage: Stage, seconds: string): string {
  const words = STAGE_WORDS[stage];
  const gap = Math.max(screen.width - 2 - 9 - words.length - seconds.length, 1);
  return `${mark} ${screen.style('bold', stage.padEnd(9))}${words}${' '.repeat(gap)}${screen.style('dim', seconds)}`;
}

function agentLines(screen: Screen, agents: Map<string, Agent>): string[] {
  return [...agents].map(([name, { doing }]) => {
    const shown = fitted(doing, screen.width - NAME - 4);
    return `  ${screen.style('dim', `${agentName(name).padEnd(NAME)}  ${shown}`)}`;
  });
}

/** `answerer-Q1` is "Answerer Q1". */
function agentName(agent: string): string {
  const role = AgentRole.options.find((one) => agent.startsWith(one)) ?? agent;
  const rest = agent.slice(role.length).replace(/^-/, ' ');
  return fitted(role.charAt(0).toUpperCase() + role.slice(1) + rest, NAME);
}

function questionLines(screen: Screen, question: { id: string; category: string; text: string }): string[] {
  const head = `${question.id} · ${question.category}`;
  const text = wrapped(fitted(question.text, 400), screen.width - 6);
  return [`    ${screen.style('cyan', head)}`, ...text.map((line) => `    ${line}`)];
}

const all = (spent: Spent): number => spent.tokens.input + spent.tokens.output;

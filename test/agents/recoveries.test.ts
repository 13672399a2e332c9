import { describe, expect, it } from 'vitest';
import { runAgent } from '#src/agents/loop.ts';
import { ModelError } from '#src/domain/errors.ts';
import type { ChatReply, ChatRequest } from '#src/domain/ports/index.ts';
import type { ActionProtocol, Recoveries, RunSettings } from '#src/domain/settings.ts';
import { callingTool, scriptedModel } from '../fakes/scripted-model.ts';
import { spokenIn } from '../fakes/text-protocol.ts';
import { allText, lastText, neverAborted, onlyRecoveries, type TestAgentOptions, testAgent } from './agent-fixture.ts';
import { lookTool, smallTask } from './small-task.ts';

const submit = callingTool('submit', { text: 'x is 1' });
const look = (what: string) => callingTool('look', { what });

type Reply = (request: ChatRequest) => Partial<ChatReply> | Error;

/** How the same model ends with one recovery on, and with all of them off. */
async function endsWith(
  recovery: keyof Recoveries,
  protocol: ActionProtocol,
  reply: Reply,
  options: TestAgentOptions = {},
) {
  const run = async (settings: Partial<RunSettings>) => {
    const model = scriptedModel((request) => spokenIn(protocol, reply(request)));
    const agent = testAgent(model, { ...options, settings: { ...settings, protocol } });
    const task = smallTask(lookTool((what) => `found ${what}: ${'long '.repeat(400)}`));
    const result = await runAgent(task, agent.context, neverAborted);
    const noted = agent.entries.flatMap((entry) => (entry.type === 'recovery' ? [entry.recovery] : []));
    return { end: result.end, noted: [...new Set(noted)] };
  };
  return { on: await run(onlyRecoveries(recovery)), off: await run(onlyRecoveries()) };
}

describe.each(['native', 'text'] as const)('what alone saves a run whose calls are %s', (protocol) => {
  it('leaving out older results, when the model cannot read more', async () => {
    const tooLong = new ModelError('context-overflow', 'too long', 'Shorten it.');
    const model: Reply = (request) => {
      if (allText(request).length > 12_000) return tooLong;
      return request.step > 12 ? submit : look(`thing ${request.step}`);
    };
    const { on, off } = await endsWith('contextManagement', protocol, model);
    expect(on).toEqual({ end: 'submitted', noted: ['contextManagement'] });
    expect(off.end).toBe('context-overflow');
  });

  it('a warning, when the model goes in circles', async () => {
    const model: Reply = (request) => (lastText(request).includes('called `look`') ? submit : look('x'));
    const { on, off } = await endsWith('loopDetection', protocol, model, { role: 'answerer', limits: { steps: 9 } });
    expect(on).toEqual({ end: 'submitted', noted: ['loopDetection'] });
    expect(off.end).toBe('step-limit');
  });

  it('understanding a call that was written as text', async () => {
    const model: Reply = () => ({ text: '```json\n{"name": "submit", "arguments": {"text": "x is 1"}}\n```' });
    const { on, off } = await endsWith('implicitToolCalls', protocol, model);
    expect(on).toEqual({ end: 'submitted', noted: ['implicitToolCalls'] });
    expect(off.end).toBe('format-errors');
  });

  it('asking to be concise, when the model talks until it is cut off', async () => {
    const model: Reply = (request) =>
      lastText(request).includes('Be more concise') ? submit : { text: 'Well, '.repeat(900), finish: 'length' };
    const { on, off } = await endsWith('responseLength', protocol, model);
    expect(on).toEqual({ end: 'submitted', noted: ['responseLength'] });
    expect(off.end).toBe('format-errors');
  });

  it('a final turn, when the model would explore for ever', async () => {
    const model: Reply = (request) =>
      allText(request).includes('Your budget ends here') ? submit : look(`thing ${request.step}`);
    const { on, off } = await endsWith('finalTurn', protocol, model, { role: 'answerer', limits: { steps: 12 } });
    expect(on).toEqual({ end: 'submitted', noted: ['finalTurn'] });
    expect(off.end).toBe('step-limit');
  });
});

describe('a conversation that grows too long', () => {
  const explore: Reply = (request) => (request.step > 12 ? submit : look(`thing ${request.step}`));

  it('keeps the instructions, the issue and the last results, and a line for each older one', async () => {
    const model = scriptedModel((request) => ({
      ...(explore(request) as Partial<ChatReply>),
      usage: usageOf(request),
    }));
    const agent = testAgent(model, { role: 'answerer', limits: { contextTokens: 6000 } });
    const task = smallTask(lookTool((what) => `found ${what}: ${'long '.repeat(400)}`));
    await runAgent(task, agent.context, neverAborted);
    const last = model.requests.at(-1) ?? { messages: [] };
    expect(last.messages[0]?.text).toContain('You look things up.');
    expect(last.messages[1]?.text).toContain('What is x?');
    expect(lastText(last)).toContain('found thing 12');
    expect(allText(last)).toContain('was left out to save room');
    expect(allText(last)).not.toContain('found thing 1:');
  });

  it('still answers every call that it shows', async () => {
    const model = scriptedModel((request) => (allText(request).length > 12_000 ? overflow() : explore(request)));
    await runAgent(
      smallTask(lookTool((what) => `found ${what}: ${'long '.repeat(400)}`)),
      testAgent(model).context,
      neverAborted,
    );
    for (const { messages } of model.requests) {
      const asked = messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []));
      const answered = messages.filter((message) => message.role === 'tool');
      expect(answered).toHaveLength(asked.length);
    }
  });

  it('ends when even the first messages are too long', async () => {
    const agent = testAgent(scriptedModel(overflow));
    const result = await runAgent(smallTask(), agent.context, neverAborted);
    expect(result).toMatchObject({ end: 'context-overflow', steps: 0 });
  });

  const overflow = () => new ModelError('context-overflow', 'too long', 'Shorten it.');
  const usageOf = (request: ChatRequest) => ({
    input: Math.ceil(allText(request).length / 4),
    cached: 0,
    output: 10,
    reasoning: 0,
  });
});

describe('a final turn', () => {
  it('offers nothing but the submission, and leaves room for one correction', async () => {
    const model = scriptedModel((request) => {
      if (request.tools.length > 1) return look(`thing ${request.step}`);
      return request.step === 11 ? callingTool('submit', {}) : submit;
    });
    const agent = testAgent(model, { role: 'answerer', limits: { steps: 12 } });
    const result = await runAgent(smallTask(), agent.context, neverAborted);
    expect(result).toMatchObject({ end: 'submitted', steps: 12 });
    expect(model.requests.at(-1)?.tools.map((tool) => tool.name)).toEqual(['submit']);
  });

  it('does not run other tools any more', async () => {
    const looked: string[] = [];
    const tool = lookTool((what) => `found ${looked.push(what)}`);
    const model = scriptedModel((request) => look(`thing ${request.step}`));
    const agent = testAgent(model, { role: 'answerer', limits: { steps: 12 } });
    await runAgent(smallTask(tool), agent.context, neverAborted);
    expect(looked).toHaveLength(10);
    expect(lastText(model.requests.at(-1) ?? { messages: [] })).toContain('no longer available');
  });

  it('comes when the time is nearly over', async () => {
    const model = scriptedModel((request) => (request.tools.length > 1 ? look(`thing ${request.step}`) : submit));
    const agent = testAgent(model, { role: 'answerer', limits: { seconds: 1000 } });
    const slow = lookTool((what) => {
      agent.pass(240);
      return `found ${what}`;
    });
    expect(await runAgent(smallTask(slow), agent.context, neverAborted)).toMatchObject({ end: 'submitted', steps: 5 });
  });
});

describe('a warning about circles', () => {
  it('does not come while the results of the same command change', async () => {
    let run = 0;
    const model = scriptedModel((request) => {
      if (request.step > 8) return submit;
      return request.step % 2 === 0 ? look(`edit ${request.step}`) : look('test');
    });
    const tool = lookTool((what) => `found ${what} ${what === 'test' ? run++ : ''}`, false);
    const agent = testAgent(model);
    await runAgent(smallTask(tool), agent.context, neverAborted);
    expect(agent.entries.filter((entry) => entry.type === 'recovery')).toEqual([]);
  });

  it('names the tool and how often it was called', async () => {
    const model = scriptedModel((request) => (request.step > 2 ? submit : look('x')));
    await runAgent(smallTask(), testAgent(model).context, neverAborted);
    expect(lastText(model.requests.at(-1) ?? { messages: [] })).toContain('called `look` 2 times');
  });
});

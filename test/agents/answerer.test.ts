import { describe, expect, it } from 'vitest';
import { answerQuestion } from '#src/agents/answerer.ts';
import { SandboxError } from '#src/domain/errors.ts';
import type { Question } from '#src/domain/question.ts';
import { callingTool, modelSaying, type ScriptedReply } from '../fakes/scripted-model.ts';
import {
  allText,
  issue,
  lastText,
  neverAborted,
  type TestAgentOptions,
  testAgent,
  testSandbox,
} from './agent-fixture.ts';

const question: Question = { id: 'Q1', category: 'Mechanism & Behavior', text: 'Where does `sum` start counting?' };
const shell = (command: string) => callingTool('shell', { command });
const answer = {
  outcome: 'answered',
  text: 'It starts at 1 (`src/sum.ts:3-4`).',
  citations: [{ kind: 'repository', path: 'src/sum.ts', symbol: 'sum', startLine: 3, endLine: 4 }],
};
const submit = (change: object = {}) => callingTool('submit_answer', { ...answer, ...change });

async function answering(replies: ScriptedReply[], sandbox = testSandbox(), options: TestAgentOptions = {}) {
  const model = modelSaying(...replies);
  const agent = testAgent(model, options);
  const result = await answerQuestion({ issue, question, sandbox }, agent.context, neverAborted);
  return { result, model, sandbox, agent };
}

describe('the Answerer', () => {
  it('looks into the repository and answers with citations', async () => {
    const { result, sandbox } = await answering([shell('rg -n sum src'), submit()]);
    expect(result).toMatchObject({ end: 'submitted', steps: 2, submission: answer });
    expect(sandbox.commands[0]).toMatchObject({ command: 'rg -n sum src', options: { seconds: 120 } });
  });

  it('sees the issue and its own question', async () => {
    const { model } = await answering([submit()]);
    const told = allText(model.requests[0] ?? { messages: [] });
    expect(told).toContain('Sum is off by one');
    expect(told).toContain(question.text);
    expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual(['shell', 'submit_answer']);
    expect(model.requests[0]?.settings).toMatchObject({ temperature: 0 });
  });

  it('may cite all four kinds of evidence', async () => {
    const citations = [
      answer.citations[0],
      { kind: 'dependency', package: 'lodash', version: '4.17.21', path: 'node_modules/lodash/sum.js' },
      { kind: 'observation', command: 'node -e 1', output: '4' },
      { kind: 'standard', name: 'ECMA-262 §13.15' },
    ];
    const { result } = await answering([submit({ citations })]);
    expect(result.submission?.citations).toEqual(citations);
  });

  it('keeps the lines of a dependency, and a citation that is given twice once', async () => {
    const cited = { kind: 'dependency', package: 'lodash', path: 'sum.js', symbol: 'sum', startLine: 3, endLine: 9 };
    const { result } = await answering([submit({ citations: [cited, answer.citations[0], cited] })]);
    expect(result.submission?.citations).toEqual([cited, answer.citations[0]]);
  });

  it('may say that the evidence is missing, and what it looked for', async () => {
    const missing = { outcome: 'evidence-missing', text: 'Nothing found.', citations: [], gaps: 'No caller in src.' };
    const { result } = await answering([callingTool('submit_answer', missing)]);
    expect(result.submission).toMatchObject({ outcome: 'evidence-missing', gaps: 'No caller in src.' });
  });

  it('fills what a model leaves empty or writes as text', async () => {
    const citations = [{ kind: 'repository', path: 'src/sum.ts', startLine: '3', symbol: null, package: '' }];
    const { result } = await answering([submit({ citations, gaps: '', falsifier: null })]);
    expect(result.submission).toEqual({
      ...answer,
      citations: [{ kind: 'repository', path: 'src/sum.ts', startLine: 3, endLine: 3 }],
    });
  });

  it.each([
    ['an answer without evidence', { citations: [] }, 'needs at least one'],
    ['missing evidence without a word on it', { outcome: 'evidence-missing' }, 'gaps: '],
    [
      'a path outside the repository',
      { citations: [{ ...answer.citations[0], path: '/etc/passwd' }] },
      'relative to the root',
    ],
    ['lines in the wrong order', { citations: [{ ...answer.citations[0], endLine: 1 }] }, 'endLine is before'],
    ['a whole file as evidence', { citations: [{ ...answer.citations[0], endLine: 4000 }] }, 'more than 250 lines'],
    ['a citation without its lines', { citations: [{ kind: 'repository', path: 'a' }] }, 'citations.0: startLine'],
    ['lines without a file', { citations: [{ kind: 'dependency', package: 'a', startLine: 3 }] }, 'need the path'],
    ['an unknown outcome', { outcome: 'probably' }, 'outcome: '],
  ])('has to correct %s', async (_, change, problem) => {
    const { result, model } = await answering([submit(change), submit()]);
    expect(result).toMatchObject({ end: 'submitted', steps: 2 });
    expect(lastText(model.requests[1] ?? { messages: [] })).toContain(problem);
  });

  it('is told what it has to work with', async () => {
    const model = modelSaying(submit());
    const input = { issue, question, sandbox: testSandbox(), environment: 'Programs: Python 3.11.2' };
    await answerQuestion(input, testAgent(model).context, neverAborted);
    expect(model.requests[0]?.messages[1]?.text).toMatch(/<environment-\w+>\nPrograms: Python 3.11.2\n<\/environment-/);
  });

  it('reads the title of the issue once', async () => {
    const model = modelSaying(submit());
    const whole = { ...issue, text: `${issue.title}\n\n${issue.text}` };
    await answerQuestion({ issue: whole, question, sandbox: testSandbox() }, testAgent(model).context, neverAborted);
    const told = allText(model.requests[0] ?? { messages: [] });
    expect(told.split(issue.title)).toHaveLength(2);
    expect(told).toContain(issue.text);
  });

  it('writes a proposal where the run asks for one', async () => {
    const { model } = await answering([submit()], testSandbox(), { settings: { asking: 'proposal' } });
    expect(model.requests[0]?.messages[0]?.text).toContain('You write a proposal');
  });

  it('ends as sandbox-lost when its container goes away', async () => {
    const gone = new SandboxError('gone', 'Start again.', { lost: true });
    const { result } = await answering(
      [shell('ls')],
      testSandbox(() => gone),
    );
    expect(result.end).toBe('sandbox-lost');
  });
});

describe('the shell', () => {
  const observed = async (result: Parameters<typeof testSandbox>[0], command = 'npm test') => {
    const { model } = await answering([shell(command), submit()], testSandbox(result));
    return lastText(model.requests[1] ?? { messages: [] });
  };

  it('shows the exit code and the output as text of strangers', async () => {
    const text = await observed(() => ({ exitCode: 1, output: '1 failed' }));
    expect(text).toMatch(/^exit code: 1\n<output-[0-9a-f]{8}>\n1 failed\n<\/output-/);
  });

  it('says that there was no output', async () => {
    expect(await observed(() => ({}))).toBe('exit code: 0\n(no output)');
  });

  it('says when a command was stopped by its time limit', async () => {
    const text = await observed(() => ({ exitCode: null, ending: 'timed-out', output: 'half' }));
    expect(text).toContain('Stopped after 120 seconds');
    expect(text).toContain('half');
  });

  it('says when a command printed without end', async () => {
    expect(await observed(() => ({ exitCode: null, ending: 'output-limit', totalBytes: 10 ** 9 }))).toContain(
      'too much',
    );
  });

  it.each([
    ['vim src/sum.ts', 'vim'],
    ['cd src && less sum.ts', 'less'],
    ['python3', 'python3'],
    ['git add -p', 'git add -p'],
  ])('says that nobody sits at a terminal: %s', async (command, program) => {
    const text = await observed(() => ({ exitCode: null, ending: 'timed-out' }), command);
    expect(text).toContain(`\`${program}\` wants somebody at a terminal`);
  });

  it('does not say so of commands that worked', async () => {
    expect(await observed(() => ({ output: '1' }), 'echo 1 | cat')).not.toContain('terminal');
  });

  it('says what was left running, kept elsewhere, or not readable', async () => {
    const text = await observed(() => ({
      output: 'x',
      totalBytes: 99_999,
      spillPath: '/tmp/out-1',
      undecodableBytes: 3,
      leftRunning: ['node server.js'],
    }));
    expect(text).toContain('node server.js');
    expect(text).toContain('The whole output (99999 bytes) is in `/tmp/out-1`');
    expect(text).toContain('3 bytes of the output are not UTF-8');
  });

  it('gives a command no more time than the agent has left', async () => {
    const limits = { seconds: 1000 };
    const model = modelSaying(shell('a'), shell('b'), submit());
    const agent = testAgent(model, { role: 'answerer', limits });
    const sandbox = testSandbox(() => {
      agent.pass(925);
      return {};
    });
    await answerQuestion({ issue, question, sandbox }, agent.context, neverAborted);
    expect(sandbox.commands.map(({ options }) => options.seconds)).toEqual([120, 75]);
  });
});

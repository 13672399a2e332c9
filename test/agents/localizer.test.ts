import { describe, expect, it } from 'vitest';
import { localize } from '#src/agents/localizer.ts';
import { EnvironmentError } from '#src/domain/errors.ts';
import type { Suspect } from '#src/domain/finding.ts';
import { callingTool, modelSaying, type ScriptedReply } from '../fakes/scripted-model.ts';
import {
  allText,
  echoingRepository,
  issue,
  lastText,
  neverAborted,
  type TestAgentOptions,
  testAgent,
} from './agent-fixture.ts';

const finding = {
  locationExplanation: '`sum` adds up its argument.',
  rootCause: 'It starts at 1.',
  solutionIdea: 'Start at 0.',
  dependencies: 'Callers expect numbers.',
  testingImpact: 'sum.test.ts covers it.',
  locations: [{ path: 'src/sum.ts', startLine: 3, endLine: 4 }],
};
const submit = (change: object = {}) => callingTool('submit_findings', { findings: [{ ...finding, ...change }] });

interface Localizing extends TestAgentOptions {
  suspects?: Suspect[];
  repository?: typeof echoingRepository;
}

async function localizing(replies: ScriptedReply[], options: Localizing = {}) {
  // Lines that were not shown are told once; whoever submits them does so twice.
  const model = modelSaying(...replies, ...replies.slice(-1));
  const { suspects = [], repository = echoingRepository, ...rest } = options;
  const agent = testAgent(model, rest);
  const result = await localize({ issue, repository, suspects }, agent.context, neverAborted);
  return { result, model, agent };
}

describe('the Localizer', () => {
  it('submits findings in five fields with every location', async () => {
    const { result } = await localizing([callingTool('view_file', { path: 'src/sum.ts' }), submit()]);
    expect(result).toMatchObject({ end: 'submitted', steps: 2, submission: { findings: [finding] } });
  });

  it('is told once which of its lines it was never shown, and taken at its word then', async () => {
    const { result, model } = await localizing([submit(), submit()]);
    expect(lastText(model.requests[1] ?? { messages: [] })).toContain('src/sum.ts:3-4');
    expect(result).toMatchObject({ end: 'submitted', steps: 2, submission: { findings: [finding] } });
  });

  it('may name what a search showed', async () => {
    const shown = [{ path: 'src/sum.ts', startLine: 1, endLine: 4 }];
    const repository = { ...echoingRepository, search: async () => ({ text: 'found', shown }) };
    const { result } = await localizing([callingTool('codebase_search', { query: 'sum' }), submit()], { repository });
    expect(result).toMatchObject({ end: 'submitted', steps: 2 });
  });

  it('starts with the issue and the files, in the sampling of the paper', async () => {
    const { model } = await localizing([submit()]);
    const told = allText(model.requests[0] ?? { messages: [] });
    expect(told).toContain('Sum is off by one');
    expect(told).toContain('src/sum.ts (12 lines)');
    expect(model.requests[0]?.settings).toMatchObject({ temperature: 0.99, topP: 0.95 });
  });

  it.each([
    ['view_file', { path: 'a.ts', startLine: '5', endLine: 9 }, 'view a.ts {"startLine":5,"endLine":9}'],
    ['view_file', { path: 'a.ts', startLine: 5 }, 'view a.ts {"startLine":5,"endLine":205}'],
    ['view_file', { path: 'a.ts', startLine: null, endLine: null }, 'view a.ts {}'],
    ['codebase_search', { query: 'sum(', path: 'src' }, 'search sum( {"path":"src"}'],
    ['codebase_search', { query: 'sum(', path: '' }, 'search sum( {}'],
    ['repo_tree', {}, 'src/sum.ts (12 lines)'],
    ['connected_tree', { path: 'a.ts' }, 'connected a.ts'],
    ['connected_tree', {}, 'connected all'],
  ])('reads with %s %j', async (tool, args, text) => {
    const { model } = await localizing([callingTool(tool, args), submit()]);
    expect(lastText(model.requests[1] ?? { messages: [] })).toMatch(/^<repository-[0-9a-f]{8}>\n/);
    expect(lastText(model.requests[1] ?? { messages: [] })).toContain(text);
  });

  it('has only the tools that the settings name', async () => {
    const { model } = await localizing([submit()], { settings: { localizerTools: ['view_file'] } });
    expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual(['view_file', 'submit_findings']);
    expect(model.requests[0]?.messages[0]?.text).not.toContain('codebase_search');
  });

  it('is told that it can read nothing where the settings name no tool', async () => {
    const { model } = await localizing([submit()], { settings: { localizerTools: [] } });
    expect(model.requests[0]?.tools.map((tool) => tool.name)).toEqual(['submit_findings']);
    expect(model.requests[0]?.messages[0]?.text).toContain('You cannot read the repository beyond what you are shown.');
  });

  it('is given the suspects as what they are', async () => {
    const suspect: Suspect = {
      path: 'src/sum.ts',
      score: 3,
      definitions: [{ name: 'sum', startLine: 1, endLine: 9 }],
      reasons: [],
    };
    const { model } = await localizing([submit()], { suspects: [suspect] });
    expect(allText(model.requests[0] ?? { messages: [] })).toContain('- src/sum.ts: sum (1-9)');
  });

  it('may name no place and say why', async () => {
    const { result } = await localizing([callingTool('submit_findings', { abstention: 'It is a question.' })]);
    expect(result.submission).toEqual({ findings: [], abstention: 'It is a question.' });
  });

  it.each([
    ['nothing at all', { findings: [] }, 'give at least one'],
    ['a finding without its root cause', { findings: [{ ...finding, rootCause: '' }] }, 'findings.0.rootCause'],
    ['a finding without a location', { findings: [{ ...finding, locations: [] }] }, 'findings.0.locations'],
    [
      'a whole file as location',
      { findings: [{ ...finding, locations: [{ path: 'a', startLine: 1, endLine: 900 }] }] },
      'more than 250 lines',
    ],
  ])('has to correct %s', async (_, args, problem) => {
    const { result, model } = await localizing([callingTool('submit_findings', args), submit()]);
    expect(result.end).toBe('submitted');
    expect(lastText(model.requests[1] ?? { messages: [] })).toContain(problem);
  });

  it('goes on when a reading fails', async () => {
    const tooSlow = new EnvironmentError('reading', 'The search took too long.', 'Search a folder.');
    const repository = { ...echoingRepository, search: () => Promise.reject(tooSlow) };
    const { result, model } = await localizing([callingTool('codebase_search', { query: 'x' }), submit()], {
      repository,
    });
    expect(result.end).toBe('submitted');
    expect(lastText(model.requests[1] ?? { messages: [] })).toContain('The search took too long.');
  });

  it('is told when it reads the same again', async () => {
    const view = callingTool('view_file', { path: 'src/sum.ts' });
    const { model } = await localizing([view, view, submit()]);
    expect(lastText(model.requests[2] ?? { messages: [] })).toContain('`view_file` 2 times');
  });
});

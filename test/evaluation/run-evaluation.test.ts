import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { composePorts, composeSecrets } from '#src/cli/compose.ts';
import { runArchive, runFolder } from '#src/cli/eval-folder.ts';
import { createRepositoryCheck } from '#src/cli/eval-repositories.ts';
import { loadConfig } from '#src/config.ts';
import { EnvironmentError, ModelError } from '#src/domain/errors.ts';
import type { ChatModel } from '#src/domain/ports/index.ts';
import { parseArms } from '#src/evaluation/arms/arms.ts';
import { Instance } from '#src/evaluation/datasets/instance.ts';
import type { EvaluationPlan, EvaluationPorts } from '#src/evaluation/running/evaluation.ts';
import { runEvaluation } from '#src/evaluation/running/run-evaluation.ts';
import { lexicalModel } from '#src/evaluation/stand-in/lexical-model.ts';
import { callingTool, scriptedModel } from '../fakes/scripted-model.ts';
import { stillClock } from '../github/forge-on-front.ts';
import { leapEvaluation } from './evaluation-process.ts';

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

function evaluation(model: ChatModel, more: Partial<EvaluationPorts> = {}, arms = 'findings') {
  const { folder, repos, out, instances } = leapEvaluation();
  made.push(folder);
  const config = loadConfig({}, folder, { PATH: process.env['PATH'], FATHOM_DATA: join(folder, 'data') });
  const clock = stillClock();
  const said: string[] = [];
  const plan: EvaluationPlan = {
    ...{ scope: 'localize', bad: [], settings: config.settings, parallel: 1, budgetUsd: 50, seconds: 600 },
    instances: instances.map((one) => Instance.parse(one)),
    arms: parseArms(arms, 'localize'),
  };
  const ports: EvaluationPorts = {
    clock,
    tell: (line) => said.push(line),
    check: createRepositoryCheck(repos, config.environment),
    archive: (place) => runArchive(out, place, composeSecrets(config)),
    open: async (run, place) => ({ ...(await composePorts(config, run, runFolder(out, place), [])), model }),
    ...more,
  };
  const run = () => runEvaluation(plan, ports, out, new AbortController().signal);
  return { run, clock, said, out };
}

/** The stand-in, which cannot be reached for its first `failures` calls. */
function failing(failures: number): ChatModel {
  const model = lexicalModel();
  let left = failures;
  return {
    ...model,
    complete: async (request, signal) => {
      if (left-- > 0) throw new ModelError('unreachable', 'nobody answers', 'Wait.');
      return model.complete(request, signal);
    },
  };
}

it('a provider that is away for an hour costs time and no run', async () => {
  const { run, clock, said } = evaluation(failing(10));
  const result = await run();
  expect(result).toMatchObject({ left: 0, skipped: [] });
  expect(result.halt).toBeUndefined();
  expect(result.outcomes.map((outcome) => outcome.end.kind)).toEqual(['diagnosed', 'diagnosed']);
  expect(clock.slept.reduce((sum, seconds) => sum + seconds, 0)).toBeGreaterThan(3600);
  expect(said[0]).toBe('Paused for 30 s: nobody answers');
}, 60_000);

it('a provider that does not come back stops the evaluation after about two hours', async () => {
  const { run, clock } = evaluation(lexicalModel(), {
    open: async () => {
      throw new ModelError('unreachable', 'nobody answers', 'Wait.');
    },
  });
  const halt = { by: 'trouble', end: { code: 'model-unreachable' } };
  expect(await run()).toMatchObject({ outcomes: [], left: 2, halt });
  const hours = clock.slept.reduce((sum, seconds) => sum + seconds, 0) / 3600;
  expect(hours).toBeGreaterThan(1.9);
  expect(hours).toBeLessThan(2.3);
});

it('a disk that is full stops the evaluation and is no failure of a run', async () => {
  const full = new EnvironmentError('disk-enospc', 'cannot write (ENOSPC)', 'Free some disk space.');
  const { run } = evaluation(lexicalModel(), {
    open: async () => {
      throw full;
    },
  });
  expect(await run()).toMatchObject({ outcomes: [], left: 2, halt: { by: 'trouble', end: { code: 'disk-enospc' } } });
});

it('the full Verifier compares the findings with those of five further Localizers', async () => {
  const model = scriptedModel(({ role, agent }) => {
    if (role === 'verifier') {
      return { text: '{"root_cause":5,"location":4,"actionability":3,"overall":4,"agreement":"low","summary":"s"}' };
    }
    const fields = ['locationExplanation', 'rootCause', 'solutionIdea', 'dependencies', 'testingImpact'];
    const texts = Object.fromEntries(fields.map((field) => [field, `${field} by ${agent}`]));
    const locations = [{ path: 'dates/calendar.py', startLine: 1, endLine: 2 }];
    return callingTool('submit_findings', { findings: [{ ...texts, locations }] });
  });
  const { run } = evaluation(model, {}, 'verifier-full');
  const { outcomes } = await run();
  expect(outcomes.map((outcome) => outcome.rating)).toEqual([4, 4]);
  const localizers = outcomes[0]?.agents.filter((agent) => agent.role === 'localizer').map(({ agent }) => agent);
  expect(localizers).toEqual(['localizer', ...[2, 3, 4, 5, 6].map((number) => `localizer-${number}`)]);
  const asked = model.requests.filter((request) => request.role === 'verifier');
  expect(asked).toHaveLength(2);
  for (const number of [2, 3, 4, 5, 6]) {
    expect(asked[0]?.messages[1]?.text).toContain(`rootCause by localizer-${number}`);
  }
}, 60_000);

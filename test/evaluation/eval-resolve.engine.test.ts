import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runFathom } from '../cli/fathom-process.ts';
import { roleOf, scriptedDeveloper } from '../cli/scripted-developer.ts';
import { type ChatServer, startChatServer } from '../fakes/chat-server.ts';
import { leapEvaluation, outcomesIn } from './evaluation-process.ts';

let model: ChatServer;
beforeAll(async () => {
  model = await startChatServer(scriptedDeveloper);
});
afterAll(() => model.close());

it('repairs with no knowledge, with its own, and with another instance’s, in the same pipeline', async () => {
  const { args, folder, out } = leapEvaluation();
  try {
    const variables = { OPENAI_API_KEY: 'test', OPENAI_BASE_URL: model.url, FATHOM_MODEL: 'scripted' };
    const { code, stderr } = await runFathom([...args, '--arms', 'none,both,shuffled'], folder, variables);
    expect(stderr).toContain('6 runs measured (0 failed), 0 not done, 0 skipped');
    expect(code).toBe(0);
    const outcomes = outcomesIn(out);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        tests: { resolved: true, failToPass: { passed: 1, total: 1 }, passToPass: { passed: 2, total: 2 } },
        patched: ['dates/calendar.py'],
        proof: 'proven',
      });
    }
    const roles = (arm: string) =>
      (outcomes.find((outcome) => outcome.arm === arm)?.['agents'] as { role: string }[] | undefined)?.map(
        (agent) => agent.role,
      );
    expect(roles('none')).toEqual(['resolver']);
    expect(roles('shuffled')).toEqual(['resolver']);
    expect(roles('both')).toEqual(['questioner', 'answerer', 'answerer', 'localizer', 'resolver']);
    const knowing = model.requests.filter((request) => roleOf(request) === 'resolver');
    const withFindings = knowing.filter((request) => request.text.includes('Except centuries that 400'));
    // Two steps each: two runs of each arm, of which `both` and `shuffled` were given findings.
    expect([knowing.length, withFindings.length]).toEqual([12, 8]);
    const { summary } = JSON.parse(readFileSync(join(out, 'results.json'), 'utf8'));
    expect(summary.measure).toBe('resolved');
    expect(summary.comparisons.map((one: { treatment: string }) => one.treatment)).toEqual(['both', 'shuffled']);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

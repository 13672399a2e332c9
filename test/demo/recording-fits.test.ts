import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { promptsFolder } from '#src/cli/compose.ts';
import { readRecording } from '#src/model/recording.ts';
import { loadPrompts } from '#src/prompts/load-prompts.ts';
import { RECORDING } from '../../scripts/demo/choose-speaker.ts';
import { staleRoles } from '../../scripts/demo/stale-roles.ts';

const prompts = loadPrompts(promptsFolder);
const call = (role: 'answerer' | 'resolver', promptHash: string) => ({
  role,
  agent: role,
  step: 1,
  promptHash,
  seconds: 0,
  reply: {
    text: '',
    toolCalls: [],
    finish: 'stop' as const,
    usage: { input: 0, cached: 0, output: 0, reasoning: 0 },
    reasoned: false,
    dropped: [],
  },
});

test('a role whose prompts have changed since is named once, others are not', () => {
  const calls = [call('answerer', 'before'), call('answerer', 'before'), call('resolver', prompts.hash('resolver'))];
  expect(staleRoles(calls, prompts.hash)).toEqual(['answerer']);
});

test.skipIf(!existsSync(RECORDING))('the prompts still fit the recording that the demonstration plays', () => {
  const calls = readRecording(readFileSync(RECORDING, 'utf8').split('\n'));
  expect(new Set(calls.map((one) => one.role))).toEqual(new Set(['questioner', 'answerer', 'localizer', 'resolver']));
  const stale = staleRoles(calls, prompts.hash);
  const remedy = 'record the run again: npm run demo -- --record examples/recordings/ledgerline.jsonl';
  expect(stale, `prompts of ${stale.join(', ')} changed since; ${remedy}`).toEqual([]);
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ablated, readAblations } from '#src/domain/ablations.ts';
import { defaultRunSettings } from '#src/domain/default-settings.ts';
import { ModelError } from '#src/domain/errors.ts';
import type { ChatRequest } from '#src/domain/ports/index.ts';
import type { ActionProtocol } from '#src/domain/settings.ts';
import { allText, lastText } from '../agents/agent-fixture.ts';
import { callingTool, type ScriptedReply } from '../fakes/scripted-model.ts';
import { spokenIn } from '../fakes/text-protocol.ts';
import { COMMIT, repository } from '../git/repositories.ts';
import { carefulModel, finding, locating } from './careful-model.ts';
import { diagnosing } from './run-fixture.ts';

const ends: (() => void)[] = [];
let clone = '';
beforeAll(() => {
  const script = `mkdir src; seq 1 3000 | sed 's/.*/total_& = "a line of a long table of constants, number &"/' > src/ledger.py`;
  clone = repository(`${script}${COMMIT}`, (end) => ends.push(end));
});
afterAll(() => {
  for (const end of ends) end();
});

const found = () => locating(finding('src/ledger.py', 2, 2));
const view = (startLine: number) =>
  callingTool('view_file', { path: 'src/ledger.py', startLine, endLine: startLine + 199 });

interface Rescue {
  when: string;
  off: string;
  end: string;
  model(request: ChatRequest): ScriptedReply;
}

/** A model that needs one of the recoveries, and how it ends without. */
const RESCUES: Rescue[] = [
  {
    when: 'reads more than it can hold',
    off: 'no-context-management',
    end: 'context-overflow',
    model: (request) => {
      if (allText(request).length > 70_000) return new ModelError('context-overflow', 'too long', 'Shorten it.');
      return request.step > 8 ? found() : view(request.step * 200);
    },
  },
  {
    when: 'goes in circles',
    off: 'no-loop-detection',
    end: 'step-limit',
    model: (request) => (lastText(request).includes('called `view_file`') ? found() : view(1)),
  },
  {
    when: 'writes its call as text',
    off: 'no-implicit-tool-calls',
    end: 'format-errors',
    model: () => {
      const [call] = found().toolCalls ?? [];
      return { text: `\`\`\`json\n{"name": "${call?.name}", "arguments": ${call?.arguments}}\n\`\`\`` };
    },
  },
  {
    when: 'talks until it is cut off',
    off: 'no-response-length',
    end: 'format-errors',
    model: (request) =>
      lastText(request).includes('Be more concise') ? found() : { text: 'Well, '.repeat(900), finish: 'length' },
  },
  {
    when: 'would explore for ever',
    off: 'no-final-turn',
    end: 'step-limit',
    model: (request) =>
      allText(request).includes('Your budget ends here')
        ? found()
        : callingTool('codebase_search', { query: `total_${request.step}` }),
  },
];

const NAMED = RESCUES.map((rescue): [when: string, off: string, rescue: Rescue] => [rescue.when, rescue.off, rescue]);

async function located(rescue: Rescue, protocol: ActionProtocol, ablate: string) {
  const base = { ...defaultRunSettings('test-model'), questions: 0, protocol };
  const settings = ablated(base, readAblations(ablate, '--ablate').ablations);
  const model = carefulModel({ locate: (request) => spokenIn(protocol, rescue.model(request)) });
  const { end, diagnosis } = await diagnosing(clone, model, { title: 'A total is wrong', settings });
  return { end: end.kind, findings: diagnosis?.findings.length, notes: diagnosis?.notes };
}

describe.each(['native', 'text'] as const)('a Localizer whose calls are %s', (protocol) => {
  it.each(NAMED)('that %s finds the place, but not with %s', async (_, off, rescue) => {
    expect(await located(rescue, protocol, 'no-questions')).toEqual({ end: 'diagnosed', findings: 1, notes: [] });
    expect(await located(rescue, protocol, off)).toEqual({
      end: 'diagnosed',
      findings: 0,
      notes: [`There are no findings: the Localizer ended with ${rescue.end}.`],
    });
  });
});

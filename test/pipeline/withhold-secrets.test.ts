import { describe, expect, it } from 'vitest';
import type { Patch } from '#src/domain/patch.ts';
import { propose } from '#src/pipeline/propose.ts';
import type { RunContext } from '#src/pipeline/run-context.ts';
import { createSecrets } from '#src/secrets/create-secrets.ts';
import { diagnosis } from '../report/fixtures.ts';
import { proof, resolution } from '../report/repair-fixtures.ts';
import { fakeSecrets } from '../secrets/fake-secrets.ts';
import { testRun } from './support/run-context.ts';

const ownKey = 'operators4key-of-the-provider';

/** What becomes of a change that adds these lines and removes those. */
async function proposed(added: string[], removed: string[] = []) {
  const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
  const head = `diff --git a/conf.py b/conf.py\n--- a/conf.py\n+++ b/conf.py\n@@ -9,${removed.length} +9,${added.length} @@\n`;
  const patch: Patch = { ...resolution.patch, diff: Buffer.from(`${head}${lines.join('\n')}\n`).toString('base64') };
  const made: string[] = [];
  const make: RunContext['ports']['propose'] = async () => {
    made.push('pull request');
    return { kind: 'proposed', pullRequest: 1, draft: true };
  };
  const ports = { secrets: createSecrets([ownKey]), propose: make };
  const { context } = testRun('/nowhere', { title: 't', body: 'b' }, { ports });
  context.ports.ledger.load = async () => undefined;
  const end = await propose(context, { diagnosis, resolution: { ...resolution, patch }, proof });
  return { end, made };
}

describe('a change that adds a secret', () => {
  it.each(Object.entries({ ...fakeSecrets(), "the operator's key": ownKey }))(
    'opens no pull request, and is told by file and line: %s',
    async (_name, secret) => {
      const { end, made } = await proposed(['import os', `value = '${secret}'`]);
      expect(made).toEqual([]);
      expect(end).toMatchObject({ kind: 'no-pull-request', reason: expect.stringContaining('conf.py, line 10 (') });
      expect(JSON.stringify(end)).not.toContain(secret);
    },
  );
});

describe('a change that removes one, or adds none', () => {
  it('becomes a pull request', async () => {
    const token = fakeSecrets()['a GitHub token'] ?? '';
    const { made } = await proposed(["token = os.environ['TOKEN']"], [`token = '${token}'`]);
    expect(made).toEqual(['pull request']);
  });
});

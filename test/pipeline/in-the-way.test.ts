import { expect, it } from 'vitest';
import type { Diagnosis } from '#src/domain/diagnosis.ts';
import { CancelledError } from '#src/domain/errors.ts';
import { inTheWay } from '#src/pipeline/in-the-way.ts';
import type { RunContext } from '#src/pipeline/run-context.ts';

it('a run that is stopped does not wait for a code host that answers nobody', async () => {
  const stop = new AbortController();
  const context = {
    run: { id: 'r' },
    signal: stop.signal,
    ports: {
      ledger: { load: async () => undefined },
      inTheWay: () => {
        stop.abort(new CancelledError('@maria'));
        return new Promise(() => undefined);
      },
    },
  } as unknown as RunContext;
  const location = { path: 'a.js', startLine: 1, endLine: 2 };
  const diagnosis = { findings: [{ checked: [{ verdict: 'holds', location }] }] } as unknown as Diagnosis;
  await expect(inTheWay(context, diagnosis)).rejects.toThrow('stopped by @maria');
});

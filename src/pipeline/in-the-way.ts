import { z } from 'zod';
import type { Diagnosis } from '../domain/diagnosis.ts';
import type { RunEnd } from '../domain/ends.ts';
import { unlessAborted } from '../domain/unless-aborted.ts';
import { keepPart, type RunContext } from './run-context.ts';

const KEY = 'in-the-way';
/** What was found once holds for the run: what it began is not dropped when it is taken up again. */
const Found = z.object({ reason: z.string().optional() });

/** Before the repair: the end of the run where somebody else is changing what is suspected, else undefined. */
export async function inTheWay(context: RunContext, { findings }: Diagnosis): Promise<RunEnd | undefined> {
  const look = context.ports.inTheWay;
  const places = findings
    .flatMap((finding) => finding.checked)
    .filter(({ verdict }) => verdict !== 'struck')
    .map(({ location }) => location);
  if (look === undefined || places.length === 0) return undefined;
  const { reason } = await keepPart(context, KEY, Found, async () => {
    const found = await unlessAborted(look(places), context.signal);
    return found === undefined ? {} : { reason: found };
  });
  return reason === undefined ? undefined : { kind: 'no-pull-request', reason };
}

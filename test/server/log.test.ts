import { describe, expect, it } from 'vitest';
import { ForgeError } from '#src/domain/errors.ts';
import { createLog } from '#src/server/log.ts';

function logged(err: unknown): { line: string; err: Record<string, unknown> } {
  const lines: string[] = [];
  createLog('info', { write: (line: string) => void lines.push(line) }).error({ err }, 'failed');
  const line = lines[0] ?? '{}';
  return { line, err: JSON.parse(line).err };
}

describe('the log', () => {
  it('writes an error with its causes, and nothing of the request that a library hangs on it', () => {
    const request = { headers: { authorization: 'token ghs_secret' } };
    const cause = Object.assign(new Error('answered with 500'), { request, code: 'ECONNRESET' });
    const { line, err } = logged(new ForgeError('unreachable', 'no answer', 'wait', { cause }));
    expect(line).not.toContain('ghs_secret');
    expect(err).toMatchObject({
      code: 'forge-unreachable',
      cause: { code: 'ECONNRESET', message: 'answered with 500' },
    });
  });

  it('writes what the queue reports though that is no Error, and survives a chain of causes without end', () => {
    expect(logged({ message: 'connection lost', stack: 'here' }).err).toMatchObject({ message: 'connection lost' });
    const endless: Error = new Error('endless');
    endless.cause = endless;
    expect(logged(endless).err).toMatchObject({ message: 'endless' });
  });
});

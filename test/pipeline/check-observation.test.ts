import { describe, expect, it } from 'vitest';
import type { TrajectoryEntry } from '../../src/domain/ports/trajectory-store.ts';
import { checkObservation } from '../../src/pipeline/check-observation.ts';

const at = '2026-01-01T00:00:00Z';
const ran = (command: string, output: string, step = 1): TrajectoryEntry[] => [
  {
    type: 'message',
    at,
    step,
    message: {
      role: 'assistant',
      text: '',
      toolCalls: [{ id: 'c1', name: 'shell', arguments: JSON.stringify({ command }) }],
    },
  },
  { type: 'message', at, step, message: { role: 'tool', callId: 'c1', name: 'shell', text: output } },
];
const cite = (command: string, output: string) => ({ kind: 'observation', command, output }) as const;

describe('a citation of a command that was run', () => {
  const trajectory = ran(`grep -n "def walk" a.py`, 'exit code 0\n12:  def walk(self):\n');

  it('holds when the command was run and its output says so, however it is spaced', () => {
    expect(checkObservation(cite(`grep -n "def walk" a.py`, '12: def walk(self):'), trajectory).verdict).toBe(
      'confirmed',
    );
  });

  it('is struck when the command was never run', () => {
    expect(checkObservation(cite('pytest', '1 failed'), trajectory)).toMatchObject({
      verdict: 'struck',
      note: 'this command was never run',
    });
  });

  it('is struck when the output does not say it', () => {
    expect(checkObservation(cite(`grep -n "def walk" a.py`, '13: def walk'), trajectory).verdict).toBe('struck');
  });

  it('is held against its own output where a server gives every call the same id', () => {
    const both = [...ran('cat a.py', 'one'), ...ran('cat b.py', 'two', 2)];
    expect(checkObservation(cite('cat a.py', 'one'), both).verdict).toBe('confirmed');
    expect(checkObservation(cite('cat a.py', 'two'), both).verdict).toBe('struck');
  });

  it('is struck when it quotes nothing, because nothing is in every output', () => {
    expect(checkObservation(cite(`grep -n "def walk" a.py`, '  '), trajectory).verdict).toBe('struck');
  });
});

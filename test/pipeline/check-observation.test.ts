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
const handedIn = (falsifier: string, reply: string): TrajectoryEntry[] => [
  {
    type: 'message',
    at,
    step: 1,
    message: {
      role: 'assistant',
      text: '',
      toolCalls: [{ id: 'c1', name: 'submit_answer', arguments: JSON.stringify({ falsifier }) }],
    },
  },
  { type: 'message', at, step: 1, message: { role: 'tool', callId: 'c1', name: 'submit_answer', text: reply } },
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

  it('is struck when the command only stands in what was handed in, whatever was replied to that', () => {
    const reply = 'Not handed in yet: your answer says that 1 test failed, 3 passed.';
    const trajectory = handedIn('pytest fails', reply);
    expect(checkObservation(cite('pytest', '1 test failed, 3 passed'), trajectory)).toMatchObject({
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

  const script = ran(
    "cd src && cat > /tmp/t.py <<'PY'\nimport a\nprint(a.walk())\nPY\npython3 /tmp/t.py; grep -n walk a.py \\\n  | head -3",
    'exit code: 0\n<output-1>\nwalking slowly\n1:def walk():\n2:  pass\n3:  walk()\n</output-1>',
  );

  it.each([
    ['its last line', 'grep -n walk a.py | head -3'],
    ['a line from its middle, with a prompt before it', '$ python3 /tmp/t.py'],
    ['a command in it without the separator', 'python3 /tmp/t.py;'],
    ['two lines of it', 'import a\nprint(a.walk())'],
    ['all of it on one line', "cd src && cat > /tmp/t.py <<'PY' import a print(a.walk()) PY python3 /tmp/t.py"],
  ])('holds for an unbroken piece of a longer command: %s', (_, command) => {
    expect(checkObservation(cite(command, 'walking slowly'), script)).toMatchObject({ verdict: 'confirmed' });
  });

  it.each([
    ['half a word of it', 'grep -n walk a.p'],
    ['pieces that are not side by side', 'python3 /tmp/t.py | head -3'],
  ])('does not hold for %s', (_, command) => {
    expect(checkObservation(cite(command, 'no such'), script).note).toBe('this command was never run');
  });

  it('holds when lines between the quoted ones are left out, and not when their order is turned', () => {
    const command = 'grep -n walk a.py';
    expect(checkObservation(cite(command, '1:def walk():\n...\n3:  walk()'), script).verdict).toBe('confirmed');
    expect(checkObservation(cite(command, '3:  walk()\n1:def walk():'), script).verdict).toBe('struck');
  });

  it('is put down to the command that really printed it', () => {
    const both = [...ran('pytest -q', '1 failed, 3 passed in 0.12s'), ...ran('cat b.py', 'two', 2)];
    expect(checkObservation(cite('python3 -m pytest', '1 failed, 3 passed in 0.12s'), both)).toMatchObject({
      verdict: 'corrected',
      citation: { command: 'pytest -q' },
    });
  });

  it('is judged in no time over commands that repeat themselves', () => {
    const endless = ran('a'.repeat(300_000), 'b '.repeat(100_000));
    expect(checkObservation(cite('a'.repeat(150_000), 'b '.repeat(50_000)), endless).verdict).toBe('corrected');
    expect(checkObservation(cite('a'.repeat(150_000), 'b c '.repeat(50_000)), endless).verdict).toBe('struck');
    const lines = ran('cat a.txt', 'a\n\n'.repeat(300_000));
    expect(checkObservation(cite('cat a.txt', `${'a\n'.repeat(250_000)}c`), lines).verdict).toBe('struck');
  });
});

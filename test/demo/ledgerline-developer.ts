import { roleOf } from '../cli/scripted-developer.ts';
import type { ServedAnswer, ServedRequest } from '../fakes/chat-server.ts';

const questions = [
  {
    category: 'Mechanism & Behavior',
    question:
      'How does `createPeriods` in src/billing/periods.js decide that two schedules are the same, and which fields of a rule take part in the key of its cache?',
  },
  {
    category: 'Locating & Structure',
    question: 'Which modules call `compact` in src/support/compact.js, and which values does it treat as not set?',
  },
];

const look =
  "cat src/support/fingerprint.js src/support/compact.js && grep -rn 'compact(' src && grep -n weekday -r src";

const answer = {
  outcome: 'answered',
  text: 'The cache key is made by `fingerprint`, which passes the fields through `compact`. `compact` keeps only truthy values, so `weekday: 0`, a Sunday, is left out of the key and of snapshots.',
  citations: [
    { kind: 'repository', path: 'src/support/compact.js', symbol: 'saysSomething', startLine: 12, endLine: 14 },
    { kind: 'repository', path: 'src/billing/periods.js', startLine: 31, endLine: 33 },
    { kind: 'observation', command: look, output: 'return Array.isArray(value) ? value.length > 0 : Boolean(value);' },
  ],
};

const finding = {
  locationExplanation: 'Everything that drops unset fields goes through this predicate: cache keys and snapshots.',
  rootCause: '`Boolean(value)` takes 0 for a value that is not set, so the weekday 0 (Sunday) disappears.',
  solutionIdea: 'Let the number 0 count as a value that says something.',
  dependencies: '`fingerprint` (cache keys of periods) and `takeSnapshot` rely on it.',
  testingImpact: 'No test covers a field with the value 0.',
  locations: [{ path: 'src/support/compact.js', startLine: 12, endLine: 14 }],
};

const fix = `cat > /tmp/fix.py <<'PY'
from pathlib import Path
p = Path('src/support/compact.js')
p.write_text(p.read_text().replace('value.length > 0 : Boolean(value)', 'value.length > 0 : value === 0 || Boolean(value)'))
PY
python3 /tmp/fix.py
cat > test/order.test.js <<'JS'
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBook } from '../src/index.js';

const north = { id: 'north', price: '84.00', every: 'weekly', start: '2026-04-01' };
const south = { id: 'south', price: '84.00', every: 'weekly on sunday', start: '2026-04-01' };

test('a total does not depend on the order of the subscriptions', () => {
  for (const offices of [[north, south], [south, north]]) {
    const book = createBook();
    for (const office of offices) book.subscribe(office);
    assert.equal(book.statement('2026-04').total.minor, 80_400);
  }
});
JS
node --test test/order.test.js && git diff`;

const resolution = {
  summary: 'The number 0 counts as a value, so a rule on Sunday keeps its weekday in cache keys and snapshots.',
  cause: '`compact` dropped the weekday 0, so weekly rules with and without Sunday shared one cache entry.',
  regressionTest: 'node --test test/order.test.js',
  testFiles: ['test/order.test.js'],
};

const call = (name: string, args: Record<string, unknown>): ServedAnswer => ({
  toolCalls: [{ name, arguments: args }],
  usage: { input: 2400, cached: 1200, output: 180 },
});

/** A developer who finds what is wrong with ledgerline, repairs it and tests it; every command is really run. */
export function ledgerlineDeveloper(request: ServedRequest): ServedAnswer {
  const acted = request.text.includes('"tool_calls"');
  switch (roleOf(request)) {
    case 'questioner':
      return { text: JSON.stringify(questions), usage: { input: 3100, output: 220 } };
    case 'answerer':
      return acted ? call('submit_answer', answer) : call('shell', { command: look });
    case 'localizer':
      return acted
        ? call('submit_findings', { findings: [finding] })
        : call('view_file', { path: 'src/support/compact.js' });
    case 'resolver':
      return acted ? call('submit_resolution', resolution) : call('shell', { command: fix });
  }
}

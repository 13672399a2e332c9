import type { ServedAnswer, ServedRequest } from '../fakes/chat-server.ts';

const question = {
  category: 'Mechanism & Behavior',
  question:
    'How does `days_in_year` in dates/calendar.py decide whether a year has 366 days, and which rule does it use?',
};
const second = {
  category: 'Locating & Structure',
  question: 'Which modules of the dates package call `is_leap`, and where are leap years covered by tests?',
};

const fix = `python3 - <<'PY'
from pathlib import Path
p = Path('dates/calendar.py')
p.write_text(p.read_text().replace('return year % 4 == 0', 'return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)'))
t = Path('tests/test_century.py')
t.write_text("import unittest\\n\\nfrom dates.calendar import days_in_year\\n\\n\\nclass Century(unittest.TestCase):\\n    def test_1900(self):\\n        self.assertEqual(days_in_year(1900), 365)\\n")
PY`;

const finding = {
  locationExplanation: 'The rule for leap years.',
  rootCause: 'Every year that 4 divides counts as a leap year, so centuries do too.',
  solutionIdea: 'Except centuries that 400 does not divide.',
  dependencies: 'days_in_year relies on it.',
  testingImpact: 'No test covers a century.',
  locations: [{ path: 'dates/calendar.py', startLine: 1, endLine: 2 }],
};

const answer = {
  outcome: 'answered',
  text: '`is_leap` only tests divisibility by 4 (dates/calendar.py:1-2).',
  citations: [
    { kind: 'repository', path: 'dates/calendar.py', symbol: 'is_leap', startLine: 1, endLine: 2 },
    { kind: 'repository', path: 'dates/nowhere.py', startLine: 1, endLine: 2 },
    { kind: 'observation', command: 'cat dates/calendar.py', output: 'return year % 4 == 0' },
  ],
};

const resolution = {
  summary: 'Centuries are leap years only when 400 divides them.',
  cause: 'The rule stopped at 4.',
  regressionTest: 'python3 -m unittest tests.test_century',
  testFiles: ['tests/test_century.py'],
};

const call = (name: string, args: Record<string, unknown>): ServedAnswer => ({
  toolCalls: [{ name, arguments: args }],
});

/** Whose turn it is, told from the tools that are offered. */
export function roleOf({ tools }: ServedRequest): 'questioner' | 'answerer' | 'localizer' | 'resolver' {
  if (tools.includes('submit_resolution')) return 'resolver';
  if (tools.includes('submit_findings')) return 'localizer';
  return tools.includes('submit_answer') ? 'answerer' : 'questioner';
}

const acted = (request: ServedRequest): boolean => request.text.includes('"tool_calls"');

/** A developer who finds the fault, repairs it and tests it; every command is really run. */
export function scriptedDeveloper(request: ServedRequest): ServedAnswer {
  switch (roleOf(request)) {
    case 'questioner':
      return { text: JSON.stringify([question, second]) };
    case 'answerer':
      return acted(request) ? call('submit_answer', answer) : call('shell', { command: 'cat dates/calendar.py' });
    case 'localizer':
      return acted(request)
        ? call('submit_findings', { findings: [finding] })
        : call('view_file', { path: 'dates/calendar.py' });
    case 'resolver':
      return acted(request) ? call('submit_resolution', resolution) : call('shell', { command: fix });
  }
}

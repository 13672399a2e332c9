import { describe, expect, it } from 'vitest';
import type { AuditedFinding, AuditedPair } from '#src/domain/diagnosis.ts';
import { crossCheck } from '#src/pipeline/cross-check.ts';

type Verdict = 'confirmed' | 'corrected' | 'struck';
const span = (path: string, startLine: number, endLine: number) => ({ path, startLine, endLine });

const answerAt = (id: string, ...places: [ReturnType<typeof span>, Verdict][]): AuditedPair => ({
  question: { id, category: 'Design & Usage', text: 'How?' },
  end: 'submitted',
  checked: places.map(([place, verdict]) => ({ citation: { kind: 'repository', ...place }, verdict })),
});
const findingAt = (...places: [ReturnType<typeof span>, Verdict][]): AuditedFinding => ({
  locationExplanation: 'l',
  rootCause: 'r',
  solutionIdea: 's',
  dependencies: 'd',
  testingImpact: 't',
  locations: places.map(([place]) => place),
  checked: places.map(([location, verdict]) => ({ location, verdict })),
});

describe('an answer beside a finding', () => {
  it.each([
    ['on overlapping lines', span('a.py', 10, 20), 'same-lines'],
    ['five lines away', span('a.py', 25, 25), 'same-lines'],
    ['six lines away', span('a.py', 26, 30), 'same-file'],
    ['in another file', span('b.py', 10, 20), 'elsewhere'],
  ])('%s', (_, place, relation) => {
    const [check] = crossCheck(
      [answerAt('Q1', [place, 'confirmed'])],
      [findingAt([span('a.py', 12, 20), 'confirmed'])],
    );
    expect(check).toMatchObject({ question: 'Q1', finding: 1, relation });
  });

  it('counts the best of its places, and none that was struck', () => {
    const far: [ReturnType<typeof span>, Verdict] = [span('a.py', 90, 91), 'confirmed'];
    const finding = findingAt([span('a.py', 1, 2), 'struck'], [span('a.py', 50, 60), 'corrected']);
    const near = crossCheck([answerAt('Q1', far, [span('a.py', 55, 55), 'corrected'])], [finding]);
    expect(near).toEqual([{ question: 'Q1', finding: 1, relation: 'same-lines', place: span('a.py', 55, 55) }]);
    const struck = crossCheck([answerAt('Q1', far, [span('a.py', 55, 55), 'struck'])], [finding]);
    expect(struck[0]?.relation).toBe('same-file');
  });

  it('says nothing where one of them points at no place', () => {
    expect(crossCheck([answerAt('Q1')], [findingAt([span('a.py', 1, 2), 'confirmed'])])).toEqual([]);
    const struck = findingAt([span('a.py', 1, 2), 'struck']);
    expect(crossCheck([answerAt('Q1', [span('a.py', 1, 2), 'confirmed'])], [struck])).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { readAudit } from '../../scripts/audit/read-audit.ts';

const report = (vulnerabilities: object) =>
  JSON.stringify({ vulnerabilities, metadata: { vulnerabilities: { total: 1 }, dependencies: { total: 321 } } });

describe('what npm says of the dependencies', () => {
  it('is a failure for a grave weakness, the worst first', () => {
    const found = {
      a: { name: 'a', severity: 'high', range: '<2.0.0' },
      b: { name: 'b', severity: 'moderate', range: '*' },
      c: { name: 'c', severity: 'critical', range: '1.x' },
    };
    expect(readAudit(report(found))).toEqual({ kind: 'weak', lines: ['critical: c 1.x', 'high: a <2.0.0'] });
  });

  it('is none for what is moderate, or for nothing', () => {
    expect(readAudit(report({ b: { name: 'b', severity: 'low' } }))).toEqual({ kind: 'clean', packages: 321 });
    expect(readAudit(report({}))).toEqual({ kind: 'clean', packages: 321 });
  });

  it.each([
    ['a registry without such an address', '{"message":"405 Method Not Allowed","statusCode":405}', '405'],
    ['no answer at all', '', 'no report'],
    ['something else', '<html>', 'no report'],
  ])('is not taken for a pass where the answer is %s', (_name, output, because) => {
    expect(readAudit(output)).toMatchObject({ kind: 'skipped', because: expect.stringContaining(because) });
  });
});

export type Audit =
  | { kind: 'clean'; packages: number }
  /** Known weaknesses, worst first, one line each. */
  | { kind: 'weak'; lines: string[] }
  | { kind: 'skipped'; because: string };

const GRAVE = ['critical', 'high'];
const SHOWN = 20;

/** Reads what `npm audit --json` (npm 7 and newer) printed; whatever is no report of weaknesses means that none was had. */
export function readAudit(output: string): Audit {
  const report = parsed(output);
  const found = report?.metadata?.vulnerabilities;
  if (report === undefined || found === undefined) {
    return { kind: 'skipped', because: report?.message?.slice(0, 200) || 'npm gave no report' };
  }
  const grave = Object.values(report.vulnerabilities ?? {})
    .filter(({ severity = '' }) => GRAVE.includes(severity))
    .sort((a, b) => GRAVE.indexOf(a.severity ?? '') - GRAVE.indexOf(b.severity ?? ''));
  if (grave.length === 0) return { kind: 'clean', packages: report.metadata?.dependencies?.total ?? 0 };
  const lines = grave.map(({ name, severity, range }) => `${severity}: ${name} ${range ?? ''}`.trim());
  return { kind: 'weak', lines: lines.slice(0, SHOWN) };
}

interface Report {
  message?: string;
  metadata?: { vulnerabilities?: object; dependencies?: { total?: number } };
  vulnerabilities?: Record<string, { name?: string; severity?: string; range?: string }>;
}

function parsed(output: string): Report | undefined {
  try {
    const value: unknown = JSON.parse(output);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

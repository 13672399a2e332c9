import { Instance } from './instance.ts';

/** A line that cannot be evaluated, and why. `line` is 1-based. */
export interface BadLine {
  line: number;
  instance?: string;
  reason: string;
}

export interface Dataset {
  instances: Instance[];
  bad: BadLine[];
}

/** Reads JSON lines (or one JSON array); what is malformed or comes twice is named and left out, never fatal. */
export function readDataset(text: string): Dataset {
  const dataset: Dataset = { instances: [], bad: [] };
  const seen = new Set<string>();
  for (const { line, value, reason } of values(text.replace(/^\uFEFF/, ''))) {
    if (reason !== undefined) {
      dataset.bad.push({ line, reason });
      continue;
    }
    const parsed = Instance.safeParse(value);
    if (!parsed.success) dataset.bad.push({ line, ...nameOf(value), reason: complaints(parsed.error.issues) });
    else if (seen.has(parsed.data.instance_id)) {
      dataset.bad.push({ line, instance: parsed.data.instance_id, reason: 'an instance of this name came before' });
    } else {
      seen.add(parsed.data.instance_id);
      dataset.instances.push(parsed.data);
    }
  }
  return dataset;
}

interface Value {
  line: number;
  value?: unknown;
  reason?: string;
}

function values(text: string): Value[] {
  const whole = text.trimStart().startsWith('[') ? parsedJson(text) : undefined;
  if (Array.isArray(whole)) return whole.map((value, index) => ({ line: index + 1, value }));
  return text.split('\n').flatMap((content, index): Value[] => {
    if (content.trim() === '') return [];
    const value = parsedJson(content);
    const line = index + 1;
    return [value === undefined ? { line, reason: 'is not JSON' } : { line, value }];
  });
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function nameOf(value: unknown): { instance?: string } {
  const name = typeof value === 'object' && value !== null && 'instance_id' in value ? value.instance_id : undefined;
  return typeof name === 'string' ? { instance: name.slice(0, 200) } : {};
}

const complaints = (issues: { path: PropertyKey[]; message: string }[]): string =>
  issues
    .slice(0, 5)
    .map((issue) => `${issue.path.join('.') || 'the line'}: ${issue.message}`)
    .join('; ');

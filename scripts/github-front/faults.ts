/** What a fault does instead of the answer: answers itself, cuts the connection, or cuts it after the work was done. */
type Fault = { status: number; headers?: Record<string, string>; body?: unknown } | { drop: 'before' | 'after' };

interface FaultRule {
  method: string;
  /** Matched against the percent-decoded path without its query; a string has to be equal. */
  path: string | RegExp;
  fault: Fault;
  /** How many requests it meets; all of them when absent. */
  times?: number;
}

/** Faults that a test injects. The first rule that fits a request is used, and used up. */
export interface Faults {
  add(rule: FaultRule): void;
  clear(): void;
  take(method: string, path: string): Fault | undefined;
}

export function createFaults(): Faults {
  let rules: { rule: FaultRule; left: number }[] = [];
  const fits = (rule: FaultRule, method: string, path: string): boolean =>
    rule.method === method && (typeof rule.path === 'string' ? rule.path === path : rule.path.test(path));
  return {
    add: (rule) => void rules.push({ rule, left: rule.times ?? Number.POSITIVE_INFINITY }),
    clear: () => {
      rules = [];
    },
    take(method, path) {
      const found = rules.find((entry) => entry.left > 0 && fits(entry.rule, method, path));
      if (found === undefined) return undefined;
      found.left -= 1;
      return found.rule.fault;
    },
  };
}

import type { RecordedCall } from '../../src/model/recording.ts';

/** The roles whose prompts are not those that these calls were recorded with: played, they would answer other questions. */
export function staleRoles(calls: RecordedCall[], hash: (role: string) => string): string[] {
  return [...new Set(calls.filter((call) => call.promptHash !== hash(call.role)).map((call) => call.role))];
}

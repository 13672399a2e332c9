export { type FailureReason, failureReason } from './failure-reason.ts';
export { readResults as readTestResults } from './results/read-results.ts';
export type { TestResults } from './results/test-results.ts';

export { explainFailure, type Failure, type FailureReason, failureReason } from './failure-reason.ts';
export { readResults as readTestResults } from './results/read-results.ts';

export { explainFailure, type Failure, failureReason } from './failure-reason.ts';
export { readResults as readTestResults } from './results/read-results.ts';

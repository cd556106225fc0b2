export {
  findChangedSubjects,
  findDriftedSubjects,
  findUnchangedSubject,
  sampleSubjects,
  type UnchangedSubject,
} from './compared-subjects.js';
export {
  countOpenDrift,
  hasNewDifference,
  listDrift,
  listDriftOf,
  recordComparison,
  recordUnanswered,
  resolveEndedRuns,
  resolveRun,
  runField,
} from './drift.js';
export {
  type ClaimedForRestart,
  claimForRestart,
  countOpenSubjects,
  findAcceptedCommands,
  findForgottenSubjects,
  findIdleSubjects,
} from './idle-subjects.js';
export {
  findReconciliation,
  noteEventsSearched,
  noteReconciled,
  openReconciliation,
} from './reconciliation.js';
export { findEndedSubjectsOfSignals } from './signalled-subjects.js';
export { findUnknownAmounts, noteAmountAsked, type UnknownAmount } from './unknown-amounts.js';

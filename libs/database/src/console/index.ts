export { type AuditEntry, listAudit, recordAudit } from './audit.js';
export { findCall, listCalls, mostLookedThrough, type ShownCall } from './calls.js';
export { type Counter, type Counters, countUrgent, type Pulse, readPulses } from './counters.js';
export {
  findShownEndpoint,
  listShownEndpoints,
  mostCountedDeliveries,
  type ShownEndpoint,
  shownEndpointStates,
} from './endpoints.js';
export { findEventsByRow, type ListedEvent, listEvents } from './events.js';
export { listOpenDifferences, openDifferenceKinds, type OpenDifferenceKind } from './differences.js';
export { findOwner } from './owners.js';
export { listRecentCalls, type RecentCall } from './recent-calls.js';
export { findById, type Match } from './search.js';
export {
  type ConsoleSessionRow,
  endConsoleSession,
  listConsoleSessions,
  openConsoleSession,
  useConsoleSession,
} from './sessions.js';
export { beginSignIn, forgetFailedSignIns } from './sign-in-failures.js';
export { countRequests, readSubjectHistory, type SubjectHistory } from './subject-history.js';
export { listUrgent, type UrgentKind, urgentKinds, type UrgentPlace, type UrgentRow } from './urgent-rows.js';

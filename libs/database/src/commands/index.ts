export {
  type FailedCall,
  findCommandsByReference,
  findFailedCalls,
  listAttempts,
  readClock,
} from './attempts.js';
export { assertClock, mostOffsetMs } from './clock.js';
export {
  findRefundOrder,
  findRestore,
  type LostAttempt,
  mayHaveLostAttempt,
  mayRepeatLost,
  recordRestore,
  type Restore,
  refuseAfterEnd,
  rememberOrder,
  writeLostAttempts,
} from './restores.js';
export { acceptAtVersion, VersionMismatchError } from './preconditions.js';
export { acceptPayment, insertLostPayment, type NewPayment } from './accept-payment.js';
export {
  acceptCommand,
  findCommand,
  findOrderOf,
  findExisting,
  listDecisions,
  type NewCommand,
  type OrderRow,
  consoleKeyPrefix,
  policyKeyPrefix,
  reservedKeyPrefixes,
  refuseCommand,
} from './command-rows.js';

export {
  type FailedCall,
  findCommandsByReference,
  findFailedCalls,
  listAttempts,
  readClock,
} from './attempts.js';
export { acceptPayment, type NewPayment } from './accept-payment.js';
export {
  acceptCommand,
  findCommand,
  findExisting,
  listDecisions,
  type NewCommand,
  policyKeyPrefix,
  refuseCommand,
} from './command-rows.js';

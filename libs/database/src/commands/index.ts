export {
  type FailedCall,
  findCommandsByReference,
  findFailedCalls,
  listAttempts,
  readClock,
} from './attempts.js';
export {
  acceptCommand,
  acceptPayment,
  findCommand,
  findExisting,
  listDecisions,
  type NewCommand,
  type NewPayment,
  policyKeyPrefix,
  refuseCommand,
} from './command-rows.js';

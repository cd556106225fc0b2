export { atOneInstant } from './at-one-instant.js';
export { type BatchOptions, batched } from './batched.js';
export { announceChange, ChangeAnnouncer, ChangeListener } from './change-notifications.js';
export {
  type Database,
  type DatabaseTransaction,
  isDatabaseAway,
  isTemporary,
  isUnstorableText,
  openDatabase,
  poolUse,
} from './database.js';
export { ShareInUseError } from './fair-pool.js';
export { grantRoles } from './grants.js';
export { migrate, migrateDatabase, requireSchema, SchemaTooOld } from './migrate.js';
export { withTriedLock } from './tried-lock.js';

import type { ApplicationTables } from './tables/applications.js';
import type { BookTables } from './tables/books.js';
import type { CallTables } from './tables/calls.js';
import type { DeliveryAttemptTables } from './tables/delivery-attempts.js';
import type { NotificationTables } from './tables/notifications.js';
import type { PaymentTables } from './tables/payments.js';
import type { RefundTables } from './tables/refunds.js';

/** Every table of the service, by capability. */
export interface Tables
  extends
    ApplicationTables,
    PaymentTables,
    RefundTables,
    BookTables,
    NotificationTables,
    DeliveryAttemptTables,
    CallTables {}

export type * from './tables/notifications.js';
export type * from './tables/payments.js';
export type { CallRow } from './tables/calls.js';
export type * from './tables/refunds.js';

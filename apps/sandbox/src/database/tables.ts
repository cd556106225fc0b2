import type { ApplicationTables } from './tables/applications.js';
import type { BookTables } from './tables/books.js';
import type { CallTables } from './tables/calls.js';
import type { DashboardTables } from './tables/dashboard.js';
import type { DeliveryAttemptTables } from './tables/delivery-attempts.js';
import type { NotificationTables } from './tables/notifications.js';
import type { PaymentTables } from './tables/payments.js';
import type { PayoutTables } from './tables/payouts.js';
import type { RefundTables } from './tables/refunds.js';
import type { SubscriptionTables } from './tables/subscriptions.js';

/** Every table of the service, by capability. */
export interface Tables
  extends
    ApplicationTables,
    PaymentTables,
    PayoutTables,
    RefundTables,
    BookTables,
    NotificationTables,
    DeliveryAttemptTables,
    CallTables,
    DashboardTables,
    SubscriptionTables {}

export type * from './tables/applications.js';
export type * from './tables/notifications.js';
export type * from './tables/payments.js';
export type * from './tables/payouts.js';
export type * from './tables/refunds.js';
export type * from './tables/subscriptions.js';
export type { CallRow } from './tables/calls.js';

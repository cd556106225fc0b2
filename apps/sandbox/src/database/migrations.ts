import type { Migration } from 'kysely/migration';
import { paymentsService } from './migrations/0001-payments-service.js';
import { widerBooks } from './migrations/0002-wider-books.js';
import { accountsAndReauthorization } from './migrations/0003-accounts-and-reauthorization.js';
import { salesAndRefunds } from './migrations/0004-sales-and-refunds.js';
import { subscriptions } from './migrations/0005-subscriptions.js';
import { payouts } from './migrations/0006-payouts.js';
import { faultsAndDeliveryAttempts } from './migrations/0007-faults-and-delivery-attempts.js';
import { callHistory } from './migrations/0008-call-history.js';
import { eventSearch } from './migrations/0009-event-search.js';
import { webhookAddresses } from './migrations/0010-webhook-addresses.js';
import { dashboardSessions } from './migrations/0011-dashboard-sessions.js';
import { originalAmounts } from './migrations/0012-original-amounts.js';
import { paymentsUnderWay } from './migrations/0013-payments-under-way.js';

/** Applied in the order of their names; one that has been released is never changed. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-payments-service': paymentsService,
  '0002-wider-books': widerBooks,
  '0003-accounts-and-reauthorization': accountsAndReauthorization,
  '0004-sales-and-refunds': salesAndRefunds,
  '0005-subscriptions': subscriptions,
  '0006-payouts': payouts,
  '0007-faults-and-delivery-attempts': faultsAndDeliveryAttempts,
  '0008-call-history': callHistory,
  '0009-event-search': eventSearch,
  '0010-webhook-addresses': webhookAddresses,
  '0011-dashboard-sessions': dashboardSessions,
  '0012-original-amounts': originalAmounts,
  '0013-payments-under-way': paymentsUnderWay,
};

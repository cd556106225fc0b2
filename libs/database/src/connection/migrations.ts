import type { Migration } from 'kysely/migration';
import * as payments from './migrations/0001-payments.js';
import * as stepNames from './migrations/0002-step-names.js';
import * as inbox from './migrations/0003-inbox.js';
import * as decisions from './migrations/0004-decisions.js';
import * as reconciliation from './migrations/0005-reconciliation.js';
import * as refunds from './migrations/0006-refunds.js';
import * as subjects from './migrations/0007-subjects.js';
import * as ownRefunds from './migrations/0008-own-refunds.js';
import * as payouts from './migrations/0009-payouts.js';
import * as subscriptions from './migrations/0010-subscriptions.js';
import * as paymentReads from './migrations/0011-payment-reads.js';
import * as endsStand from './migrations/0012-ends-stand.js';
import * as contestedEvents from './migrations/0013-contested-events.js';
import * as payoutReferences from './migrations/0014-payout-references.js';
import * as visibleDoubt from './migrations/0015-visible-doubt.js';
import * as access from './migrations/0016-access.js';
import * as unknownAmounts from './migrations/0017-unknown-amounts.js';
import * as begunReads from './migrations/0018-begun-reads.js';
import * as notifications from './migrations/0019-notifications.js';
import * as itemTotals from './migrations/0020-item-totals.js';
import * as lostTasks from './migrations/0021-lost-tasks.js';
import * as metadata from './migrations/0022-metadata.js';
import * as liveEvents from './migrations/0023-live-events.js';
import * as console from './migrations/0025-console.js';
import * as consoleSearch from './migrations/0026-console-search.js';
import * as lostStores from './migrations/0027-lost-stores.js';
import * as retention from './migrations/0028-retention.js';
import * as consoleRoles from './migrations/0029-console-roles.js';
import * as rotatedSecrets from './migrations/0030-rotated-secrets.js';
import * as providerResends from './migrations/0031-provider-resends.js';
import * as parkedEvents from './migrations/0032-parked-events.js';
import * as paymentLetters from './migrations/0033-payment-letters.js';
import * as longLists from './migrations/0034-long-lists.js';
import * as rememberedReferences from './migrations/0035-remembered-references.js';
import * as roomForPayloads from './migrations/0036-room-for-payloads.js';
import * as refundsOfNotifications from './migrations/0037-refunds-of-notifications.js';
import * as amounts from './migrations/0038-amounts.js';
import * as requestsOfRotations from './migrations/0039-requests-of-rotations.js';

/** Applied in the order of their names; one that has been released is never changed. */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-payments': payments,
  '0002-step-names': stepNames,
  '0003-inbox': inbox,
  '0004-decisions': decisions,
  '0005-reconciliation': reconciliation,
  '0006-refunds': refunds,
  '0007-subjects': subjects,
  '0008-own-refunds': ownRefunds,
  '0009-payouts': payouts,
  '0010-subscriptions': subscriptions,
  '0011-payment-reads': paymentReads,
  '0012-ends-stand': endsStand,
  '0013-contested-events': contestedEvents,
  '0014-payout-references': payoutReferences,
  '0015-visible-doubt': visibleDoubt,
  '0016-access': access,
  '0017-unknown-amounts': unknownAmounts,
  '0018-begun-reads': begunReads,
  '0019-notifications': notifications,
  '0020-item-totals': itemTotals,
  '0021-lost-tasks': lostTasks,
  '0022-metadata': metadata,
  '0023-live-events': liveEvents,
  '0025-console': console,
  '0026-console-search': consoleSearch,
  '0027-lost-stores': lostStores,
  '0028-retention': retention,
  '0029-console-roles': consoleRoles,
  '0030-rotated-secrets': rotatedSecrets,
  '0031-provider-resends': providerResends,
  '0032-parked-events': parkedEvents,
  '0033-payment-letters': paymentLetters,
  '0034-long-lists': longLists,
  '0035-remembered-references': rememberedReferences,
  '0036-room-for-payloads': roomForPayloads,
  '0037-refunds-of-notifications': refundsOfNotifications,
  '0038-amounts': amounts,
  '0039-requests-of-rotations': requestsOfRotations,
};

import { planRecords } from '../../../../libs/database/src/plan-records.js';
import type { CommandRow } from '../../../../libs/database/src/schema.js';
import { subscriptionRecords } from '../../../../libs/database/src/subscription-records.js';
import { findSubscription } from '../../../../libs/database/src/subscriptions.js';
import { messagesPerRun } from '../../../../libs/runs/src/run-input.js';
import {
  planReference,
  planRunStart,
  subscriptionAddresses,
  subscriptionRunStart,
} from '../../../../libs/runs/src/subscription-run-input.js';
import type { SubscriptionMessage } from '../../../../libs/workflows/src/contract/subscription.js';
import * as plan from '../../../../libs/workflows/src/lifecycle/plan/lifecycle.js';
import {
  type PlanState,
  isTerminal as isEndOfPlan,
  planStatuses,
} from '../../../../libs/workflows/src/lifecycle/plan/plan.js';
import { restartFrom } from '../../../../libs/workflows/src/lifecycle/subscription/lifecycle.js';
import {
  type SubscriptionState,
  isTerminal,
  subscriptionStatuses,
} from '../../../../libs/workflows/src/lifecycle/subscription/subscription.js';
import type { WatchedKind } from './watched-kind.js';

export const planRuns: WatchedKind<PlanState> = {
  records: planRecords,
  open: planStatuses.filter((status) => !isEndOfPlan(status)),
  restartFrom: plan.restartFrom,
  restartedRun: (_db, { environment, application, id: planId }, { position }, publicUrl) =>
    Promise.resolve(
      planRunStart({
        identity: { environment, application, planId },
        order: position.state.order,
        reference: planReference(publicUrl, planId),
        messagesPerRun,
        continued: { ...position, seen: [], waiting: [] },
      }),
    ),
  // An order no run is told of, because it is why there is one.
  messageOf: () => undefined,
};

export const subscriptionRuns: WatchedKind<SubscriptionState> = {
  records: subscriptionRecords,
  open: subscriptionStatuses.filter((status) => !isTerminal(status)),
  restartFrom,
  restartedRun: async (db, { environment, application, id }, { position, waiting }, publicUrl) => {
    const identity = { environment, application, subscriptionId: id };
    const row = await findSubscription(db, identity);
    if (!row) throw new Error('a subscription has lost its row');
    return subscriptionRunStart({
      identity,
      order: position.state.order,
      offer: { name: row.name, description: row.description, ...subscriptionAddresses(publicUrl, id) },
      messagesPerRun,
      continued: {
        ...position,
        seen: waiting.map((message) => message.id),
        // Each is one of `messageOf`'s below.
        waiting: waiting as readonly SubscriptionMessage[],
      },
    });
  },
  messageOf,
};

function messageOf({ id, kind, parameters: { note } }: CommandRow): SubscriptionMessage | undefined {
  if (kind !== 'suspend' && kind !== 'reactivate' && kind !== 'cancel') return undefined;
  return { id, event: { type: `${kind}Requested`, commandId: id, note: String(note) } };
}

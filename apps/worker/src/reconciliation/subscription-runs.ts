import { planRecords } from '#database/plan-records.js';
import type { CommandRow } from '#database/schema.js';
import { subscriptionRecords } from '#database/subscription-records.js';
import { findSubscription } from '#database/subscriptions.js';
import { messagesPerRun } from '#runs/run-input.js';
import {
  planReference,
  planRunStart,
  subscriptionAddresses,
  subscriptionRunStart,
} from '#runs/subscription-run-input.js';
import type { SubscriptionMessage } from '#workflows/contract/subscription.js';
import { restartFrom as restartPlanFrom } from '#workflows/lifecycle/plan/lifecycle.js';
import { type PlanState, isTerminal as isEndOfPlan, planStatuses } from '#workflows/lifecycle/plan/plan.js';
import { restartFrom } from '#workflows/lifecycle/subscription/lifecycle.js';
import {
  type SubscriptionState,
  isTerminal,
  subscriptionStatuses,
} from '#workflows/lifecycle/subscription/subscription.js';
import type { WatchedKind } from './watched-kind.js';

export const planRuns: WatchedKind<PlanState> = {
  records: planRecords,
  open: planStatuses.filter((status) => !isEndOfPlan(status)),
  restartFrom: restartPlanFrom,
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

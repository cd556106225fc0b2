import { planRecords, subscriptionRecords } from '#database/transitions';
import type { CommandRow } from '#database/schema';
import { findSubscription } from '#database/subjects';
import {
  messagesPerRun,
  planReference,
  planRunStart,
  subscriptionAddresses,
  subscriptionRunStart,
} from '#runs';
import type { PlanMessage, SubscriptionMessage } from '#workflows/contract';
import {
  restartFrom as restartPlanFrom,
  type PlanState,
  isTerminal as isEndOfPlan,
  planStatuses,
} from '#workflows/lifecycle/plan';
import {
  restartFrom,
  type SubscriptionState,
  isTerminal,
  subscriptionStatuses,
} from '#workflows/lifecycle/subscription';
import type { WatchedKind } from './watched-kind.js';

export const planRuns: WatchedKind<PlanState> = {
  records: planRecords,
  open: planStatuses.filter((status) => !isEndOfPlan(status)),
  restartFrom: restartPlanFrom,
  restartedRun: (_db, { environment, application, id: planId }, { position, waiting }, publicUrl) =>
    Promise.resolve(
      planRunStart({
        identity: { environment, application, planId },
        order: position.state.order,
        reference: planReference(publicUrl, planId),
        messagesPerRun,
        continued: {
          ...position,
          seen: waiting.map((message) => message.id),
          // Each is one of `messageOf`'s below.
          waiting: waiting as readonly PlanMessage[],
        },
      }),
    ),
  messageOf: ({ id, kind }) =>
    kind === 'deactivate' ? { id, event: { type: 'deactivateRequested', commandId: id } } : undefined,
};

export const subscriptionRuns: WatchedKind<SubscriptionState> = {
  records: subscriptionRecords,
  open: subscriptionStatuses.filter((status) => !isTerminal(status)),
  restartFrom,
  restartedRun: async (db, { environment, application, id }, { position, waiting }, publicUrl) => {
    const identity = { environment, application, subscriptionId: id };
    const row = await findSubscription(db, identity);
    if (!row) throw new Error('a subscription has no row');
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
  cancellable: ['awaiting_approval', 'executing', 'needs_review'],
};

function messageOf({ id, kind, parameters }: CommandRow): SubscriptionMessage | undefined {
  const { note, minor } = parameters as { readonly note?: unknown; readonly minor?: number };
  if (kind === 'billBalance') {
    const asked = { note: String(note), ...(minor !== undefined && { minor }) };
    return { id, event: { type: 'billBalanceRequested', commandId: id, ...asked } };
  }
  if (kind === 'setBalance' && minor !== undefined) {
    return { id, event: { type: 'setBalanceRequested', commandId: id, note: String(note), minor } };
  }
  if (kind !== 'suspend' && kind !== 'reactivate' && kind !== 'cancel') return undefined;
  return { id, event: { type: `${kind}Requested`, commandId: id, note: String(note) } };
}

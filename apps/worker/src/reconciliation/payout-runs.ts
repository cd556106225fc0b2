import { payoutRecords } from '#database/transitions';
import type { CommandRow } from '#database/schema';
import { payoutRunStart, messagesPerRun } from '#runs';
import type { PayoutMessage } from '#workflows/contract';
import { restartFrom, type PayoutState, isTerminal, payoutStatuses } from '#workflows/lifecycle/payout';
import type { WatchedKind } from './watched-kind.js';

export const payoutRuns: WatchedKind<PayoutState> = {
  records: payoutRecords,
  open: payoutStatuses.filter((status) => !isTerminal(status)),
  restartFrom,
  restartedRun: async (_db, { environment, application, id: payoutId }, { position, waiting }) =>
    payoutRunStart({
      identity: { environment, application, payoutId },
      order: position.state.order,
      messagesPerRun,
      continued: {
        ...position,
        seen: waiting.map(({ id }) => id),
        // Each is one of `messageOf`'s below.
        waiting: waiting as readonly PayoutMessage[],
      },
    }),
  messageOf,
};

/** Orders and decisions are not sent: an order starts its run, and the run itself answers decisions. */
function messageOf({ id, kind, parameters }: CommandRow): PayoutMessage | undefined {
  const { itemId, providerItemId } = parameters;
  if (kind !== 'cancelItem' || typeof itemId !== 'string' || typeof providerItemId !== 'string') {
    return undefined;
  }
  return { id, event: { type: 'itemCancelRequested', commandId: id, itemId, providerItemId } };
}

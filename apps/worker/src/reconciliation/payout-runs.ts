import { payoutRecords } from '../../../../libs/database/src/payout-records.js';
import type { CommandRow } from '../../../../libs/database/src/schema.js';
import { payoutRunStart } from '../../../../libs/runs/src/payout-run.js';
import { messagesPerRun } from '../../../../libs/runs/src/run-input.js';
import type { PayoutMessage } from '../../../../libs/workflows/src/contract/payout.js';
import { restartFrom } from '../../../../libs/workflows/src/lifecycle/payout/lifecycle.js';
import {
  type PayoutState,
  isTerminal,
  payoutStatuses,
} from '../../../../libs/workflows/src/lifecycle/payout/payout.js';
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

/** An order no run is told of; nor a decision, whose caller is answered by the run itself and gives it again. */
function messageOf({ id, kind, parameters }: CommandRow): PayoutMessage | undefined {
  const { itemId, providerItemId } = parameters;
  if (kind !== 'cancelItem' || typeof itemId !== 'string' || typeof providerItemId !== 'string') {
    return undefined;
  }
  return { id, event: { type: 'itemCancelRequested', commandId: id, itemId, providerItemId } };
}

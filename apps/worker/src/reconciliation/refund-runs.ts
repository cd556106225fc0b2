import { refundRecords } from '#database/transitions';
import { looksPerRun, refundRunStart } from '#runs';
import type { RefundMessage } from '#workflows/contract';
import {
  restartRefundFrom,
  type RefundState,
  isRefundTerminal,
  refundStatuses,
} from '#workflows/lifecycle/refund';
import type { WatchedKind } from './watched-kind.js';

export const refundRuns: WatchedKind<RefundState> = {
  records: refundRecords,
  open: refundStatuses.filter((status) => !isRefundTerminal(status)),
  restartFrom: restartRefundFrom,
  restartedRun: async (_db, { environment, application, id: refundId }, { position, waiting }) => {
    const { claim, paymentId, patience } = position.state;
    return refundRunStart({
      identity: { environment, application, refundId },
      claim,
      paymentId,
      patience,
      looksPerRun,
      continued: {
        ...position,
        seen: waiting.map(({ id }) => id),
        // Each is one of `messageOf`'s below.
        waiting: waiting as readonly RefundMessage[],
      },
    });
  },
  // No messages: the request starts the run, and the run itself answers decisions.
  messageOf: () => undefined,
};

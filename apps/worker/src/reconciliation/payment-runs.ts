import { paymentRecords } from '#database/transitions';
import { findPaymentById } from '#database/subjects';
import type { CommandRow } from '#database/schema';
import { messagesPerRun, payerAddresses, paymentRunStart } from '#runs';
import type { PaymentDecision, PaymentMessage } from '#workflows/contract';
import { type PaymentState, isTerminal, paymentStatuses, restartFrom } from '#workflows/lifecycle/payment';
import type { WatchedKind } from './watched-kind.js';

export const paymentRuns: WatchedKind<PaymentState> = {
  records: paymentRecords,
  open: paymentStatuses.filter((status) => !isTerminal(status)),
  restartFrom,
  restartedRun: async (db, { environment, application, id: paymentId }, { position, waiting }, publicUrl) => {
    const payment = await findPaymentById(db, paymentId);
    if (!payment) throw new Error('a payment has no row');
    return paymentRunStart({
      identity: { environment, application, paymentId },
      order: position.state.order,
      purchase: {
        orderId: payment.order_id,
        ...(payment.description !== null && { description: payment.description }),
        ...(payment.payee_masked !== null && { isPayeeLost: true }),
        ...payerAddresses(publicUrl, paymentId),
      },
      messagesPerRun,
      continued: {
        ...position,
        seen: waiting.map(({ id }) => id),
        // Each is one of `messageOf`'s below.
        waiting: waiting as readonly (PaymentMessage | PaymentDecision)[],
      },
    });
  },
  messageOf,
  cancellable: ['awaiting_approval', 'authorizing', 'executing', 'needs_review'],
};

/**
 * Orders are not sent: an order is the start of its run. Decisions are not sent either: the run itself answers them,
 * and the caller repeats them.
 */
function messageOf({ id, kind, parameters }: CommandRow): PaymentMessage | undefined {
  switch (kind) {
    case 'capture':
      return { id, event: { type: 'captureRequested', commandId: id, ...captureParameters(parameters) } };
    case 'void':
      return { id, event: { type: 'voidRequested', commandId: id } };
    case 'release':
      return { id, event: { type: 'releaseRequested', commandId: id } };
    case 'cancel':
      return { id, event: { type: 'cancelRequested', commandId: id } };
    case 'reauthorize': {
      const { minor } = parameters;
      const asked = typeof minor === 'number' ? { minor } : {};
      return { id, event: { type: 'reauthorizeRequested', commandId: id, ...asked } };
    }
    default:
      return undefined;
  }
}

function captureParameters({ minor, final }: Record<string, unknown>) {
  return {
    ...(typeof minor === 'number' && { minor }),
    ...(typeof final === 'boolean' && { final }),
  };
}

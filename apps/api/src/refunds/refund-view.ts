import type { RefundWithStory } from '#database/subjects';
import { refundWorkflowId } from '#workflows/contract';
import { providerRefundIdOf } from '#workflows/lifecycle/refund';
import type { ApiConfig } from '../api-config.js';
import { toRead, toReview } from '../wire/links.js';
import { viewPendingOperation } from '../wire/pending-operation.js';
import { runAddress } from '../wire/run-address.js';
import { viewLine } from '../wire/timeline.js';
import { showMoney } from '../wire/wire-money.js';
import type { ShownRefund } from './refund-answers.js';

/** A refund as its rows have it. */
export function viewRefund(
  { environment, application }: { readonly environment: string; readonly application: string },
  { id, state, shown_version, timeline }: RefundWithStory,
  config: Pick<ApiConfig, 'temporal' | 'publicUrl'>,
): ShownRefund {
  const self = refundAddress(id, config);
  const { claim, amount, collected, refundedAt } = state;
  const shownAmount = amount ? showMoney(amount.minor, amount.currency) : null;
  return {
    id,
    paymentId: state.paymentId,
    version: shown_version,
    kind: claim.kind === 'reversal' ? 'reversal' : 'refund',
    origin: claim.kind === 'request' ? 'order_service' : 'elsewhere',
    providerRefundId: providerRefundIdOf(state) ?? null,
    amount: shownAmount,
    status: state.status,
    captureId: collected?.kind === 'capture' ? collected.id : null,
    saleId: collected?.kind === 'sale' ? collected.id : null,
    refundedAt: refundedAt === undefined ? null : new Date(refundedAt).toISOString(),
    reason: state.contradiction ?? state.reason ?? null,
    pendingOperation: viewPendingOperation(state, shownAmount),
    timeline: timeline.map(viewLine),
    links: [
      toRead('self', self),
      toRead('payment', `${config.publicUrl}/v1/payments/${state.paymentId}`),
      ...toReview({ status: state.status, state }, self),
    ],
    temporalUrl: runAddress(refundWorkflowId({ environment, application, refundId: id }), config),
  };
}

export function refundAddress(id: string, { publicUrl }: Pick<ApiConfig, 'publicUrl'>): string {
  return `${publicUrl}/v1/refunds/${id}`;
}

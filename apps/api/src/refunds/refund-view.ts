import type { PaymentWithRefunds, RefundWithTimeline } from '#database/subjects';
import { refundWorkflowId } from '#workflows/contract';
import { type RefundRequestClaim, providerRefundIdOf } from '#workflows/lifecycle/refund';
import type { ApiConfig } from '../injected/api-config.js';
import { commonActions, toRead, toReview, subjectAddress } from '../wire/links.js';
import { viewPendingOperation } from '../wire/pending-operation.js';
import { runAddress } from '../wire/run-address.js';
import { viewLine } from '../wire/timeline.js';
import { showMoney } from '../wire/wire-money.js';
import type { ShownRefund } from './refund-answers.js';

type ViewConfig = Pick<ApiConfig, 'temporal' | 'publicUrl'>;

const noTexts: Pick<RefundRequestClaim, 'description' | 'providerReason'> = {};

const shownLists = new WeakMap<PaymentWithRefunds['refunds'], ShownRefund[]>();

/** What went back of a payment, oldest first. Rows of a long list and their answers are cached. */
export function viewRefunds(payment: PaymentWithRefunds, config: ViewConfig): ShownRefund[] {
  const { refunds } = payment;
  const shown = shownLists.get(refunds) ?? refunds.map((refund) => viewRefund(payment, refund, config));
  shownLists.set(refunds, shown);
  return shown;
}

/** A refund, built from its rows. */
export function viewRefund(
  { environment, application }: { readonly environment: string; readonly application: string },
  { id, state, shown_version, timeline, metadata }: RefundWithTimeline,
  config: ViewConfig,
): ShownRefund {
  const self = subjectAddress('refund', id, config);
  const { claim, amount, collected, refundedAt } = state;
  const texts = claim.kind === 'request' ? claim : noTexts;
  const shownAmount = amount ? showMoney(amount.minor, amount.currency) : null;
  return {
    id,
    paymentId: state.paymentId,
    version: shown_version,
    kind: claim.kind === 'reversal' ? 'reversal' : 'refund',
    origin: claim.kind === 'request' ? 'order_service' : 'elsewhere',
    providerRefundId: providerRefundIdOf(state) ?? null,
    amount: shownAmount,
    state: state.status,
    description: texts.description ?? null,
    providerReason: texts.providerReason ?? null,
    metadata,
    captureId: collected?.kind === 'capture' ? collected.id : null,
    saleId: collected?.kind === 'sale' ? collected.id : null,
    refundedAt: refundedAt === undefined ? null : new Date(refundedAt).toISOString(),
    reason: state.contradiction ?? state.reason ?? null,
    pendingOperation: viewPendingOperation(state, shownAmount),
    allowedActions: commonActions({ status: state.status, state }),
    timeline: timeline.map(viewLine),
    links: [
      toRead('self', self),
      toRead('payment', `${config.publicUrl}/v1/payments/${state.paymentId}`),
      ...toReview({ status: state.status, state }, self),
    ],
    temporalUrl: runAddress(refundWorkflowId({ environment, application, refundId: id }), config),
  };
}

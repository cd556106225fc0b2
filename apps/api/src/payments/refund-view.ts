import type { PaymentWithRefunds } from '../../../../libs/database/src/payments.js';
import { refundWorkflowId } from '../../../../libs/workflows/src/contract/refund.js';
import type { ApiConfig } from '../api-config.js';
import type { ShownRefund } from './refund-answers.js';
import { runAddress } from './run-address.js';
import { showMoney } from './wire-money.js';

/** What went back of a payment, each as its row has it. */
export function viewRefunds(
  { environment, application, refunds }: PaymentWithRefunds,
  config: Pick<ApiConfig, 'temporal'>,
): ShownRefund[] {
  return refunds.map(({ id, state, timeline }) => ({
    id,
    kind: state.claim.kind,
    amount: state.amount ? showMoney(state.amount.minor, state.amount.currency) : null,
    status: state.status,
    captureId: state.collected?.kind === 'capture' ? state.collected.id : null,
    saleId: state.collected?.kind === 'sale' ? state.collected.id : null,
    refundedAt: state.refundedAt === undefined ? null : iso(state.refundedAt),
    reason: state.contradiction ?? state.reason ?? null,
    timeline: timeline.map((entry) => ({ ...entry, at: iso(entry.at), detail: entry.detail ?? null })),
    temporalUrl: runAddress(refundWorkflowId({ environment, application, refundId: id }), config),
  }));
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}

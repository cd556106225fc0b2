import { paymentWorkflowId } from '#workflows/contract';
import {
  amountsOf,
  usualHonourPolicy,
  type CapturePolicy,
  isSale,
  type PaymentState,
  writeDetails,
} from '#workflows/lifecycle/payment';
import { collectedBy, refundableInAll, returnedAmounts } from '#workflows/lifecycle/refund';
import type { PaymentWithRefunds } from '#database/subjects';
import type { PaymentRow } from '#database/schema';
import type { ApiConfig } from '../injected/api-config.js';
import { versionOf } from '../rows/payment-rows.js';
import type { PaymentAnswer } from './payment-answers.js';
import { viewDeadlines } from './deadlines-view.js';
import { viewRefunds } from '../refunds/refund-view.js';
import { toAsk, toRead, toReview, subjectAddress } from '../wire/links.js';
import { paymentActionsOf } from '../wire/payment-actions.js';
import { viewPendingOperation } from '../wire/pending-operation.js';
import { runAddress } from '../wire/run-address.js';
import { showMoney } from '../wire/wire-money.js';
import { iso } from '../wire/fields.js';

type ViewConfig = Pick<ApiConfig, 'publicUrl' | 'temporal'>;

/** A payment as the order service sees it, built from its rows only. */
export function viewPayment(row: PaymentWithRefunds, config: ViewConfig, now: number): PaymentAnswer {
  const { state, refunds } = row;
  const { currency } = state.order.amount;
  const amounts = amountsOf(state);
  const returns = refunds.map((refund) => refund.state);
  const returned = returnedAmounts(returns);
  const refundable = refundableInAll(collectedBy(state), returns);
  const actions = paymentActionsOf(state, returns, now);
  return {
    id: row.id,
    orderId: row.order_id,
    metadata: row.metadata,
    intent: intentOf(state),
    state: state.status,
    version: versionOf(row),
    approvalUrl: approvalUrlOf(state),
    amount: showMoney(state.order.amount.minor, currency),
    amountDetails: state.order.amountDetails ? writeDetails(state.order.amountDetails, currency) : null,
    amounts: {
      authorized: showMoney(amounts.authorized, currency),
      captured: showMoney(amounts.captured, currency),
      pending: showMoney(amounts.pending, currency),
      capturable: showMoney(amounts.capturable, currency),
      released: showMoney(amounts.released, currency),
      refunded: showMoney(returned.refunded, currency),
      refundable: refundable === undefined ? null : showMoney(refundable, currency),
      reversed: returned.reversed === undefined ? null : showMoney(returned.reversed, currency),
    },
    captures: viewCaptures(state),
    sale: state.sale
      ? { id: state.sale.saleId, amount: showMoney(state.sale.minor, currency), state: state.sale.status }
      : null,
    refunds: viewRefunds(row, config),
    deadlines: viewDeadlines(state),
    warning: state.warning ?? null,
    reason: state.reason ?? null,
    pendingOperation: viewPendingOperation(state, amountOfStep(state)),
    capturePolicy: isSale(state.order) ? null : showCapturePolicy(state.order.capturePolicy),
    honourPolicy: isSale(state.order) ? null : (state.order.honourPolicy ?? usualHonourPolicy),
    expiryPolicy: isSale(state.order) ? null : { action: state.order.expiryPolicy.action },
    authorizations: authorizationsOf(state),
    allowedActions: actions,
    links: linksOf(row, config, actions),
    temporalUrl: runAddress(paymentWorkflowId({ ...row, paymentId: row.id }), config),
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

export function viewCaptures({ captures, order }: PaymentState): PaymentAnswer['captures'] {
  return captures.map(({ captureId, minor, status, final }) => ({
    id: captureId,
    amount: showMoney(minor, order.amount.currency),
    state: status,
    final,
  }));
}

function approvalUrlOf({ status, approvalUrl }: PaymentState): string | null {
  return status === 'awaiting_approval' ? (approvalUrl ?? null) : null;
}

/** The amount of the open step; for a void, the amount it releases. */
export function amountOfStep(state: PaymentState) {
  const { openStep, order } = state;
  if (!openStep) return null;
  const { step } = openStep;
  const { currency, minor: ordered } = order.amount;
  if (step.type !== 'voidAuthorization') return showMoney('minor' in step ? step.minor : ordered, currency);
  const { authorized, captured, pending } = amountsOf(state);
  return showMoney(authorized - captured - pending, currency);
}

/** The same id is listed once, even if it was reauthorized several times. */
function authorizationsOf({ authorization, reauthorizations }: PaymentState): string[] {
  const holds = [...(reauthorizations?.earlier ?? []), ...(authorization ? [authorization] : [])];
  return [...new Set(holds.map(({ authorizationId }) => authorizationId))];
}

function intentOf({ order }: PaymentState): PaymentAnswer['intent'] {
  return order.intent ?? 'authorize';
}

function showCapturePolicy(policy: CapturePolicy): PaymentAnswer['capturePolicy'] {
  return policy.mode === 'at' ? { mode: 'at', at: iso(policy.at) } : { mode: policy.mode };
}

function linksOf(
  row: PaymentRow,
  config: ViewConfig,
  actions: PaymentAnswer['allowedActions'],
): PaymentAnswer['links'] {
  const self = subjectAddress('payment', row.id, config);
  const approval = approvalUrlOf(row.state);
  return [
    toRead('self', self),
    toRead('timeline', `${self}/timeline`),
    toRead('calls', `${self}/calls`),
    toRead('webhook-events', `${config.publicUrl}/v1/webhook-events?payment=${row.id}`),
    ...toReview(row, self),
    ...(approval === null ? [] : [toRead('approval', approval)]),
    ...(actions.includes('capture') ? [toAsk('capture', `${self}/captures`)] : []),
    ...(actions.includes('refund') ? [toAsk('refund', `${self}/refunds`)] : []),
    ...['void', 'release', 'reauthorize', 'cancel']
      .filter((rel) => actions.some((action) => action === rel))
      .map((rel) => toAsk(rel, `${self}/${rel}`)),
  ];
}

import { asNewRunsDo } from '#workflows/contract/run.js';
import { type RefundRunInput, refundCommandId } from '#workflows/contract';
import type { PaymentState } from '#workflows/lifecycle/payment';
import { type RefundState, requestedRefund, sourceOf } from '#workflows/lifecycle/refund/refund.js';
import { type CollectedMoney, evaluateRequest } from '#workflows/lifecycle/refund/refundable.js';
import { refundsIn } from '../rows/refunds.js';
import { patience } from './patience.js';
import { type Stage, owner } from './stage.js';

/** Refunds a collected payment: once, in parts, concurrently, or on the provider's own pages. */
export async function playRefunds(stage: Stage, paymentId: string): Promise<void> {
  const { draws, clock } = stage.world;
  if (!draws.chance('refunds', 0.4)) return;
  await stage.until(() => ['captured', 'completed'].includes(stage.row(paymentId).status));
  await clock.sleep(draws.spread('refund after', 100, 86_400_000));
  switch (draws.pick('refund', ['whole', 'parts', 'two at once', 'elsewhere', 'charged back'] as const)) {
    case 'whole':
      return requestRefund(stage, paymentId, undefined);
    case 'parts':
      requestRefund(stage, paymentId, 3_000);
      await clock.sleep(draws.spread('next refund', 100, 60_000));
      return requestRefund(stage, paymentId, undefined);
    case 'two at once':
      requestRefund(stage, paymentId, 3_000);
      return requestRefund(stage, paymentId, 3_000);
    case 'elsewhere': {
      const [collected] = collectedOf(stage.row<PaymentState>(paymentId).state);
      if (collected) stage.provider.refunds.refund(collected.id, 1_000, undefined);
      return;
    }
    case 'charged back': {
      const [collected] = collectedOf(stage.row<PaymentState>(paymentId).state);
      const isWhole = draws.chance('charged back as a whole', 0.5);
      if (collected) stage.provider.refunds.reverse(collected.id, isWhole);
      await clock.sleep(draws.spread('refund after a chargeback', 5, 60_000));
      requestRefund(stage, paymentId, draws.chance('a part', 0.5) ? 1_000 : undefined);
      if (!collected || isWhole || draws.chance('charged back once', 0.5)) return;
      await clock.sleep(draws.spread('next chargeback', 5, 86_400_000));
      stage.provider.refunds.reverse(collected.id, true);
    }
  }
}

/** As apps/api/src/refunds/request-refund.ts: decided while the payment's row is locked, committed, and started. */
function requestRefund(stage: Stage, paymentId: string, minor: number | undefined): void {
  const { rows, world } = stage;
  const { state: payment } = stage.row<PaymentState>(paymentId);
  const { currency } = payment.order.amount;
  const all = collectedOf(payment);
  const refunds = refundsIn(rows).flatMap(({ state }) => (state.paymentId === paymentId ? [state] : []));
  const named = world.draws.pick('refunded from', all);
  const wish = { collected: named, ...(minor !== undefined && { amount: { minor, currency } }) };
  const verdict = evaluateRequest(wish, all, refunds, currency);
  if (verdict.kind === 'refused') return;
  const unread = refunds.find(({ claim, status }) => claim.kind === 'reversal' && status === 'observed');
  if (unread && sourceOf(unread)?.id === verdict.collected.id)
    world.violate('granted in doubt', `${paymentId}: a refund is granted of what is said to be charged back`);
  const refundId = world.nextId('re_');
  const { collected, amount } = verdict;
  const claim = {
    kind: 'request',
    collected,
    amount,
    providerPaymentId: payment.providerPaymentId ?? '',
  } as const;
  const commandId = refundCommandId(refundId);
  const state: RefundState = requestedRefund(claim, { paymentId, commandId }, patience, world.clock.now);
  const row = { id: refundId, kind: 'refund', ...owner, status: state.status, state, version: 0 };
  rows.order(row, { id: commandId, kind: 'refund', subjectId: refundId });
  const input: RefundRunInput = {
    ...asNewRunsDo,
    identity: { ...owner, refundId },
    claim,
    paymentId,
    patience,
    looksPerRun: world.draws.pick('looks', [3, 500]),
  };
  stage.start(stage.workflowId(refundId), 'refundWorkflow', input);
}

function collectedOf({ captures, sale }: PaymentState): CollectedMoney[] {
  const captured = captures.map(({ captureId, minor, status }) => ({
    kind: 'capture' as const,
    id: captureId,
    minor,
    status,
  }));
  if (!sale) return captured;
  return [...captured, { kind: 'sale', id: sale.saleId, minor: sale.minor, status: sale.status }];
}

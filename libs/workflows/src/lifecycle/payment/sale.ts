import { isOtherAmount } from './amounts.js';
import type { Instant } from '../lifecycle.js';
import { moneyText } from '../money.js';
import type { CapturePolicy, ExpiryPolicy, PaymentState, ProviderFacts, Sale } from './payment.js';
import type { TransitionResult, PaymentEvent } from './event.js';
import { contradict, enter, moved, withoutStep } from './rules.js';

type EventOf<T extends PaymentEvent['type']> = Extract<PaymentEvent, { type: T }>;

/** Values of the hold policies for a sale, with which none of them ever acts. */
export const policiesWithoutHold: {
  readonly capturePolicy: CapturePolicy;
  readonly expiryPolicy: ExpiryPolicy;
} = { capturePolicy: { mode: 'manual' }, expiryPolicy: { action: 'expire' } };

/** Takes a sale: the provider has taken the money, is still deciding, or has denied it. */
export function takeSale(
  state: PaymentState,
  { providerPaymentId, sale }: EventOf<'saleAnswered'>,
  now: Instant,
): TransitionResult {
  const { isCancelWaiting: _late, ...executed } = withoutStep(state);
  const sold = { ...executed, providerPaymentId, sale, lapsed: false };
  if (sale.status !== 'denied' && isOtherAmount(sold)) {
    const reason = 'The provider took another amount than was ordered.';
    return moved({ ...enter(sold, 'needs_review', now), reason });
  }
  return moved(afterSale(sold, sale, now));
}

/** The status after a sale; `completed` only if the provider shows that the money has arrived. */
export function afterSale(state: PaymentState, { status }: Sale, now: Instant): PaymentState {
  switch (status) {
    case 'completed':
    case 'pending':
      return enter(state, status, now);
    case 'denied':
      return { ...enter(state, 'declined', now), reason: 'The provider denied the sale.' };
  }
}

/** Takes a read of a sale that is pending or under review. */
export function observeSale(
  state: PaymentState,
  { sale: shown }: ProviderFacts,
  now: Instant,
): TransitionResult {
  const known = state.sale;
  // A read without the sale lags behind the answer that showed it.
  if (!known || !shown) return { kind: 'stale', state };
  const contradiction = contradictionWith(known, shown);
  if (contradiction !== undefined) return contradict(state, contradiction);
  if (known.status !== 'pending' || shown.status === 'pending') return { kind: 'stale', state };
  const sale = { ...known, status: shown.status };
  const read = { ...state, sale };
  // A sale of another amount stays under review; if it was denied, there is nothing to decide.
  if (state.status === 'needs_review' && sale.status !== 'denied') return moved(read);
  return moved(afterSale(read, sale, now));
}

/** An ended payment does not change. A contradicting read is recorded, not followed. */
export function contradictionInSale(state: PaymentState, { sale: shown }: ProviderFacts): TransitionResult {
  if (!shown) return { kind: 'stale', state };
  const reason = state.sale
    ? contradictionWith(state.sale, shown)
    : shown.status !== 'denied'
      ? `The provider shows a ${shown.status} sale of ${inWords(state, shown)}, the payment ended ${state.status}.`
      : undefined;
  return reason === undefined ? { kind: 'stale', state } : contradict(state, reason);
}

function contradictionWith(known: Sale, shown: Sale): string | undefined {
  if (shown.saleId !== known.saleId) {
    return `The payment now shows sale ${shown.saleId} instead of ${known.saleId}.`;
  }
  if (shown.minor !== known.minor) return `Sale ${known.saleId} now shows another amount.`;
  if (known.status !== 'pending' && shown.status !== 'pending' && shown.status !== known.status) {
    return `Sale ${known.saleId} was ${known.status} and is now shown as ${shown.status}.`;
  }
  return undefined;
}

function inWords({ order }: PaymentState, { minor }: Sale): string {
  return moneyText({ minor, currency: order.amount.currency });
}

import { moneyText } from '../money.js';
import type { NotifiedResource } from '../notified-resource.js';
import { type PaymentState, isTerminal } from './payment.js';
import { isSuperseded } from './reauthorization.js';

/**
 * True if our records already have what the event reports, so that the run does not need it. Unknown kinds and states are
 * news: the run then reads the provider.
 */
export function isAlreadyKnown(state: PaymentState, resource: NotifiedResource): boolean {
  if (contradictedAmount(state, resource) !== undefined) return false;
  switch (resource.kind) {
    case 'payment':
      // An event of a payment reports its creation or approval; both are over once funds were held or taken.
      return hasMoved(state) || (isTerminal(state.status) && state.captures.length === 0);
    case 'authorization':
      return isKnownAuthorizationState(state, resource);
    case 'capture':
      // An event with state pending has no news of a known capture.
      return state.captures.some(
        ({ captureId, status }) =>
          captureId === resource.id && (status === resource.state || resource.state === 'pending'),
      );
    case 'sale':
      return isKnownSaleState(state, resource);
    case 'refund':
    case 'plan':
    case 'agreement':
    case 'payout':
    case 'payout_item':
    case 'other':
      return false;
  }
}

function hasMoved({ authorization, sale }: PaymentState): boolean {
  return authorization !== undefined || sale !== undefined;
}

function isKnownSaleState({ sale }: PaymentState, resource: NotifiedResource): boolean {
  return sale?.saleId === resource.id && (sale.status === resource.state || resource.state === 'pending');
}

function isKnownAuthorizationState(state: PaymentState, resource: NotifiedResource): boolean {
  // A replaced authorization has no news.
  if (isSuperseded(state, resource.id)) return true;
  // The event may report a reauthorization, with the same id and the same state.
  if (state.openStep?.step.type === 'reauthorizeAuthorization') return false;
  if (state.authorization?.authorizationId !== resource.id) return false;
  switch (resource.state) {
    case 'authorized':
      return true;
    case 'partially_captured':
      return state.status === 'partially_captured' || state.status === 'captured';
    case 'captured':
      return state.status === 'captured';
    case 'voided':
    case 'expired':
      return isTerminal(state.status) && state.released;
    default:
      return false;
  }
}

/** How an event's amount contradicts our records of the same resource, in words; undefined if it does not. */
export function contradictedAmount(
  state: PaymentState,
  { kind, id, amount }: NotifiedResource,
): string | undefined {
  const minor = recordedMinor(state, kind, id);
  const { currency } = state.order.amount;
  if (kind === 'authorization' && isAmountOnceOrSoon(state, id, amount)) return undefined;
  if (!amount || minor === undefined || (amount.minor === minor && amount.currency === currency)) {
    return undefined;
  }
  return `It says ${moneyText(amount)} of ${kind} ${id}, on record are ${moneyText({ minor, currency })}.`;
}

/** The amount of the same authorization before its reauthorization, or during it. */
function isAmountOnceOrSoon(
  { openStep, order, reauthorizations }: PaymentState,
  id: string,
  amount: NotifiedResource['amount'],
): boolean {
  if (openStep?.step.type === 'reauthorizeAuthorization') return true;
  return (
    reauthorizations?.earlier.some(
      ({ authorizationId, minor }) =>
        authorizationId === id && minor === amount?.minor && amount.currency === order.amount.currency,
    ) ?? false
  );
}

function recordedMinor(state: PaymentState, kind: NotifiedResource['kind'], id: string): number | undefined {
  if (kind === 'authorization') {
    return state.authorization?.authorizationId === id ? state.authorization.minor : undefined;
  }
  if (kind === 'sale') return state.sale?.saleId === id ? state.sale.minor : undefined;
  if (kind !== 'capture') return undefined;
  return state.captures.find(({ captureId }) => captureId === id)?.minor;
}

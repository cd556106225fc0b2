import { type Difference, differing } from '../difference.js';
import { moneyText } from '../money.js';
import type { Capture, PaymentState, PaymentStatus, ProviderFacts, Sale } from './payment.js';

/**
 * The differences between a payment at rest and the provider's records: `hold`, `authorized`, `capture <id>`, `sale`.
 */
export function differencesOf(state: PaymentState, facts: ProviderFacts): Difference[] {
  return [...inHold(state, facts), ...inCaptures(state, facts), ...inSale(state, facts)];
}

/** States of an authorization without held funds. */
const nothingHeld = ['none', 'voided', 'expired', 'denied'];

/** The states of the authorization that agree with a status; undefined if all do because the payment is under way. */
const agreeing: Readonly<Record<PaymentStatus, readonly string[] | undefined>> = {
  creating: undefined,
  awaiting_approval: ['none', 'pending'],
  authorizing: undefined,
  authorized: ['authorized'],
  capturing: undefined,
  reauthorizing: undefined,
  partially_captured: ['partially_captured'],
  captured: ['captured'],
  voiding: undefined,
  voided: ['voided'],
  executing: undefined,
  pending: ['none'],
  completed: ['none'],
  declined: [...nothingHeld, 'pending'],
  cancelled: nothingHeld,
  expired: nothingHeld,
  needs_review: undefined,
};

function inHold(state: PaymentState, { authorization: shown }: ProviderFacts): Difference[] {
  const known = state.authorization;
  const theirs = shown?.state ?? 'none';
  const differences: Difference[] = [];
  if (known && shown && known.authorizationId !== shown.authorizationId) {
    differences.push({ field: 'authorization', ours: known.authorizationId, theirs: shown.authorizationId });
  } else if (known && shown && known.minor !== shown.minor) {
    differences.push({
      field: 'authorized',
      ours: inWords(state, known.minor),
      theirs: inWords(state, shown.minor),
    });
  }
  if (!isAgreed(state, theirs)) differences.push({ field: 'hold', ours: state.status, theirs });
  return differences;
}

function isAgreed({ status, released, authorization }: PaymentState, theirs: string): boolean {
  // The captures may belong to a replaced authorization.
  if (status === 'partially_captured' && authorization?.renewal && theirs === 'authorized') return true;
  // The rest of a captured hold may have been released in any way.
  if (status === 'captured' && released) return theirs === 'captured' || nothingHeld.includes(theirs);
  return agreeing[status]?.includes(theirs) ?? true;
}

function inCaptures(state: PaymentState, { captures }: ProviderFacts): Difference[] {
  const ids = new Set([...state.captures, ...captures].map(({ captureId }) => captureId));
  return differing(
    [...ids].map((id) => ({
      field: `capture ${id}`,
      ours: captureInWords(state, state.captures, id) ?? 'unknown',
      theirs: captureInWords(state, captures, id) ?? 'not shown',
    })),
  );
}

/** A missing sale and a denied one are equal: no money has moved. */
function inSale(state: PaymentState, { sale: shown }: ProviderFacts): Difference[] {
  return differing([
    { field: 'sale', ours: saleInWords(state, state.sale), theirs: saleInWords(state, shown) },
  ]);
}

function saleInWords(state: PaymentState, sale: Sale | undefined): string {
  if (!sale || sale.status === 'denied') return 'none';
  return `${sale.saleId} ${sale.status} ${inWords(state, sale.minor)}`;
}

function captureInWords(state: PaymentState, captures: readonly Capture[], id: string): string | undefined {
  const capture = captures.find(({ captureId }) => captureId === id);
  return capture && `${capture.status} ${inWords(state, capture.minor)}`;
}

function inWords({ order }: PaymentState, minor: number): string {
  return moneyText({ minor, currency: order.amount.currency });
}

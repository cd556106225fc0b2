import { isSame, withBook } from './book.js';
import { isOlder, isOtherAgreement, statusShown, reportPayments } from './observation.js';
import { feePaid, feeUnclear, feeUnpaid, moved } from './rules.js';
import {
  type AgreementFacts,
  type BookFacts,
  type SubscriptionTransitionResult,
  type SubscriptionState,
  isTerminal,
} from './subscription.js';

/**
 * Takes a read after the end. An ended subscription keeps its status. The read can add cycles that were billed just
 * before, and payments.
 */
export function observeEnded(
  state: SubscriptionState,
  { facts, book }: { readonly facts: AgreementFacts; readonly book?: BookFacts },
): SubscriptionTransitionResult {
  const other = isOtherAgreement(state, facts);
  if (other) return other;
  if (isOlder(state, facts)) return reportPayments(state, book);
  const known = withBook(state, book);
  const reason = reasonNow(state, known, { facts, book });
  const isNews = !isSame(facts.billing, state.billing) || reason !== state.reason || book?.told !== undefined;
  if (!isNews) return known === state ? { kind: 'stale', state } : moved(known);
  return moved({ ...known, billing: facts.billing, ...(reason !== undefined && { reason }) });
}

/** @param known the state with the read; if no further read is due in it, this was the last one. */
function reasonNow(
  { status, reason, confirmAt }: SubscriptionState,
  known: SubscriptionState,
  { facts, book }: { readonly facts: AgreementFacts; readonly book: BookFacts | undefined },
): string | undefined {
  const isLast = confirmAt !== undefined && known.confirmAt === undefined;
  const shown = statusShown(facts.shown);
  if (isLast && shown !== undefined && !isTerminal(shown)) {
    return `The provider shows the agreement as ${facts.shown}, though it is ${status}.`;
  }
  if (reason !== feeUnclear || !book) return reason;
  if (book.hasPaid) return feePaid;
  // An empty list of payments proves nothing while reads may lag or a payment is pending.
  return isLast && book.oldestPendingAt === undefined ? feeUnpaid : reason;
}

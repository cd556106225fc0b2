import { isSame, withBook } from './book.js';
import { isOlder, isOtherAgreement, statusShown, toldOnly } from './observation.js';
import { feePaid, feeUnclear, feeUnpaid, moved } from './rules.js';
import {
  type AgreementFacts,
  type BookFacts,
  type SubscriptionTransitionResult,
  type SubscriptionState,
  isTerminal,
} from './subscription.js';

/**
 * A read after the end. An ended subscription stays as it ended: what the read brings are the cycles that were billed
 * right before, and the book of its payments.
 */
export function observeEnded(
  state: SubscriptionState,
  { facts, book }: { readonly facts: AgreementFacts; readonly book?: BookFacts },
): SubscriptionTransitionResult {
  const other = isOtherAgreement(state, facts);
  if (other) return other;
  if (isOlder(state, facts)) return toldOnly(state, book);
  const known = withBook(state, book);
  const reason = reasonNow(state, known, { facts, book });
  const isNews = !isSame(facts.billing, state.billing) || reason !== state.reason || book?.told !== undefined;
  if (!isNews) return known === state ? { kind: 'stale', state } : moved(known);
  return moved({ ...known, billing: facts.billing, ...(reason !== undefined && { reason }) });
}

/** @param known what the state is once the read is taken: the last one is that after which nothing is owed. */
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
  // As long as reads may lag, a book without a payment proves nothing; while one is on its way, neither.
  return isLast && book.oldestPendingAt === undefined ? feeUnpaid : reason;
}

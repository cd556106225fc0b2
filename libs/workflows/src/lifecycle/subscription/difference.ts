import { type Difference, differing } from '../difference.js';
import { moneyText } from '../money.js';
import { statusShown } from './observation.js';
import type { AgreementFacts, Billing, SubscriptionState } from './subscription.js';

/** The differences between a subscription at rest and the provider's agreement. */
export function differencesOf(state: SubscriptionState, { shown, billing }: AgreementFacts): Difference[] {
  const { status, order } = state;
  const theirs = statusShown(shown) ?? shown;
  const compared = [{ field: 'agreement', ours: status, theirs }];
  const known = state.billing;
  if (!known) return differing(compared);
  const owed = ({ outstandingMinor }: Billing) =>
    moneyText({ minor: outstandingMinor, currency: order.currency });
  return differing([
    ...compared,
    { field: 'cycles', ours: String(known.cyclesCompleted), theirs: String(billing.cyclesCompleted) },
    { field: 'outstanding', ours: owed(known), theirs: owed(billing) },
  ]);
}

import type { Instant } from '../lifecycle.js';
import { isWholeSecond } from '../notified-resource.js';
import { isOlder } from './observation.js';
import type {
  AgreementFacts,
  BalanceSetting,
  SeenBalance,
  SubscriptionEvent,
  SubscriptionState,
} from './subscription.js';

/** What the provider shows after the balance may have been billed. The payments were read first, then the agreement. */
export interface ShownBalance {
  readonly facts: AgreementFacts;
  /** The listed sales of the billed amount, `since` the earlier read. */
  readonly sales: readonly { readonly id: string; readonly at: Instant; readonly hasFailed: boolean }[];
  /** The list lacks the latest payment that the agreement shows. */
  readonly isCut: boolean;
}

/**
 * What a later read shows about a billing of the balance with a lost answer. The call carries no reference of ours, so a
 * new sale of its amount shows it, unless a cycle can have made that sale.
 *
 * @param seen what the provider showed before the first call; undefined if that is not known.
 * @returns 'absent' if nothing can be the billing, 'unreadable' if the read proves nothing.
 */
export function billingShown(
  state: SubscriptionState,
  seen: SeenBalance | undefined,
  { facts, sales, isCut }: ShownBalance,
): SubscriptionEvent | 'absent' | 'unreadable' {
  if (!seen || isOlder(state, facts) || facts.billing.cyclesCompleted < seen.cyclesCompleted)
    return 'unreadable';
  const cycles = facts.billing.cyclesCompleted - seen.cyclesCompleted;
  const known = new Set(seen.saleIds);
  const made = sales.filter(({ id }) => !known.has(id));
  const hasFallen = facts.billing.outstandingMinor < seen.outstandingMinor;
  // The list that was read before may have lagged, and lacked a sale that was there: that one proves nothing. One
  // that is newer than the shown agreement proves nothing either: a cycle that is not counted yet may have made it.
  const [changedAt, { updatedAt }] = [seen.updatedAt, facts.billing];
  const isBefore = inUnitsOf(precisionOf([changedAt, updatedAt]));
  const later = made.filter(({ at }) => isBefore(changedAt ?? 0, at) && !isBefore(updatedAt ?? Infinity, at));
  if (later.length > cycles) {
    // Without a cycle in between, the billing has lowered what is outstanding, unless its payment has failed since.
    const isShown = cycles > 0 || hasFallen || later.some(({ hasFailed }) => hasFailed);
    return isShown ? { type: 'balanceBilled' } : 'unreadable';
  }
  if (made.length > 0 || isCut) return 'unreadable';
  // What is outstanding falls also with a cycle that collects it, and with the end of the agreement.
  const isExplained = !hasFallen || cycles > 0 || facts.shown === 'Cancelled';
  return isExplained ? 'absent' : 'unreadable';
}

/** True if nothing above the balance was outstanding before the call, which is not sent then. */
export function isBalanceReached({ minor, seen }: Required<Pick<BalanceSetting, 'minor' | 'seen'>>): boolean {
  return seen.outstandingMinor <= minor;
}

/**
 * What a later read shows about a setting of the balance with a lost answer. A cycle since then may have changed the
 * balance, too, so that the read proves nothing. A read of an agreement that has changed proves nothing either: a payment
 * that was pending and has failed is owed again, and may have undone what the setting had lowered.
 */
export function settingShown(
  state: SubscriptionState,
  { minor, seen }: Pick<BalanceSetting, 'minor' | 'seen'>,
  facts: AgreementFacts,
): SubscriptionEvent | 'absent' | 'unreadable' {
  const { cyclesCompleted, outstandingMinor, updatedAt } = facts.billing;
  if (!seen || isOlder(state, facts) || cyclesCompleted !== seen.cyclesCompleted) return 'unreadable';
  if (outstandingMinor === minor) return { type: 'balanceSet' };
  // Attempts of earlier releases have no instant.
  const isUnchanged = seen.updatedAt === undefined || seen.updatedAt === updatedAt;
  return isUnchanged && outstandingMinor === seen.outstandingMinor ? 'absent' : 'unreadable';
}

/**
 * A provider may round an agreement's changes down to whole seconds. One of a thousand exact instants is a whole second,
 * too, but hardly all of them.
 */
function precisionOf(changes: readonly (Instant | undefined)[]): number {
  return changes.every((at) => at === undefined || isWholeSecond(at)) ? 1_000 : 1;
}

function inUnitsOf(ms: number): (one: Instant, other: Instant) => boolean {
  return (one, other) => Math.floor(one / ms) < Math.floor(other / ms);
}

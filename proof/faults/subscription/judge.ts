import { describeAim } from '../deadline/plan.js';
import { type Discrepancy, doubled, lost } from '../discrepancy.js';
import { judgeEnd } from '../judge-end.js';
import type { Verdict } from '../lifecycle.js';
import { idsOf, sumOf } from '../payment/account.js';
import { says } from '../payment/judge-view.js';
import type { Agreement } from '../provider-account.js';
import type { Movement } from '#tools/sandbox-admin.js';
import { verdictOn } from '../verdict.js';
import { minorOf } from '../wire-money.js';
import { canBeRefused, endOf, type SubscriptionPlan } from './plan.js';
import type { SubscriptionRecord } from './play.js';
import type { SubscribedPayer } from './subscription-view.js';

/**
 * Whether one agreement was made for the order, has the status that the engine shows, and each of its payments in the
 * books is shown once.
 *
 * @param movements of all agreements that were made for the order.
 */
export function judgeSubscription(
  plan: SubscriptionPlan,
  record: SubscriptionRecord,
  movements: readonly Movement[],
): Verdict {
  const { orderId } = plan;
  const { final, ...reported } = record;
  return verdictOn(record, {
    orderId,
    ordered: 'subscription',
    scenario: describeSubscription(plan),
    books: `${movements.length} payments of ${sumOf(movements)} (${idsOf(movements)})`,
    found: final
      ? [...judgeOnce(final), ...judgeStanding(plan, final), ...judgePayments(plan, final, movements)]
      : [],
    end: judgeEnd(
      { ...reported, ...(final && { final: final.subscription }) },
      [endOf(plan, canBeRefused(plan) && isRefused(final, movements)), ...(plan.aim ? ['lapsed'] : [])],
      (state) => isExcused(state, record, movements) || cameTooLate(plan, record, state),
    ),
  });
}

export function describeSubscription({ terms, ending, application, aim }: SubscriptionPlan): string {
  return `${terms.name}; ${aim ? describeAim(aim) : ending} at ${application}`;
}

/** The provider has cancelled the agreement before it was active: nobody has paid, and nothing is owed. */
function isRefused(final: SubscribedPayer | undefined, movements: readonly Movement[]): boolean {
  const [agreement] = final?.agreements ?? [];
  return agreement?.state === 'Cancelled' && movements.length === 0;
}

/** The provider did not do it, and no money has moved wrongly. */
function isExcused(
  state: string,
  { commands, final }: SubscriptionRecord,
  movements: readonly Movement[],
): boolean {
  if (state === 'declined' || state === 'lapsed')
    return final?.agreements.length === 0 && movements.length === 0;
  // What was to be suspended, reactivated or cancelled ran on as it was.
  const isFailed = commands.some(({ outcome }) => outcome === 'failed');
  return isFailed && (state === 'expired' || state === 'active' || state === 'suspended');
}

/** On a slow machine all cycles were billed before the player could suspend or cancel it. */
function cameTooLate({ ending }: SubscriptionPlan, { commands }: SubscriptionRecord, state: string): boolean {
  if (state !== 'expired') return false;
  if (ending === 'cancelled elsewhere') return true;
  const changes = commands.filter(({ kind }) => kind !== 'plan' && kind !== 'create');
  return changes.every(({ outcome }) => outcome === 'refused');
}

function judgeOnce({ agreements, plans }: SubscribedPayer): Discrepancy[] {
  const found: Discrepancy[] = [];
  if (agreements.length > 1) {
    found.push(
      doubled(`there are ${agreements.length} agreements: ${agreements.map(({ id }) => id).join(' ')}`),
    );
  }
  if (plans > 1) found.push(doubled(`there are ${plans} plans of one content`));
  return found;
}

/** The provider's words for the states in which an agreement is executed. */
const agreementStates: Readonly<Record<string, string>> = {
  active: 'Active',
  suspended: 'Suspended',
  cancelled: 'Cancelled',
  expired: 'Expired',
};

function judgeStanding(
  { terms }: SubscriptionPlan,
  { subscription, agreements }: SubscribedPayer,
): Discrepancy[] {
  const [agreement] = agreements;
  const { state } = subscription;
  // Between two states nothing is judged; another judge reports a missing end.
  if (!agreement) {
    const isUnfounded = state in agreementStates && state !== 'cancelled';
    return isUnfounded ? [lost(`the engine says ${state}, and no agreement was made`)] : [];
  }
  if (state === 'declined' || state === 'lapsed') return [says(`${state} of ${describe(agreement)}`)];
  const expected = agreementStates[state];
  if (expected === undefined) return [];
  if (expected !== agreement.state) return [says(`${state} of ${describe(agreement)}`)];
  return judgeBilling(terms.exponent, subscription, agreement);
}

function judgeBilling(
  exponent: number,
  { cyclesCompleted, outstanding }: SubscribedPayer['subscription'],
  agreement: Agreement,
): Discrepancy[] {
  const { cycles_completed, outstanding_balance } = agreement.agreement_details;
  const found: Discrepancy[] = [];
  if (cyclesCompleted !== cycles_completed)
    found.push(says(`${cyclesCompleted} cycles of ${describe(agreement)}`));
  if (minorOf(outstanding.value, exponent) !== minorOf(outstanding_balance.value, exponent)) {
    found.push(says(`${outstanding.value} outstanding of ${describe(agreement)}`));
  }
  return found;
}

/** Every payment is one movement, and every movement one payment. */
function judgePayments(
  { terms }: SubscriptionPlan,
  { payments: { payments, collected } }: SubscribedPayer,
  movements: readonly Movement[],
): Discrepancy[] {
  const unclaimed = new Set(movements);
  const found: Discrepancy[] = [];
  for (const { id, state, amount } of payments) {
    if (state !== 'completed') continue;
    const mine = [...unclaimed].filter(({ saleId }) => saleId === id);
    for (const movement of mine) unclaimed.delete(movement);
    if (mine.length !== 1 || sumOf(mine) !== minorOf(amount.value, terms.exponent)) {
      found.push(says(`payment ${id} of ${amount.value}, booked ${mine.length} times as ${sumOf(mine)}`));
    }
  }
  if (unclaimed.size > 0) found.push(lost(`collected, and not told of: ${idsOf([...unclaimed])}`));
  if (minorOf(collected.value, terms.exponent) !== sumOf(movements))
    found.push(says(`${collected.value} collected`));
  return found;
}

function describe({
  id,
  state,
  agreement_details: { cycles_completed, outstanding_balance },
}: Agreement): string {
  return `agreement ${id}, which is ${state} after ${cycles_completed} cycles with ${outstanding_balance.value} outstanding`;
}

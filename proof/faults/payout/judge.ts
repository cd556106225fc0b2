import { type Discrepancy, doubled, lost, stuck } from '../discrepancy.js';
import { judgeEnd } from '../judge-end.js';
import type { Verdict } from '../lifecycle.js';
import { idsOf, sumOf } from '../payment/account.js';
import { says } from '../payment/judge-view.js';
import type { Movement } from '#tools/sandbox-admin.js';
import { verdictOn } from '../verdict.js';
import { minorOf } from '../wire-money.js';
import type { ItemView } from './payout-view.js';
import { deniedBatches, type PayoutPlan, type PlannedItem, unfundedBatches } from './plan.js';
import type { PayoutRecord } from './play.js';

/** Whether each receiver was paid once, and the engine shows each item as the books do. */
export function judgePayout(plan: PayoutPlan, record: PayoutRecord, movements: readonly Movement[]): Verdict {
  const { orderId, items, application } = plan;
  const { final, ...reported } = record;
  const ofItems = Map.groupBy(movements, ({ custom }) => custom ?? 'no item');
  const found = items.flatMap((item) => judgeItem(plan, record, item, ofItems.get(item.itemId) ?? []));
  for (const { itemId } of items) ofItems.delete(itemId);
  const unowned = [...ofItems.values()].flat();
  if (unowned.length > 0) found.push(doubled(`paid without being asked: ${idsOf(unowned)}`));
  return verdictOn(record, {
    orderId,
    ordered: 'payout',
    scenario: `${items.length} items at ${application}`,
    books: describe(movements),
    found: [...found, ...judgeTwins(record), ...judgeTotals(plan, record)],
    end: judgeEnd(
      { ...reported, ...(final && { final: final.payout }) },
      plannedStates(plan),
      (state) => state === 'declined' && movements.length === 0,
    ),
  });
}

/** An unclaimed item that is not cancelled waits for its receiver for 30 days. */
function plannedStates({ application, items }: PayoutPlan): readonly string[] {
  if (application === deniedBatches.name || application === unfundedBatches.name) return ['denied'];
  return items.some(waitsForReceiver) ? ['settling'] : ['completed'];
}

function waitsForReceiver({ receiver, isTakenBack }: PlannedItem): boolean {
  return receiver === 'unclaimed' && !isTakenBack;
}

/** @param movements of this item alone. */
function judgeItem(
  plan: PayoutPlan,
  { final, commands }: PayoutRecord,
  item: PlannedItem,
  movements: readonly Movement[],
): Discrepancy[] {
  const { itemId, minor } = item;
  const paid = movements.filter(({ kind }) => kind === 'payout');
  const returned = movements.filter(({ kind }) => kind === 'payout_return');
  const found: Discrepancy[] = [];
  if (paid.length > 1) found.push(doubled(`item ${itemId} was paid ${paid.length} times`));
  if (returned.length > 1) found.push(doubled(`item ${itemId} came back ${returned.length} times`));
  for (const movement of movements) {
    if (movement.amountMinor === minor && movement.currency === plan.currency) continue;
    found.push(lost(`item ${itemId} of ${minor} was booked as ${movement.amountMinor} ${movement.currency}`));
  }
  const isCancelled = commands.some(
    ({ kind, path, outcome }) =>
      kind === 'cancel item' && outcome === 'succeeded' && path.includes(`/${itemId}/`),
  );
  if (isCancelled && returned.length === 0)
    found.push(lost(`item ${itemId} was taken back, and did not come back`));
  const views = (final?.items ?? []).filter((shown) => shown.itemId === itemId);
  const [view] = views;
  if (final && views.length !== 1) found.push(says(`${views.length} times what became of item ${itemId}`));
  if (view) found.push(...judgeItemView(plan, item, view, paid.length - returned.length));
  return found;
}

/** States in which the receiver has the money, or can have it: it has left, and has not come back. */
const away: ReadonlySet<string> = new Set(['success', 'unclaimed', 'onhold', 'pending']);

/** @param balance 1 while the money is away, 0 when it never left or has come back. */
function judgeItemView(
  { exponent }: PayoutPlan,
  { itemId, minor }: PlannedItem,
  { state, amount }: ItemView,
  balance: number,
): Discrepancy[] {
  const found: Discrepancy[] = [];
  if (minorOf(amount.value, exponent) !== minor) found.push(says(`${amount.value} of item ${itemId}`));
  // The item's state is unknown; another judge reports that the batch did not end.
  if (state === 'queued') return balance === 0 ? found : [...found, stuck(`item ${itemId} is left queued`)];
  if (away.has(state) !== (balance === 1)) found.push(says(`${state} of item ${itemId}`));
  return found;
}

/** A batch that contains an item twice is refused as a whole; another judge reports a missing answer. */
function judgeTwins({ commands }: PayoutRecord): Discrepancy[] {
  return commands
    .filter(({ kind, outcome }) => kind === 'create twins' && outcome !== 'refused' && outcome !== 'open')
    .map(({ key, outcome }) => doubled(`a batch with an item twice in it has ${outcome} (key ${key})`));
}

/** The totals of the batch are those of its items. */
function judgeTotals({ exponent }: PayoutPlan, { final }: PayoutRecord): Discrepancy[] {
  if (!final) return [];
  const byState = Map.groupBy(final.items, ({ state }) => state);
  return Object.entries(final.payout.totals).flatMap(([state, { count, amount }]) => {
    const items = byState.get(state) ?? [];
    const minor = items.reduce((sum, item) => sum + minorOf(item.amount.value, exponent), 0);
    const isSame = items.length === count && minor === minorOf(amount.value, exponent);
    return isSame
      ? []
      : [says(`${count} items ${state} of ${amount.value}, where ${items.length} of ${minor} are`)];
  });
}

function describe(movements: readonly Movement[]): string {
  const part = (kind: Movement['kind'], what: string): string => {
    const all = movements.filter((movement) => movement.kind === kind);
    return `${all.length} ${what} of ${sumOf(all)}`;
  };
  return `${part('payout', 'paid')}, ${part('payout_return', 'come back')}`;
}

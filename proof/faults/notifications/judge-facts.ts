import { type Discrepancy, notificationEarly } from '../discrepancy.js';
import { isEnd, mayFollow } from '../reported-states.js';
import type { Movement } from '#tools/sandbox-admin.js';
import { collectedStates } from './due-notifications.js';
import { moneyToldEarly } from './money-told.js';
import type { ListedNotification, Notified } from './notified.js';
import { nameOfItem, onceEach, type Reception, shownBy } from './reception.js';
import type { ShownResources } from './shown-resources.js';

/** What was told was so when it came: written by the engine, booked by the provider, and never taken back. */
export function judgeFacts({ receptions, listed, shown, movements }: Notified): Discrepancy[] {
  const firsts = onceEach(receptions);
  return [
    ...judgeWritten(firsts, listed),
    ...judgeEnds(firsts, shown),
    ...firsts.flatMap((reception) =>
      moneyToldEarly(reception, movements).map((what) => early(reception, what)),
    ),
    ...judgeCycles(firsts, shown, movements),
  ];
}

function judgeWritten(firsts: readonly Reception[], listed: readonly ListedNotification[]): Discrepancy[] {
  const written = new Set(listed.map(({ id }) => id));
  return firsts
    .filter(({ id }) => !written.has(id))
    .map((each) => early(each, 'the engine has no row of it'));
}

function judgeEnds(firsts: readonly Reception[], shown: ShownResources): Discrepancy[] {
  const last = lastStates(shown);
  return firsts.flatMap((reception) => {
    const told = shownBy(reception);
    const state = last.get(told.name);
    if (!isEnd(told) || (state !== undefined && mayFollow(told, state))) return [];
    return [early(reception, `told as ${told.state}, and shown as ${state ?? 'nothing'} in the end`)];
  });
}

function lastStates({ payments, refunds, subscriptions, payouts }: ShownResources): Map<string, string> {
  const resources = [...payments, ...refunds, ...subscriptions, ...payouts];
  const items = payouts.flatMap(({ id, items: all }) =>
    all.map(({ itemId, state }) => [nameOfItem(id, itemId), state] as const),
  );
  return new Map([...resources.map(({ id, state }) => [id, state] as const), ...items]);
}

/** Its data names no payment, so the first one told is held against the first one booked, and so on. */
function judgeCycles(
  firsts: readonly Reception[],
  { subscriptions }: ShownResources,
  movements: readonly Movement[],
): Discrepancy[] {
  const told = Map.groupBy(
    firsts.filter(({ type }) => type === 'subscription.cycle_billed'),
    (reception) => shownBy(reception).name,
  );
  const bookedAt = new Map(movements.map(({ saleId, createdAt }) => [saleId, createdAt] as const));
  return subscriptions.flatMap(({ id, payments }) => {
    const booked = payments
      .filter(({ state }) => collectedStates.has(state))
      .flatMap((payment) => bookedAt.get(payment.id) ?? [])
      .toSorted((left, right) => left.getTime() - right.getTime());
    return (told.get(id) ?? []).flatMap((reception, place) => {
      const at = booked[place];
      return at && at <= reception.at ? [] : [early(reception, `payment ${place + 1} was not booked yet`)];
    });
  });
}

function early({ id, type, data }: Reception, what: string): Discrepancy {
  return notificationEarly(`${id}, ${type} of ${shownBy({ type, data }).name}: ${what}`);
}

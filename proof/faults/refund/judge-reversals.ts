import { type Discrepancy, doubled, lost } from '../discrepancy.js';
import { type Account, idsOf, sumOf } from '../payment/account.js';
import { says } from '../payment/judge-view.js';
import type { Movement } from '#tools/sandbox-admin.js';
import { minorOf } from '../wire-money.js';
import type { RefundPlan } from './plan.js';
import type { RefundRecord } from './play.js';
import type { RefundView } from './refund-view.js';

/** Whether each chargeback is shown once, with no other amount than its own, and is never undone. */
export function judgeReversals(
  { exponent }: RefundPlan,
  { final, chargebacksReported = [] }: RefundRecord,
  account: Account,
): Discrepancy[] {
  if (!final) return [];
  const shown = final.refunds.filter(({ kind, state }) => kind === 'reversal' && state === 'completed');
  const gone = chargebacksReported.filter((id) => shown.every((view) => view.id !== id));
  const found = gone.map((id) => lost(`chargeback ${id} was told, and is not any more`));
  const bySource = Map.groupBy(account.movements.reversal, sourceOf);
  const shownBySource = Map.groupBy(shown, ({ captureId, saleId }) => captureId ?? saleId ?? '');
  let reported: number | undefined = 0;
  for (const id of new Set([...bySource.keys(), ...shownBySource.keys()])) {
    const movements = bySource.get(id) ?? [];
    const views = shownBySource.get(id) ?? [];
    found.push(...judgeCount(id, movements, views));
    const minor = isAllGone(id, account) ? sumOf(movements) : undefined;
    found.push(...judgeAmounts(views, isAllGone(id, account) ? movements : [], exponent));
    reported = reported === undefined || minor === undefined ? undefined : reported + minor;
  }
  const { reversed } = final.payment.amounts;
  const isSame = reversed === null ? reported === undefined : minorOf(reversed.value, exponent) === reported;
  return isSame ? found : [...found, says(`${reversed?.value ?? 'an unknown amount'} charged back`)];
}

function judgeCount(id: string, movements: readonly Movement[], views: readonly RefundView[]): Discrepancy[] {
  if (views.length === movements.length) return [];
  const what = `${movements.length} chargebacks of ${id} (${idsOf(movements)}) are told as ${views.length}`;
  return [views.length < movements.length ? lost(what) : doubled(what)];
}

/**
 * The provider shows how much was charged back only once all of it is gone. Of one alone that is its amount; of several
 * nobody knows each one's. The first may have been told with all of it, while no event of another one had come.
 *
 * @param movements none where it is not shown.
 */
function judgeAmounts(
  views: readonly RefundView[],
  movements: readonly Movement[],
  exponent: number,
): Discrepancy[] {
  const [only, ...others] = views;
  if (only && !only.amount && others.length === 0 && movements.length === 1)
    return [says('nothing of how much was charged back')];
  const amounts = movements.map(({ amountMinor }) => amountMinor);
  const isRight = (minor: number, place: number) =>
    amounts.includes(minor) || (place === 0 && minor === sumOf(movements));
  return views.flatMap(({ amount }, place) =>
    amount && !isRight(minorOf(amount.value, exponent), place) ? [says(`${amount.value} charged back`)] : [],
  );
}

/** All that was collected by it has gone back. */
function isAllGone(id: string, { movements: { sale, capture, refund, reversal } }: Account): boolean {
  const of = (movements: readonly Movement[]): number =>
    sumOf(movements.filter((movement) => sourceOf(movement) === id));
  return of([...sale, ...capture]) === of([...refund, ...reversal]);
}

function sourceOf({ captureId, saleId }: Movement): string {
  return captureId ?? saleId ?? '';
}

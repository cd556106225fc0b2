import { type Discrepancy, doubled, lost } from '../discrepancy.js';
import { type Account, idsOf, sumOf } from '../payment/account.js';
import { says } from '../payment/judge-view.js';
import type { Movement } from '#tools/sandbox-admin.js';
import { minorOf } from '../wire-money.js';
import type { RefundPlan } from './plan.js';
import type { RefundRecord } from './play.js';
import type { RefundView } from './refund-view.js';

/** Whether each chargeback is shown once, with no more than the provider shows, and is never undone. */
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
    found.push(...judgeAmounts(views, minor, exponent));
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
 * The provider shows how much was charged back only once all of it is gone; then one of them says so, for all.
 *
 * @param minor undefined where it is not shown.
 */
function judgeAmounts(
  views: readonly RefundView[],
  minor: number | undefined,
  exponent: number,
): Discrepancy[] {
  const amounts = views.flatMap(({ amount }) => (amount ? [amount.value] : []));
  if (minor !== undefined && views.length > 0 && amounts.length === 0)
    return [says('nothing of how much was charged back')];
  return amounts
    .filter((value) => minorOf(value, exponent) !== minor)
    .map((value) => says(`${value} charged back`));
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

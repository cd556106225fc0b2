import { z } from 'zod';
import { type Discrepancy, doubled, lost, needsReview, stuck } from '../discrepancy.js';
import { type EndVerdict, judgeEnd } from '../judge-end.js';
import type { Verdict } from '../lifecycle.js';
import type { Command } from '../order-service.js';
import { type Account, accountOf, describeAccount, idsOf, sumOf } from '../payment/account.js';
import { claimOneOf } from '../payment/judge-claims.js';
import { judgeCollected } from '../payment/judge-collected.js';
import { says } from '../payment/judge-view.js';
import { orderedId } from '../record.js';
import type { Movement } from '../sandbox-admin.js';
import { verdictOn } from '../verdict.js';
import { minorOf } from '../wire-money.js';
import type { RefundPlan } from './plan.js';
import { elsewherePrefix, type RefundRecord } from './play.js';
import { type RefundView, settledRefunds } from './refund-view.js';

/** Whether each refund that was asked for went back once, and those made elsewhere are told as the books have them. */
export function judgeRefund(plan: RefundPlan, record: RefundRecord, movements: readonly Movement[]): Verdict {
  const account = accountOf(movements);
  const { orderId, approval, intent, wish, application } = plan;
  const collectedBy = intent === 'sale' ? saleOf : captureOf;
  return verdictOn(record, {
    who: `order ${orderId}, payment ${orderedId(record) ?? 'unknown'} (${intent}, ${approval}; refunded ${wish.title} at ${application})`,
    books: describeAccount(account),
    found: [
      ...judgeCollected(plan, record.final?.payment, account, collectedBy),
      ...judgeRefunds(plan, record, account),
      ...judgeStanding(record),
    ],
    end: endOf(record, collectedBy.collectedState, account),
  });
}

const saleOf = { kind: 'sale', collectedState: 'completed' } as const;
const captureOf = { kind: 'capture', collectedState: 'captured' } as const;

function endOf(record: RefundRecord, planned: string, { sums }: Account): EndVerdict {
  const { final, ...told } = record;
  const end = judgeEnd({ ...told, ...(final && { final: final.payment }) }, [planned], (state) => {
    const isUntaken = sums.sale + sums.capture === 0 && sums.hold === sums.release;
    return state === 'declined' ? isUntaken : state === 'authorized' && sums.capture === 0;
  });
  const failed = record.commands.filter(({ kind, outcome }) => kind === 'refund' && outcome === 'failed');
  if (end.discrepancies.length > 0 || end.explanation !== undefined || failed.length === 0) return end;
  return { ...end, explanation: `not refunded: ${failed.map(({ detail }) => detail).join('; ')}` };
}

function judgeRefunds(
  { exponent }: RefundPlan,
  { commands, final }: RefundRecord,
  { movements }: Account,
): Discrepancy[] {
  const shown = final?.refunds ?? [];
  const unclaimed = new Set(movements.refund);
  const found: Discrepancy[] = [];
  for (const command of commands.filter(({ kind }) => kind === 'refund')) {
    if (command.outcome !== 'succeeded') continue;
    const view = shown.find(({ id }) => id === refundIdOf(command));
    found.push(
      ...(view ? judgeOne(view, command, exponent, unclaimed) : [says('nothing of a refund that it took')]),
    );
  }
  for (const view of shown.filter(({ origin }) => origin === 'elsewhere')) {
    found.push(...judgeOne(view, undefined, exponent, unclaimed));
  }
  // It is stuck; should its money have gone back meanwhile, that is its own movement and no doubled one.
  for (const { body } of commands.filter(({ kind, outcome }) => kind === 'refund' && outcome === 'open')) {
    const minor = askedMinor(body, exponent);
    if (minor !== undefined) claimOneOf(minor, unclaimed);
  }
  return [...found, ...judgeUnclaimed([...unclaimed])];
}

/** @param command that asked for it; none asked for one made elsewhere. */
function judgeOne(
  { id, providerRefundId, amount, status }: RefundView,
  command: Command | undefined,
  exponent: number,
  unclaimed: Set<Movement>,
): Discrepancy[] {
  const mine = [...unclaimed].filter(({ refundId }) => refundId !== null && refundId === providerRefundId);
  for (const movement of mine) unclaimed.delete(movement);
  const name = `refund ${id} (${providerRefundId ?? 'without an id'})`;
  if (mine.length > 1) return [doubled(`${name} was booked ${mine.length} times`)];
  if (status !== 'completed') {
    return mine.length === 0 ? [] : [says(`${status} of ${name}`)];
  }
  if (mine.length === 0) return [lost(`${name} is completed, and no movement shows it`)];
  const told = amount ? minorOf(amount.value, exponent) : undefined;
  const asked = command ? askedMinor(command.body, exponent) : undefined;
  const booked = sumOf(mine);
  if (told !== booked) return [says(`${amount?.value ?? 'no amount'} of ${name}`)];
  return asked === undefined || asked === booked
    ? []
    : [lost(`${asked} were asked of ${name}, ${booked} went back`)];
}

/** Nobody has asked the engine for these. */
function judgeUnclaimed(unclaimed: readonly Movement[]): Discrepancy[] {
  const elsewhere = unclaimed.filter(
    ({ invoiceNumber }) => invoiceNumber?.startsWith(elsewherePrefix) === true,
  );
  const others = unclaimed.filter((movement) => !elsewhere.includes(movement));
  return [
    ...(elsewhere.length > 0 ? [lost(`refunded elsewhere, and not told of: ${idsOf(elsewhere)}`)] : []),
    ...(others.length > 0 ? [doubled(`refunded without being asked: ${idsOf(others)}`)] : []),
  ];
}

/** By now the provider has settled every refund, and its reads tell the truth. */
function judgeStanding({ final }: RefundRecord): Discrepancy[] {
  return (final?.refunds ?? []).flatMap(({ id, status, reason }) => {
    const what = `refund ${id} is left ${status} (${reason ?? 'no reason given'})`;
    if (status === 'needs_review') return [needsReview(what), stuck(what)];
    return settledRefunds.has(status) ? [] : [stuck(what)];
  });
}

const withId = z.object({ id: z.string() });

function refundIdOf({ answer }: Command): string {
  return withId.parse(answer).id;
}

/** Undefined where all that is left was asked for. */
function askedMinor(body: unknown, exponent: number): number | undefined {
  const { amount } = body as { readonly amount?: { readonly value: string } };
  return amount && minorOf(amount.value, exponent);
}

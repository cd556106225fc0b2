import { z } from 'zod';
import { type Discrepancy, doubled, lost } from '../discrepancy.js';
import type { Command } from '../order-service.js';
import { type Account, idsOf, sumOf } from '../payment/account.js';
import { claimOneOf } from '../payment/judge-claims.js';
import { says } from '../payment/judge-view.js';
import type { Movement } from '#tools/sandbox-admin.js';
import { minorOf } from '../wire-money.js';
import type { RefundPlan } from './plan.js';
import { elsewherePrefix, type RefundRecord } from './play.js';
import type { RefundView } from './refund-view.js';

/** Whether each refund that was asked for went back once, and those made elsewhere are shown as the books have them. */
export function judgeRefunds(
  { exponent }: RefundPlan,
  { commands, final }: RefundRecord,
  { movements }: Account,
): Discrepancy[] {
  const shown = (final?.refunds ?? []).filter(({ kind }) => kind === 'refund');
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
  // The request is stuck. If its money went back, that movement belongs to it and is not doubled.
  for (const { body } of commands.filter(({ kind, outcome }) => kind === 'refund' && outcome === 'open')) {
    const minor = askedMinor(body, exponent);
    if (minor !== undefined) claimOneOf(minor, unclaimed);
  }
  return [...found, ...judgeUnclaimed([...unclaimed])];
}

/** @param command that asked for it; none asked for one made elsewhere. */
function judgeOne(
  { id, providerRefundId, amount, state }: RefundView,
  command: Command | undefined,
  exponent: number,
  unclaimed: Set<Movement>,
): Discrepancy[] {
  const mine = [...unclaimed].filter(({ refundId }) => refundId !== null && refundId === providerRefundId);
  for (const movement of mine) unclaimed.delete(movement);
  const name = `refund ${id} (${providerRefundId ?? 'without an id'})`;
  if (mine.length > 1) return [doubled(`${name} was booked ${mine.length} times`)];
  if (state !== 'completed') {
    return mine.length === 0 ? [] : [says(`${state} of ${name}`)];
  }
  if (mine.length === 0) return [lost(`${name} is completed, and no movement shows it`)];
  const reported = amount ? minorOf(amount.value, exponent) : undefined;
  if (reported !== sumOf(mine)) return [says(`${amount?.value ?? 'no amount'} of ${name}`)];
  return command ? judgeAsked(name, command, exponent, mine) : [];
}

/** As much went back as was asked for, and of the capture that was named. */
function judgeAsked(
  name: string,
  { body }: Command,
  exponent: number,
  mine: readonly Movement[],
): Discrepancy[] {
  const asked = askedMinor(body, exponent);
  if (asked !== undefined && asked !== sumOf(mine))
    return [lost(`${asked} were asked of ${name}, ${sumOf(mine)} went back`)];
  const named = askedCaptureId(body);
  return named === undefined || mine.every(({ captureId }) => captureId === named)
    ? []
    : [lost(`${name} was asked of capture ${named}, and went back of another: ${idsOf(mine)}`)];
}

/** Refunds that were not requested from the engine. */
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

const withId = z.object({ id: z.string() });

function refundIdOf({ answer }: Command): string {
  return withId.parse(answer).id;
}

/** Undefined where all that is left was asked for. */
function askedMinor(body: unknown, exponent: number): number | undefined {
  const { amount } = body as { readonly amount?: { readonly value: string } };
  return amount && minorOf(amount.value, exponent);
}

/** Undefined where only one thing was collected. */
function askedCaptureId(body: unknown): string | undefined {
  return (body as { readonly captureId?: string }).captureId;
}

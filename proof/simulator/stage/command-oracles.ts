import type { AttemptRow } from '#database/schema';
import type { PlanState } from '#workflows/lifecycle/plan';
import { type SubscriptionState, isTerminal } from '#workflows/lifecycle/subscription';
import type { BookedPayment } from '../provider/booked-payment.js';
import type { CommandRow } from '../rows/row-types.js';
import { isFinal } from './payment-oracles.js';
import type { Stage } from './stage.js';

/** Each attempt is sent once at the most: nothing arrives that no row was written for. */
export function judgeArrivals({ provider, rows, world }: Stage): void {
  for (const [requestId, { count }] of provider.arrivals) {
    const begun = rows.attempts.filter(({ request_id }) => request_id === requestId).length;
    if (requestId !== '' && count > begun)
      world.violate('sent twice', `${requestId} arrived ${count} times for ${begun} attempts`);
  }
}

/** What was told of each request agrees with what the provider did for it, once everything is at rest. */
export function judgeCommands(stage: Stage): void {
  for (const command of stage.rows.commands.values()) judgeCommand(stage, command);
}

function judgeCommand(stage: Stage, command: CommandRow): void {
  const { provider, rows, world } = stage;
  const { id, kind, status, subjectId } = command;
  const violate = (oracle: string, words: string) =>
    world.violate(oracle, `${subjectId}: ${kind} ${id} ${words}`);
  if (!isFinal(command)) return violate('stuck', `is ${status} for ever`);
  const attempts = rows.attempts.filter((attempt) => isFor(command, attempt));
  const booked = provider.payments.of(subjectId);
  const made = attempts.filter(({ request_id }) => provider.arrivals.get(request_id)?.isCarriedOut);
  if (kind === 'capture') {
    const references = attempts.map(({ reference }) => reference);
    const captures = capturesOf(booked, references);
    const moved = captures.filter(({ state }) => state !== 'denied');
    if (moved.length > 1) violate('money moved twice', `was made ${moved.length} times`);
    if (moved.length > 0 && status !== 'succeeded')
      violate('told against the books', `was told ${status}, and was made`);
    if (status === 'succeeded' && captures.length === 0)
      violate('told against the books', 'was told succeeded, and was not made');
    return;
  }
  const balances = attempts.flatMap(({ attempt_number: number, request_id: key }) =>
    // A repeat has the key of the attempt before it.
    attempts.some((other) => other.request_id === key && other.attempt_number < number)
      ? []
      : provider.agreements.balancesUnder(key),
  );
  if (balances.length > 1) violate('money moved twice', `was made ${balances.length} times`);
  const isDone = made.length > 0;
  if (status !== 'succeeded' && isDone && !isUndoneSince(stage, command))
    violate('told against the books', `was told ${status}, and was carried out`);
  if (status === 'succeeded' && !isDone && !isSoAnyway(stage, command))
    violate('told against the books', 'was told succeeded, and was not carried out');
}

function isFor({ id, kind, subjectId }: CommandRow, { subject_id, step }: AttemptRow): boolean {
  if (subject_id !== subjectId) return false;
  if (kind === 'create') return step.type.startsWith('create');
  return kind === 'refund' ? step.type === 'makeRefund' : step.commandId === id;
}

function capturesOf(booked: readonly BookedPayment[], references: readonly string[]) {
  return booked
    .flatMap(({ captures }) => captures)
    .filter(({ reference }) => references.includes(reference ?? ''));
}

/** What the provider did, and took back or ended by itself, before or after it was told. */
function isUndoneSince({ provider, rows, row }: Stage, { kind, subjectId, id }: CommandRow): boolean {
  switch (kind) {
    case 'create':
      // A payment is not executed by it, a plan not activated, and an agreement has no payer yet.
      return provider.payments
        .of(subjectId)
        .every(
          ({ holds, sale }) =>
            holds.every((hold) => hold.state === 'denied') && (!sale || sale.state === 'denied'),
        );
    case 'refund': {
      const lines = [...(rows.timelines.get(subjectId)?.values() ?? [])];
      const isFound = lines.some(({ event }) => event === 'refundCameToLight');
      return isFound || !refundsFor(provider, rows, id).some(({ state }) => state === 'completed');
    }
    case 'suspend':
    case 'reactivate':
      // No read of an agreement that has ended since shows it.
      return isTerminal(row<SubscriptionState>(subjectId).state.status);
    default:
      return false;
  }
}

function refundsFor(provider: Stage['provider'], rows: Stage['rows'], commandId: string) {
  const { subjectId } = rows.commands.get(commandId) ?? {};
  const references = rows.attempts
    .filter(({ subject_id }) => subject_id === subjectId)
    .map(({ reference }) => reference);
  return [...provider.payments.payments.values()]
    .flatMap(({ refunds }) => refunds)
    .filter(({ invoiceNumber }) => references.includes(invoiceNumber ?? ''));
}

/** What was asked for is so without a call of ours: somebody else did it, or there was nothing to call for. */
function isSoAnyway({ provider, row }: Stage, { kind, subjectId, parameters }: CommandRow): boolean {
  switch (kind) {
    case 'void':
    case 'release':
      return provider.payments
        .of(subjectId)
        .every(({ holds }) =>
          holds.every(({ state }) => state !== 'authorized' && state !== 'partially_captured'),
        );
    case 'cancel':
      return row(subjectId).status === 'cancelled';
    case 'cancelItem':
      return [...provider.payouts.batches.values()]
        .flatMap(({ items }) => items)
        .some(({ id, status }) => id === parameters['providerItemId'] && status === 'RETURNED');
    case 'deactivate':
      // The calls that change a plan have no key, by which they would be found.
      return row<PlanState>(subjectId).status === 'inactive';
    case 'decide':
      return true;
    default:
      return false;
  }
}

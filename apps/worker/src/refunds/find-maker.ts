import { listAttempts } from '#database/commands';
import { EndOnRecordError, refundRecords, writeTransition } from '#database/transitions';
import { findRefund, findRefundIdByReference, listRequestsOf } from '#database/subjects';
import type { RefundRow } from '#database/schema';
import type { Refund } from '#payments-client';
import { type RefundIdentity, type RefundStepInput, refundSubject } from '#workflows/contract';
import {
  relationOf,
  advanceRefund,
  type AnsweredRefund,
  type RefundFacts,
  isRefundTerminal,
} from '#workflows/lifecycle/refund';
import type { ShownRefund } from '../provider/refund-facts.js';
import type { ActivityContext } from '../steps/activities/context.js';
import { mayBeIt } from './look-up-refund-request.js';
import { writeLostRequest } from './write-lost-request.js';

type Maker = Pick<RefundFacts, 'madeBy' | 'isMakerOpen'>;

/**
 * Finds our own request that made a refund that an event or a read has reported.
 *
 * @param paymentId our id of the refunded payment.
 */
export async function findMaker(
  context: ActivityContext,
  input: RefundStepInput,
  paymentId: string | undefined,
  shown: ShownRefund,
): Promise<Maker> {
  const { identity } = input;
  const { facts, refund } = shown;
  if (!refund) return {};
  const { invoiceNumber: reference } = refund;
  if (reference !== undefined) {
    const madeBy =
      (await findRefundIdByReference(context.db, identity, reference)) ??
      (await writeLostRequest(context, input, paymentId, shown, reference));
    return await makerOf(context, identity, refund.id, madeBy, facts);
  }
  return paymentId === undefined ? {} : await makerOfNameless(context, identity, paymentId, refund);
}

/**
 * An answer may leave out the refund's reference. Then the refund is ours if a request of ours recorded its id, and
 * undecided while an unanswered request may have made it.
 */
async function makerOfNameless(
  { db, providers }: ActivityContext,
  identity: RefundIdentity,
  paymentId: string,
  refund: Refund,
): Promise<Maker> {
  const client = providers.for(identity);
  const requests = await listRequestsOf(db, paymentId);
  const recording = requests.find(({ state }) => state.providerRefundId === refund.id);
  if (recording) return { madeBy: recording.id };
  for (const { id, state } of requests) {
    const { claim, providerRefundId, status } = state;
    if (claim.kind !== 'request' || providerRefundId !== undefined || isRefundTerminal(status)) continue;
    const attempts = await listAttempts(db, id);
    if (attempts.length > 0 && mayBeIt(refund, claim, attempts, client))
      return { madeBy: id, isMakerOpen: true };
  }
  return {};
}

/**
 * A request that was given up but was carried out later than the provider promised is corrected here, because its run
 * has ended.
 *
 * @param madeBy our request with the refund's reference.
 */
async function makerOf(
  context: ActivityContext,
  identity: RefundIdentity,
  providerRefundId: string,
  madeBy: string | undefined,
  facts: ShownRefund['facts'],
): Promise<Maker> {
  const request = madeBy && (await findRefund(context.db, identity, madeBy));
  if (!request) return {};
  const { state, amount, collected, settledAt } = facts;
  const shown = { providerRefundId, state, collectedId: collected.id, ...(amount && { amount }) };
  switch (relationOf(request.state, shown)) {
    case 'another':
      return {};
    case 'awaited':
      return { madeBy: request.id, isMakerOpen: true };
    case 'late':
      await recordLateRefund(context, identity, request, {
        providerRefundId,
        state,
        ...(settledAt !== undefined && { settledAt }),
      });
      return { madeBy: request.id };
    case 'known':
      return { madeBy: request.id };
  }
}

/** Its run has ended. If two processes write, the second one is refused: the row has another end by then. */
async function recordLateRefund(
  { db, changes }: ActivityContext,
  { environment, application }: RefundIdentity,
  { id, state, version }: RefundRow,
  refund: AnsweredRefund,
): Promise<void> {
  const { position, entry } = advanceRefund(
    { state, version },
    { type: 'refundCameToLight', refund },
    Date.now(),
  );
  try {
    await writeTransition(db, {
      records: refundRecords,
      subject: refundSubject({ environment, application, refundId: id }),
      ...position,
      timeline: entry ? [entry] : [],
      knownStatus: state.status,
    });
  } catch (error) {
    // Passed on, it would become the end of the refund that is read.
    if (!(error instanceof EndOnRecordError)) throw error;
  }
  changes.announce(id);
}

import { listAttempts } from '#database/commands';
import { refundRecords, writeTransition } from '#database/transitions';
import { findRefund, findRefundIdByReference, listRequestsOf } from '#database/subjects';
import type { RefundRow } from '#database/schema';
import type { Refund } from '#payments-client';
import { type RefundIdentity, refundSubject } from '#workflows/contract';
import {
  relationOf,
  advanceRefund,
  type AnsweredRefund,
  type RefundFacts,
  isRefundTerminal,
} from '#workflows/lifecycle/refund';
import type { ShownRefund } from '../provider/refund-facts.js';
import type { ActivityContext } from '../context.js';
import { mayBeIt } from './look-up-refund.js';

type Maker = Pick<RefundFacts, 'madeBy' | 'isMakerOpen'>;

/**
 * Our own request that has made a refund which somebody tells us of.
 *
 * @param paymentId ours that its money is of.
 */
export async function findMaker(
  context: ActivityContext,
  identity: RefundIdentity,
  paymentId: string | undefined,
  { facts, refund }: ShownRefund,
): Promise<Maker> {
  if (!refund) return {};
  if (refund.invoiceNumber !== undefined)
    return await makerByReference(context, identity, refund.id, refund.invoiceNumber, facts);
  return paymentId === undefined ? {} : await makerOfNameless(context, paymentId, refund);
}

/**
 * An answer may leave out the reference that a refund bears. Then it is ours where a request of ours knows it, and nobody
 * can say whose it is as long as one that may have made it waits for its answer.
 */
async function makerOfNameless({ db }: ActivityContext, paymentId: string, refund: Refund): Promise<Maker> {
  const requests = await listRequestsOf(db, paymentId);
  const knowing = requests.find(({ state }) => state.providerRefundId === refund.id);
  if (knowing) return { madeBy: knowing.id };
  for (const { id, state } of requests) {
    const { claim, providerRefundId, status } = state;
    if (claim.kind !== 'request' || providerRefundId !== undefined || isRefundTerminal(status)) continue;
    const attempts = await listAttempts(db, id);
    if (attempts.length > 0 && mayBeIt(refund, claim, attempts)) return { madeBy: id, isMakerOpen: true };
  }
  return {};
}

/**
 * By the reference that it bears. A request that was given up, and has been carried out later than the provider
 * promised, is put right: its run has ended, so nobody else would.
 */
async function makerByReference(
  context: ActivityContext,
  identity: RefundIdentity,
  providerRefundId: string,
  reference: string,
  facts: ShownRefund['facts'],
): Promise<Maker> {
  const madeBy = await findRefundIdByReference(context.db, identity, reference);
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
      await putRight(context, identity, request, {
        providerRefundId,
        state,
        ...(settledAt !== undefined && { settledAt }),
      });
      return { madeBy: request.id };
    case 'known':
      return { madeBy: request.id };
  }
}

/** Its run is over: whoever writes first is the only one, for a row never goes back to an older version. */
async function putRight(
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
  await writeTransition(db, {
    records: refundRecords,
    subject: refundSubject({ environment, application, refundId: id }),
    ...position,
    timeline: entry ? [entry] : [],
    knownStatus: state.status,
  });
  changes.announce(id);
}

import { refundRecords } from '../../../../libs/database/src/refund-records.js';
import { findRefund, findRefundIdByReference } from '../../../../libs/database/src/refunds.js';
import type { RefundRow } from '../../../../libs/database/src/schema.js';
import { writeTransition } from '../../../../libs/database/src/transitions.js';
import { type RefundIdentity, refundSubject } from '../../../../libs/workflows/src/contract/refund.js';
import { kinshipOf } from '../../../../libs/workflows/src/lifecycle/refund/belated.js';
import { advanceRefund } from '../../../../libs/workflows/src/lifecycle/refund/lifecycle.js';
import type { AnsweredRefund, RefundFacts } from '../../../../libs/workflows/src/lifecycle/refund/refund.js';
import type { ShownRefund } from '../provider/refund-facts.js';
import type { ActivityContext } from '../context.js';

/**
 * Our own request that has made a refund which somebody tells us of, by the reference that it bears. One that was given
 * up, and has been carried out later than the provider promised, is put right: its run has ended, so nobody else would.
 */
export async function findMaker(
  context: ActivityContext,
  identity: RefundIdentity,
  providerRefundId: string,
  { facts, reference }: ShownRefund,
): Promise<Pick<RefundFacts, 'madeBy' | 'isMakerOpen'>> {
  if (reference === undefined) return {};
  const madeBy = await findRefundIdByReference(context.db, identity, reference);
  const request = madeBy && (await findRefund(context.db, identity, madeBy));
  if (!request) return {};
  const { state, amount, collected, settledAt } = facts;
  const bearing = { providerRefundId, state, collectedId: collected.id, ...(amount && { amount }) };
  switch (kinshipOf(request.state, bearing)) {
    case 'another':
      return {};
    case 'awaited':
      return { madeBy: request.id, isMakerOpen: true };
    case 'belated':
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
  });
  changes.announce(id);
}

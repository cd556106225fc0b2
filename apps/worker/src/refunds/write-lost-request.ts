import { findRefundOrder } from '#database/commands';
import { findRefund, insertLostRefund } from '#database/subjects';
import { type RefundStepInput, prefixOf } from '#workflows/contract';
import { advanceRefund, refundStepName, requestedRefund } from '#workflows/lifecycle/refund';
import { type ShownRefund, answeredRefund } from '../provider/refund-facts.js';
import type { ActivityContext } from '../steps/activities/context.js';
import { freshIdentity } from '../steps/attempts/attempt-identity.js';

/** More attempts than a refund has. */
const mostAttempts = 100;

/**
 * Finds the request that made a refund when its attempts' rows were lost in a restore of the database, and writes its
 * own row again as the provider shows the refund: callers know it by this id, and must not get it by another one
 * (docs/decisions/0033). A run that still carries it out writes over it.
 *
 * @param reference of the shown refund.
 * @param paymentId our id of the refunded payment.
 * @returns the request's id; undefined if the reference is of no request.
 */
export async function writeLostRequest(
  { db }: ActivityContext,
  { identity, state: { patience } }: RefundStepInput,
  paymentId: string | undefined,
  { facts, refund }: ShownRefund,
  reference: string,
): Promise<string | undefined> {
  const refundId = requestWithReference(reference);
  const order = refundId && (await findRefundOrder(db, { ...identity, refundId }));
  if (!order || paymentId === undefined || !facts.amount || !refund) return undefined;
  if (await findRefund(db, identity, refundId)) return refundId;
  const { amount, collected } = facts;
  const claim = {
    kind: 'request' as const,
    collected: { kind: collected.kind, id: collected.id },
    amount,
    providerPaymentId: refund.paymentId ?? '',
  };
  const now = Date.now();
  const requested = requestedRefund(claim, { paymentId, commandId: order.id }, patience, now);
  const answered = advanceRefund(
    { state: requested, version: 0 },
    { type: 'refundAnswered', refund: answeredRefund(refund, claim) },
    now,
  );
  await insertLostRefund(db, { ...identity, refundId }, answered.position.state);
  return refundId;
}

/** A reference follows from the request's id, so nobody else's invoice number names one by chance. */
function requestWithReference(reference: string): string | undefined {
  const subjectId = reference.slice(0, reference.lastIndexOf('-'));
  if (!subjectId.startsWith(prefixOf('refund'))) return undefined;
  const isOurs = Array.from({ length: mostAttempts }, (_, attemptNumber) =>
    freshIdentity({ subjectId, stepName: refundStepName, attemptNumber }),
  ).some((identity) => identity.reference === reference);
  return isOurs ? subjectId : undefined;
}

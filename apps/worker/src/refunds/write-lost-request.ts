import { findLostOrder } from '#database/commands';
import { insertObservedRefund } from '#database/subjects';
import { type RefundStepInput, prefixOf } from '#workflows/contract';
import { advanceRefund, requestedRefund } from '#workflows/lifecycle/refund';
import type { ShownRefund } from '../provider/refund-facts.js';
import type { ActivityContext } from '../steps/activities/context.js';
import { subjectOfReference } from '../steps/attempts/attempt-identity.js';

/**
 * Writes the row of a request again that was lost when the database was restored, as the provider shows its refund: it
 * was told under this id, and must not be told as another one (docs/decisions/0033). A run that still carries it out
 * writes over it.
 *
 * @param reference of the shown refund.
 * @param paymentId our id of the refunded payment.
 * @returns the request's id; undefined if the reference is of no lost request.
 */
export async function writeLostRequest(
  { db }: ActivityContext,
  { identity, state: { patience } }: RefundStepInput,
  paymentId: string | undefined,
  { facts, refund }: ShownRefund,
  reference: string,
): Promise<string | undefined> {
  const refundId = subjectOfReference(reference);
  if (!refundId?.startsWith(prefixOf('refund'))) return undefined;
  if (paymentId === undefined || !facts.amount || !refund) return undefined;
  const order = await findLostOrder(db, identity, { kind: 'refund', subjectId: refundId });
  if (!order) return undefined;
  const { amount, collected, state: shown, settledAt } = facts;
  const claim = {
    kind: 'request' as const,
    collected: { kind: collected.kind, id: collected.id },
    amount,
    providerPaymentId: refund.paymentId ?? '',
  };
  const now = Date.now();
  const requested = requestedRefund(claim, { paymentId, commandId: order.id }, patience, now);
  const answer = { providerRefundId: refund.id, state: shown, ...(settledAt !== undefined && { settledAt }) };
  const answered = advanceRefund(
    { state: requested, version: 0 },
    { type: 'refundAnswered', refund: answer },
    now,
  );
  await insertObservedRefund(db, { ...identity, refundId }, answered.position.state);
  return refundId;
}

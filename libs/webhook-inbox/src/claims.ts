import type { Database } from '#database/connection';
import { adoptedRefundId, insertObservedRefund } from '#database/subjects';
import type { RefundIdentity } from '#workflows/contract';
import { observedRefund } from '#workflows/lifecycle/refund';
import type { EventRoute } from './event-route.js';

/** Where an event tells of money that somebody else has moved back. */
export type ClaimRoute = Extract<EventRoute, { kind: 'startRefund' }>;

export interface Claimed {
  readonly environment: string;
  readonly application: string;
  /** Of the subject that the event is about. */
  readonly subjectId: string;
}

/**
 * Writes the row of what is said to have gone back: what is known counts at once, also while Temporal or the workers are
 * away. Once written it stays, whoever tells of it again.
 */
export async function observeClaim(
  db: Database,
  { environment, application, subjectId }: Claimed,
  { paymentId = subjectId, nameElsewhere, claim, patience }: ClaimRoute,
): Promise<RefundIdentity> {
  const refundId = adoptedRefundId({ environment, application }, nameElsewhere);
  const identity = { environment, application, refundId };
  await insertObservedRefund(db, identity, observedRefund(claim, paymentId, patience, Date.now()));
  return identity;
}

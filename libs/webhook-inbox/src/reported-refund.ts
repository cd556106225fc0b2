import type { Database } from '#database/connection';
import { adoptedRefundId, insertObservedRefund } from '#database/subjects';
import type { RefundIdentity } from '#workflows/contract';
import { observedRefund } from '#workflows/lifecycle/refund';
import type { EventRoute } from './event-route.js';

/** The route of an event about a refund or chargeback that we did not request. */
export type ClaimRoute = Extract<EventRoute, { kind: 'adoptRefund' }>;

export interface Claimed {
  readonly environment: string;
  readonly application: string;
  /** The id of the event's subject. */
  readonly subjectId: string;
}

/**
 * Writes the row of a reported refund or chargeback, so that it counts at once, even while Temporal or the workers are
 * away. Later reports do not change the row.
 */
export async function insertReportedRefund(
  db: Database,
  { environment, application, subjectId }: Claimed,
  { paymentId = subjectId, nameElsewhere, claim, patience }: ClaimRoute,
): Promise<RefundIdentity> {
  const refundId = adoptedRefundId({ environment, application }, nameElsewhere);
  const identity = { environment, application, refundId };
  await insertObservedRefund(db, identity, observedRefund(claim, paymentId, patience, Date.now()));
  return identity;
}

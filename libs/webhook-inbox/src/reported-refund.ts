import type { Database } from '#database/connection';
import { adoptedRefundId, findRefund, insertObservedRefund } from '#database/subjects';
import type { RefundIdentity } from '#workflows/contract';
import { type RefundClaim, observedRefund } from '#workflows/lifecycle/refund';
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
  const owner = { environment, application };
  const state = observedRefund(claim, paymentId, patience, Date.now());
  const write = async (name: string): Promise<RefundIdentity> => {
    const identity = { ...owner, refundId: adoptedRefundId(owner, name) };
    await insertObservedRefund(db, identity, state);
    return identity;
  };
  const identity = await write(nameElsewhere);
  const written = await findRefund(db, owner, identity.refundId);
  // Refunds are named by their ids, and chargebacks by those of their events: a forged report can have taken the name.
  const isTaken = written !== undefined && subjectOf(written.state.claim) !== subjectOf(claim);
  return isTaken ? await write(`${claim.kind}:${nameElsewhere}`) : identity;
}

/** What a claim is about, besides its name. */
function subjectOf(claim: RefundClaim): string {
  return claim.kind === 'reversal' ? `${claim.collected.kind} ${claim.collected.id}` : claim.kind;
}

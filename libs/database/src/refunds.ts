import { sql } from 'kysely';
import type { RefundIdentity } from '../../workflows/src/contract/refund.js';
import type { RefundPosition, RefundEntry } from '../../workflows/src/lifecycle/refund/progress.js';
import { type RefundState, isSettled, refundStatuses } from '../../workflows/src/lifecycle/refund/refund.js';
import { type NewApiCall, apiCallValues } from './api-calls.js';
import type { Database } from './database.js';
import { releaseEventsOf } from './parked-events.js';
import { resourceRows } from './resources.js';
import { storableJson } from './storable-text.js';

export interface RefundTransition extends RefundPosition {
  readonly identity: RefundIdentity;
  /** What the transition adds to the refund's story. */
  readonly entry?: RefundEntry;
  readonly calls: readonly NewApiCall[];
}

/**
 * Writes where a refund stands, and the calls to the provider that showed it. Rows never go back to an older version,
 * and never leave an end, whoever writes late. Of two readings at one version the later one stands.
 */
export async function saveRefund(db: Database, transition: RefundTransition): Promise<void> {
  const { identity, state, calls } = transition;
  const { environment, application } = identity;
  // What is known of it belongs to the payment whose money went back.
  const owner = { environment, application, id: state.paymentId };
  await db.transaction().execute(async (trx) => {
    await upsert(trx, transition);
    const providerRefundId = state.claim.kind === 'refund' ? state.claim.providerRefundId : undefined;
    // Read back as ours: from now on what is said of it is about this payment.
    if (providerRefundId !== undefined && state.collected) {
      await resourceRows(owner, [{ id: providerRefundId, kind: 'refund' }]).execute(trx);
      await releaseEventsOf(trx, owner, providerRefundId);
    }
    if (calls.length === 0) return;
    await trx
      .insertInto('api_calls')
      .values(calls.map((call) => apiCallValues(owner, call)))
      .execute();
  });
}

/**
 * Our payment that a resource of the provider's belongs to.
 *
 * @param resourceIds the first known one decides.
 */
export async function findPaymentIdOf(
  db: Database,
  { environment, application }: Pick<RefundIdentity, 'environment' | 'application'>,
  resourceIds: readonly string[],
): Promise<string | undefined> {
  const known = await db
    .selectFrom('resources')
    .select(['resource_id', 'subject_id'])
    .where('environment', '=', environment)
    .where('application', '=', application)
    .where('resource_id', 'in', [...resourceIds])
    .execute();
  const ids = new Map(known.map(({ resource_id, subject_id }) => [resource_id, subject_id]));
  return resourceIds.map((id) => ids.get(id)).find((paymentId) => paymentId !== undefined);
}

const ends = refundStatuses.filter(isSettled);

async function upsert(trx: Database, transition: RefundTransition): Promise<void> {
  const { identity, state, version, entry } = transition;
  const row = { ...columnsOf(state), version, timeline: storableJson(entry ? [entry] : []) };
  await trx
    .insertInto('refunds')
    .values({
      environment: identity.environment,
      application: identity.application,
      id: identity.refundId,
      ...row,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['environment', 'application', 'id'])
        .doUpdateSet({
          ...row,
          timeline: sql`${earlierEntries(version)} || excluded.timeline`,
          updated_at: new Date(),
        })
        .where((where) =>
          where.or([
            where.and([where('refunds.version', '<', version), where('refunds.status', '=', state.status)]),
            // Also a read that was made again because the worker of the first one died: the run goes on from this one.
            where.and([where('refunds.version', '<=', version), where('refunds.status', 'not in', ends)]),
          ]),
        ),
    )
    .execute();
}

/** The story up to a version: what was written of that version itself was a reading that its run never knew. */
function earlierEntries(version: number) {
  return sql`(select coalesce(jsonb_agg(entry order by place), '[]') from jsonb_array_elements(refunds.timeline)
    with ordinality as told (entry, place) where (entry->>'version')::int < ${version})`;
}

function columnsOf(state: RefundState) {
  const { claim, collected, amount } = state;
  return {
    payment_id: state.paymentId,
    kind: claim.kind,
    provider_refund_id: claim.kind === 'refund' ? claim.providerRefundId : null,
    collected_kind: collected?.kind ?? null,
    collected_id: collected?.id ?? null,
    minor: amount?.minor ?? null,
    currency: amount?.currency ?? null,
    status: state.status,
    state: storableJson(state),
    refunded_at: state.refundedAt === undefined ? null : new Date(state.refundedAt),
  };
}

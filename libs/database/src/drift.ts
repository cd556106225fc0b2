import { sql } from 'kysely';
import type { PaymentIdentity } from '../../workflows/src/contract.js';
import { isTerminal, paymentStatuses } from '../../workflows/src/lifecycle/payment.js';
import type { Difference } from '../../workflows/src/lifecycle/difference.js';
import { type NewApiCall, apiCallValues } from './api-calls.js';
import type { Database } from './database.js';
import type { Owner } from './reconciliation.js';
import type { DriftRow } from './schema.js';
import { storableText } from './storable-text.js';

export interface Comparison {
  readonly identity: PaymentIdentity;
  /** With whom: the provider's word on a payment says nothing about its run. */
  readonly comparedWith: 'provider' | 'run';
  /** Of the payment when it was compared. */
  readonly version: number;
  readonly differences: readonly Difference[];
  /** Nothing but this could be seen: what differed before still stands. */
  readonly isUnreadable?: boolean;
  /** What the provider answered: the evidence, kept when there is a difference. */
  readonly calls?: readonly NewApiCall[];
}

/** What differs when it is a payment's run that does not agree with its rows. */
export const runField = 'run';

/**
 * Writes what a comparison has shown: new differences, those that are still there, and that the others have gone. A
 * payment that has moved since it was compared is left to the next comparison.
 *
 * @returns the fields that differ since now.
 */
export async function recordComparison(db: Database, comparison: Comparison): Promise<string[]> {
  const { identity, version, differences, isUnreadable = false, calls = [] } = comparison;
  return await db.transaction().execute(async (trx) => {
    const unmoved = await trx
      .selectFrom('payments')
      .select('id')
      .where('id', '=', identity.paymentId)
      .where('version', '=', version)
      .forShare()
      .executeTakeFirst();
    if (!unmoved) return [];
    if (!isUnreadable) await resolveOthers(trx, comparison);
    if (differences.length === 0) return [];
    const seen = await upsert(trx, comparison);
    const fresh = seen.filter(({ isNew }) => isNew).map(({ field }) => field);
    if (fresh.length > 0 && calls.length > 0) {
      await trx
        .insertInto('api_calls')
        .values(calls.map((call) => apiCallValues(identity, call)))
        .execute();
    }
    return fresh;
  });
}

/** A payment that the provider tells nothing of, though it answers for others: what was known of it stands. */
export async function recordUnanswered(db: Database, identity: PaymentIdentity): Promise<void> {
  const payment = await db
    .selectFrom('payments')
    .select('status')
    .where('id', '=', identity.paymentId)
    .executeTakeFirst();
  if (!payment) return;
  await upsert(db, {
    identity,
    differences: [{ field: 'payment', ours: payment.status, theirs: 'no answer' }],
  });
}

async function upsert(
  trx: Database,
  { identity, differences }: Pick<Comparison, 'identity' | 'differences'>,
) {
  const { environment, application, paymentId } = identity;
  return await trx
    .insertInto('drift')
    .values(
      differences.map(({ field, ours, theirs }) => ({
        environment,
        application,
        payment_id: paymentId,
        field: storableText(field),
        ours: storableText(ours),
        theirs: storableText(theirs),
        resolved_at: null,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['payment_id', 'field'])
        .where('resolved_at', 'is', null)
        .doUpdateSet((row) => ({
          ours: row.ref('excluded.ours'),
          theirs: row.ref('excluded.theirs'),
          last_seen_at: sql<Date>`now()`,
        })),
    )
    // Untouched by an earlier transaction: inserted by this one.
    .returning(['field', sql<boolean>`xmax = 0`.as('isNew')])
    .execute();
}

async function resolveOthers(trx: Database, comparison: Comparison): Promise<void> {
  const { identity, comparedWith, differences } = comparison;
  await trx
    .updateTable('drift')
    .set({ resolved_at: sql<Date>`now()` })
    .where('payment_id', '=', identity.paymentId)
    .where('resolved_at', 'is', null)
    .where('field', comparedWith === 'run' ? '=' : '!=', runField)
    .where('field', 'not in', ['', ...differences.map(({ field }) => field)])
    .execute();
}

/** A run that had ended before its payment no longer matters once the payment has ended. */
export async function resolveEndedRuns(db: Database, { environment, application }: Owner): Promise<void> {
  await db
    .updateTable('drift')
    .from('payments')
    .set({ resolved_at: sql<Date>`now()` })
    .whereRef('payments.id', '=', 'drift.payment_id')
    .where('payments.status', 'in', paymentStatuses.filter(isTerminal))
    .where('drift.environment', '=', environment)
    .where('drift.application', '=', application)
    .where('drift.field', '=', runField)
    .where('drift.resolved_at', 'is', null)
    .execute();
}

/** A payment's drift, the present and the past, oldest first. */
export async function listDriftOf(db: Database, paymentId: string): Promise<DriftRow[]> {
  return await db.selectFrom('drift').selectAll().where('payment_id', '=', paymentId).orderBy('id').execute();
}

export interface DriftFilter extends Owner {
  readonly isResolved?: boolean;
  /** Rows older than this id. */
  readonly before?: number;
  readonly limit: number;
}

/** Newest first, by key. */
export async function listDrift(db: Database, filter: DriftFilter): Promise<DriftRow[]> {
  let query = db
    .selectFrom('drift')
    .selectAll()
    .where('environment', '=', filter.environment)
    .where('application', '=', filter.application);
  if (filter.isResolved !== undefined) {
    query = query.where('resolved_at', filter.isResolved ? 'is not' : 'is', null);
  }
  if (filter.before !== undefined) query = query.where('id', '<', filter.before);
  return await query.orderBy('id', 'desc').limit(filter.limit).execute();
}

export async function countOpenDrift(db: Database, { environment, application }: Owner): Promise<number> {
  const { open } = await db
    .selectFrom('drift')
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('environment', '=', environment)
    .where('application', '=', application)
    .where('resolved_at', 'is', null)
    .executeTakeFirstOrThrow();
  return open;
}

import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import type { Owner } from '../schema/owner.js';
import { ownersTable } from '../tables/owners-table.js';

/** A request to the provider to deliver an event again. */
export interface ProviderResend extends Owner {
  readonly id: number;
  readonly event_id: string;
  readonly requested_at: Date;
}

/**
 * Records that the provider is to deliver an event again; a worker asks it.
 *
 * @param key of the form: the same one again changes nothing.
 */
export async function requestProviderResend(
  db: Database,
  eventRow: number,
  { requestedBy, key }: { readonly requestedBy: string; readonly key: string },
): Promise<void> {
  await db
    .insertInto('provider_resends')
    .values({ webhook_event_id: eventRow, requested_by: requestedBy, request_key: key })
    .onConflict((conflict) => conflict.columns(['webhook_event_id', 'request_key']).doNothing())
    .execute();
}

/** The oldest requests of some applications that nobody has finished. */
export async function findOpenResends(
  db: Database,
  owners: readonly Owner[],
  limit: number,
): Promise<ProviderResend[]> {
  const { rows } = await sql<ProviderResend>`
    select resend.id, resend.requested_at, environment, application, event_id
    from provider_resends as resend join webhook_events as event on event.id = resend.webhook_event_id
    where finished_at is null and (environment, application) in (${ownersTable(owners)})
    order by resend.id limit ${limit}`.execute(db);
  return rows;
}

/** @param problem why the provider does not deliver it again; null if it does. */
export async function finishResend(db: Database, id: number, problem: string | null): Promise<void> {
  await db
    .updateTable('provider_resends')
    .set({ finished_at: sql<Date>`now()`, problem })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .execute();
}

/** The latest requests for an event, oldest first. */
export async function listProviderResends(db: Database, eventRow: number) {
  const latest = await db
    .selectFrom('provider_resends')
    .select(['requested_by', 'requested_at', 'finished_at', 'problem'])
    .where('webhook_event_id', '=', eventRow)
    .orderBy('id', 'desc')
    .limit(100)
    .execute();
  return latest.toReversed();
}

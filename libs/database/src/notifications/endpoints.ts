import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import type { Owner } from '../schema/owner.js';
import type { NotificationEndpointRow } from '../schema/notification-tables.js';

/** Each notification is written once for each of them. */
export const mostEndpoints = 20;

export interface NewEndpoint extends Owner {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  /** Empty: all types. */
  readonly eventTypes: readonly string[];
  /** Encrypted. */
  readonly secret: Buffer;
  readonly idempotencyKey: string;
  readonly bodyHash: string;
}

/**
 * Registers an endpoint, once for each idempotency key.
 *
 * @returns the endpoint of the key; undefined if the application has too many.
 */
export async function registerEndpoint(
  db: Database,
  endpoint: NewEndpoint,
): Promise<NotificationEndpointRow | undefined> {
  const { environment, application, idempotencyKey } = endpoint;
  return await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(
      ${`notification-endpoints/${environment}/${application}`}, 0))`.execute(trx);
    const endpoints = await listEndpoints(trx, endpoint);
    const known = endpoints.find(({ idempotency_key: key }) => key === idempotencyKey);
    if (known || endpoints.length >= mostEndpoints) return known;
    return await trx
      .insertInto('notification_endpoints')
      .values({
        id: endpoint.id,
        environment,
        application,
        url: endpoint.url,
        description: endpoint.description,
        event_types: [...endpoint.eventTypes],
        secret: endpoint.secret,
        idempotency_key: idempotencyKey,
        body_hash: endpoint.bodyHash,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
}

/** Oldest first. */
export async function listEndpoints(db: Database, owner: Owner): Promise<NotificationEndpointRow[]> {
  return await own(db, owner).orderBy('created_at').orderBy('id').execute();
}

export async function findEndpoint(
  db: Database,
  owner: Owner,
  id: string,
): Promise<NotificationEndpointRow | undefined> {
  return await own(db, owner).where('id', '=', id).executeTakeFirst();
}

function own(db: Database, { environment, application }: Owner) {
  return db
    .selectFrom('notification_endpoints')
    .selectAll()
    .where('environment', '=', environment)
    .where('application', '=', application)
    .where('status', '<>', 'deleted');
}

export interface EndpointChange {
  readonly url?: string | undefined;
  readonly description?: string | null | undefined;
  readonly eventTypes?: readonly string[] | undefined;
  readonly status?: 'enabled' | 'disabled' | undefined;
}

/** An endpoint that is enabled again, or has another address, begins without its earlier failures. */
export async function changeEndpoint(
  db: Database,
  owner: Owner,
  id: string,
  { url, description, eventTypes, status }: EndpointChange,
): Promise<NotificationEndpointRow | undefined> {
  return await change(db, owner, id, {
    ...(url !== undefined && { url }),
    ...(description !== undefined && { description }),
    ...(eventTypes && { event_types: [...eventTypes] }),
    ...(status && { status, status_reason: status === 'disabled' ? 'It was disabled over the API.' : null }),
    ...((url !== undefined || status === 'enabled') && {
      failures: 0,
      failing_since: null,
      resting_until: null,
    }),
  });
}

/**
 * Replaces the secret. The one before signs too until `overlapMs` from now.
 *
 * @param rotationKey the idempotency key: the secret is replaced once under it.
 */
export async function rotateSecret(
  db: Database,
  owner: Owner,
  id: string,
  { secret, rotationKey, overlapMs }: { secret: Buffer; rotationKey: string; overlapMs: number },
): Promise<NotificationEndpointRow | undefined> {
  const isNew = sql<boolean>`rotation_key is distinct from ${rotationKey}`;
  return await change(db, owner, id, {
    previous_secret: sql<Buffer>`case when ${isNew} then secret else previous_secret end`,
    previous_until: sql<Date>`case when ${isNew} then clock_timestamp() + ${overlapMs}::float8 * interval '1 millisecond'
      else previous_until end`,
    secret: sql<Buffer>`case when ${isNew} then ${secret} else secret end`,
    rotation_key: rotationKey,
  });
}

/** Its pending deliveries have failed. Its secrets are forgotten, and its idempotency key is free. */
export async function deleteEndpoint(
  db: Database,
  owner: Owner,
  id: string,
): Promise<NotificationEndpointRow | undefined> {
  return await db.transaction().execute(async (trx) => {
    const deleted = await change(trx, owner, id, {
      status: 'deleted',
      secret: Buffer.alloc(0),
      previous_secret: null,
      idempotency_key: null,
    });
    if (!deleted) return undefined;
    await trx
      .updateTable('notification_deliveries')
      .set({ state: 'failed', last_reason: 'The endpoint was deleted.', finished_at: sql`clock_timestamp()` })
      .where('endpoint_id', '=', id)
      .where('state', '=', 'pending')
      .execute();
    return deleted;
  });
}

async function change(
  db: Database,
  { environment, application }: Owner,
  id: string,
  columns: object,
): Promise<NotificationEndpointRow | undefined> {
  return await db
    .updateTable('notification_endpoints')
    .set({ ...columns, updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('environment', '=', environment)
    .where('application', '=', application)
    .where('status', '<>', 'deleted')
    .returningAll()
    .executeTakeFirst();
}

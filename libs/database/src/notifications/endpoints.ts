import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import type { Owner } from '../schema/owner.js';
import type { NotificationEndpointRow } from '../schema/notification-tables.js';
import { makeDue } from './waiting-deliveries.js';

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
 * Registers an endpoint, once for each idempotency key, however late the request is repeated.
 *
 * @returns the endpoint of the key, which may be deleted; undefined if the application has too many.
 */
export async function registerEndpoint(
  db: Database,
  endpoint: NewEndpoint,
): Promise<NotificationEndpointRow | undefined> {
  const { environment, application, idempotencyKey } = endpoint;
  return await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(
      ${`notification-endpoints/${environment}/${application}`}, 0))`.execute(trx);
    const known = await findRegistered(trx, endpoint, idempotencyKey);
    if (known || (await listEndpoints(trx, endpoint)).length >= mostEndpoints) return known;
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

/** The endpoint that was registered under a key, which may be deleted. */
export async function findRegistered(
  db: Database,
  owner: Owner,
  idempotencyKey: string,
): Promise<NotificationEndpointRow | undefined> {
  return await all(db, owner).where('idempotency_key', '=', idempotencyKey).executeTakeFirst();
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

function own(db: Database, owner: Owner) {
  return all(db, owner).where('status', '<>', 'deleted');
}

function all(db: Database, { environment, application }: Owner) {
  return db
    .selectFrom('notification_endpoints')
    .selectAll()
    .where('environment', '=', environment)
    .where('application', '=', application);
}

const afresh = { failures: 0, failing_since: null, resting_until: null };

export interface EndpointChange {
  readonly url?: string | undefined;
  readonly description?: string | null | undefined;
  readonly eventTypes?: readonly string[] | undefined;
  readonly status?: 'enabled' | 'disabled' | undefined;
}

/**
 * An endpoint that is enabled again, or has another address, begins without its earlier failures, and what waits for
 * another try is due.
 */
export async function changeEndpoint(
  db: Database,
  owner: Owner,
  id: string,
  { url, description, eventTypes, status }: EndpointChange,
): Promise<NotificationEndpointRow | undefined> {
  const isNew = url !== undefined || status === 'enabled';
  const changed = await changing(db, owner, id, {
    ...(url !== undefined && { url }),
    ...(description !== undefined && { description }),
    ...(eventTypes && { event_types: [...eventTypes] }),
    ...(status && { status, status_reason: status === 'disabled' ? 'It was disabled over the API.' : null }),
    ...(isNew && afresh),
  }).executeTakeFirst();
  // After that commit: the result of an attempt locks its delivery before the endpoint.
  if (changed && isNew) await makeDue(db, id);
  return changed;
}

export interface NewRotation {
  /** Encrypted. */
  readonly secret: Buffer;
  readonly rotationKey: string;
  readonly bodyHash: string;
  readonly overlapMs: number;
}

/**
 * Enables an endpoint that is disabled and has not changed since an instant.
 *
 * @returns false if nothing was done.
 */
export async function enableEndpoint(
  db: Database,
  owner: Owner,
  id: string,
  { changedBefore }: { readonly changedBefore: Date },
): Promise<boolean> {
  const enabled = { ...afresh, status: 'enabled', status_reason: null };
  const changed = await changing(db, owner, id, enabled)
    .where('status', '=', 'disabled')
    .where('updated_at', '<', changedBefore)
    .executeTakeFirst();
  if (changed) await makeDue(db, id);
  return changed !== undefined;
}

/**
 * Replaces the secret. The one before signs too until `overlapMs` from now. Those that earlier rotations have replaced
 * sign as long, until their own ends at the latest.
 *
 * @param rotationKey the idempotency key: the secret is replaced once under it, however late the request is repeated.
 * @returns `key-reused` if the key was used for another request.
 */
export async function rotateSecret(
  db: Database,
  owner: Owner,
  id: string,
  { secret, rotationKey, bodyHash, overlapMs }: NewRotation,
): Promise<NotificationEndpointRow | 'key-reused' | undefined> {
  const until = sql<Date>`clock_timestamp() + ${overlapMs}::float8 * interval '1 millisecond'`;
  return await db.transaction().execute(async (trx) => {
    const endpoint = await own(trx, owner).where('id', '=', id).forUpdate().executeTakeFirst();
    if (!endpoint) return undefined;
    const rotations = trx.selectFrom('notification_rotations').where('endpoint_id', '=', id);
    const known = await rotations
      .select('body_hash')
      .where('rotation_key', '=', rotationKey)
      .executeTakeFirst();
    if (known) return (known.body_hash ?? bodyHash) === bodyHash ? endpoint : 'key-reused';
    // A process of an earlier release has rotated.
    if (endpoint.rotation_key === rotationKey) return endpoint;
    await trx
      .updateTable('notification_rotations')
      .set({ until: sql`least(until, ${until})` })
      .where('endpoint_id', '=', id)
      .execute();
    await trx
      .insertInto('notification_rotations')
      .values({
        endpoint_id: id,
        rotation_key: rotationKey,
        body_hash: bodyHash,
        secret: endpoint.secret,
        until,
      })
      .execute();
    return await changing(trx, owner, id, {
      secret,
      rotation_key: rotationKey,
      previous_secret: endpoint.secret,
      previous_until: until,
    }).executeTakeFirst();
  });
}

/** Its pending deliveries have failed, and its secrets are forgotten. */
export async function deleteEndpoint(
  db: Database,
  owner: Owner,
  id: string,
): Promise<NotificationEndpointRow | undefined> {
  return await db.transaction().execute(async (trx) => {
    const deleted = await changing(trx, owner, id, {
      status: 'deleted',
      secret: Buffer.alloc(0),
      previous_secret: null,
    }).executeTakeFirst();
    if (!deleted) return undefined;
    await trx
      .updateTable('notification_rotations')
      .set({ secret: Buffer.alloc(0), until: sql`clock_timestamp()` })
      .where('endpoint_id', '=', id)
      .execute();
    await trx
      .updateTable('notification_deliveries')
      .set({ state: 'failed', last_reason: 'The endpoint was deleted.', finished_at: sql`clock_timestamp()` })
      .where('endpoint_id', '=', id)
      .where('state', '=', 'pending')
      .execute();
    return deleted;
  });
}

function changing(db: Database, { environment, application }: Owner, id: string, columns: object) {
  return db
    .updateTable('notification_endpoints')
    .set({ ...columns, updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .where('environment', '=', environment)
    .where('application', '=', application)
    .where('status', '<>', 'deleted')
    .returningAll();
}

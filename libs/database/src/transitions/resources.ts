import { type RawBuilder, sql } from 'kysely';
import type { Subject } from '#workflows/contract';
import type { Database } from '../connection/database.js';

export interface OwnedResource {
  readonly id: string;
  readonly kind: string;
}

/**
 * Records resources of the provider's as a subject's own, locking the ids of those that are new until the transaction
 * ends: an event about one of them is parked before, and claimed by this transaction, or waits and finds its subject.
 */
export function resourceRows(owner: Subject, resources: readonly OwnedResource[]): RawBuilder<unknown> {
  const { environment, application, id: subjectId } = owner;
  const sorted = inLockOrder(resources, ({ id }) => id);
  return sql`
    insert into resources (environment, application, resource_id, kind, subject_id)
    select ${environment}, ${application}, fresh.id, fresh.kind, ${subjectId}
    from (
      select id, kind from unnest(${sorted.map(({ id }) => id)}::text[], ${sorted.map(({ kind }) => kind)}::text[])
        as owned (id, kind)
      where not exists (select from resources where environment = ${environment}
        and application = ${application} and resource_id = owned.id)
    ) as fresh
    where (select true from pg_advisory_xact_lock(${lockKey(owner, sql`fresh.id`)}))
    on conflict do nothing`;
}

/** Waits for transactions that are recording one of these ids, and holds up those to come. */
export async function lockResourceIds(
  trx: Database,
  owner: Pick<Subject, 'environment' | 'application'>,
  ids: readonly string[],
): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${lockKey(owner, sql`id`)})
    from unnest(${inLockOrder(ids, (id) => id)}::text[]) as id`.execute(trx);
}

/** The same order for everybody, or two of them might wait for each other. */
function inLockOrder<T>(items: readonly T[], idOf: (item: T) => string): T[] {
  return items.toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
}

function lockKey(
  { environment, application }: Pick<Subject, 'environment' | 'application'>,
  id: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`hashtextextended(${`${environment}/${application}/`} || ${id}, 0)`;
}

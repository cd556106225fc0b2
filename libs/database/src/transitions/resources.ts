import { type RawBuilder, sql } from 'kysely';
import type { Subject } from '#workflows/contract';
import { inLockOrder, lockKey } from '../tables/resource-locks.js';

export interface OwnedResource {
  readonly id: string;
  readonly kind: string;
}

/**
 * Records the provider's resources of a subject and locks the new ids until the transaction ends. An event about one of
 * them is either parked before and released by this transaction, or waits for the lock and finds its subject.
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

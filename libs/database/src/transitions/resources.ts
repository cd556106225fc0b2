import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/database.js';
import { soundJson } from '../text/storable-text.js';
import { inLockOrder, lockKey } from '../tables/resource-locks.js';

export interface OwnedResource {
  readonly id: string;
  readonly kind: string;
}

/** Records the provider's resources of a subject, as a transition does. */
export async function addResources(
  db: Database,
  subject: { readonly environment: string; readonly application: string; readonly id: string },
  resources: readonly OwnedResource[],
): Promise<void> {
  if (resources.length === 0) return;
  const { id: subjectId, ...owner } = subject;
  const parameters = { ...owner, subjectId, resources: sql`${resourceList(resources)}::jsonb` };
  await resourceRows(parameters).execute(db);
}

/** The parameter `resources` of `resourceRows`. */
export function resourceList(resources: readonly OwnedResource[]): string {
  return soundJson(inLockOrder(resources, ({ id }) => id));
}

/** Texts, or the places of a statement's parameters. */
interface ResourceParameters {
  readonly environment: unknown;
  readonly application: unknown;
  readonly subjectId: unknown;
  readonly resources: RawBuilder<unknown>;
}

/**
 * Locks the ids that are new until the transaction ends. An event about one of them is either parked before and released
 * by its writer, or waits for the lock and finds its subject. The search for each id is a scalar query, so that it uses
 * the primary key whatever the statistics say.
 */
export function resourceRows(
  { environment, application, subjectId, resources }: ResourceParameters,
  condition: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  const known = sql`(select true from resources where environment = ${environment}
    and application = ${application} and resource_id = owned.id limit 1)`;
  const locked = sql`(select true from pg_advisory_xact_lock(${lockKey({ environment, application }, sql`owned.id`)}))`;
  return sql`
    insert into resources (environment, application, resource_id, kind, subject_id)
    select ${environment}::text, ${application}::text, owned.id, owned.kind, ${subjectId}::text
    from jsonb_to_recordset(${resources}) as owned (id text, kind text)
    where ${condition} and case when ${known} then false else ${locked} end
    on conflict do nothing`;
}

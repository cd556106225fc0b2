import { type RawBuilder, sql } from 'kysely';
import type { Owner } from '../schema/owner.js';

/** The applications as a table, to join with the indexes that begin with environment and application. */
export function ownersTable(owners: readonly Owner[]): RawBuilder<unknown> {
  return sql`select * from unnest(${owners.map(({ environment }) => environment)}::text[],
    ${owners.map(({ application }) => application)}::text[]) as owner (environment, application)`;
}

import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import { runField } from '../reconciliation/index.js';
import type { Owner } from '../schema/owner.js';
import type { DriftRow } from '../schema/schema.js';
import { ownersTable } from '../tables/owners-table.js';

/** Real differences, runs that cannot continue, and what could not be compared. */
export const openDifferenceKinds = ['difference', 'run', 'unread'] as const;
export type OpenDifferenceKind = (typeof openDifferenceKinds)[number];

export const differenceConditions = {
  difference: sql`not is_unread and field <> ${runField}`,
  run: sql`field = ${runField}`,
  unread: sql`is_unread and field <> ${runField}`,
};

/** What reconciliation has found of some applications and is not resolved, the latest first. */
export async function listOpenDifferences(
  db: Database,
  owners: readonly Owner[],
  {
    kind,
    before,
    limit,
  }: {
    readonly kind?: OpenDifferenceKind | undefined;
    readonly before?: number | undefined;
    readonly limit: number;
  },
): Promise<DriftRow[]> {
  const { rows } = await sql<DriftRow>`
    with owners as (${ownersTable(owners)})
    select drift.* from owners join drift using (environment, application)
    where resolved_at is null and ${kind ? differenceConditions[kind] : sql`true`}
      and ${before === undefined ? sql`true` : sql`drift.id < ${before}`}
    order by drift.id desc limit ${limit}`.execute(db);
  return rows;
}

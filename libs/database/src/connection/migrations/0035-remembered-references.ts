import type { Kysely } from 'kysely';

/** The references of payouts whose rows were lost in a restore: no other payout may have them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('remembered_references')
    .addColumn('environment', 'text', (column) => column.notNull())
    .addColumn('application', 'text', (column) => column.notNull())
    .addColumn('reference', 'text', (column) => column.notNull())
    .addColumn('payout_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('remembered_references_pkey', ['environment', 'application', 'reference'])
    .execute();
}

import { sql } from 'kysely';
import type { Database } from '#database/connection';
import { refund } from '../lifecycle/refund/sample-refunds.js';

/** Completed refunds of a payment, two timeline lines each, as if their runs had written them. */
export async function storeManyRefunds(
  db: Database,
  { id, environment, application }: { readonly [name in 'id' | 'environment' | 'application']: string },
  count: number,
): Promise<string[]> {
  const state = JSON.stringify({ ...refund('completed'), paymentId: id });
  const { rows } = await sql<{ id: string }>`
    insert into refunds (id, environment, application, payment_id, kind, status, state, version, created_at)
    select 're_' || left(encode(sha256((${id} || n)::bytea), 'hex'), 36), ${environment}, ${application}, ${id},
      'refund', 'completed', ${state}, 2, now() + n * interval '1 millisecond'
    from generate_series(1, ${count}::int) as n returning id`.execute(db);
  const ids = rows.map((row) => row.id);
  await sql`insert into timeline (subject_id, version, event, kind, from_status, to_status, at)
    select id, version, 'refundObserved', 'moved', 'observed', 'completed', now()
    from unnest(${ids}::text[]) as id, generate_series(1, 2) as version`.execute(db);
  await sql`update payments set refund_changes = refund_changes + ${2 * count}::int where id = ${id}`.execute(
    db,
  );
  return ids;
}

import { isAnyDue } from '../clock/due-queries.js';
import type { SandboxContext } from '../context/sandbox-context.js';

const BATCH = 500;

/** Fails payments that were neither approved nor executed in time; true when there were any. No money is involved. */
export async function expirePayments(context: SandboxContext): Promise<boolean> {
  const now = new Date();
  const due = context.database
    .selectFrom('payments')
    .select('id')
    .where('state', '=', 'created')
    .where('expires_at', '<=', now);
  if (!(await isAnyDue(context.database, due))) return false;
  const expired = await context.database
    .updateTable('payments')
    .set({ state: 'failed', updated_at: now })
    .where('state', '=', 'created')
    .where('id', 'in', due.limit(BATCH).forUpdate().skipLocked())
    .executeTakeFirst();
  return expired.numUpdatedRows > 0n;
}

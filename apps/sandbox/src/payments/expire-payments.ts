import { isAnyDueSoon } from '../clock/due-queries.js';
import type { Found } from '../clock/recurring-task.js';
import type { SandboxContext } from '../context/sandbox-context.js';

const BATCH = 500;

/** Fails payments that were neither approved nor executed in time. No money is involved. */
export async function expirePayments(context: SandboxContext): Promise<Found> {
  const dueAt = (instant: Date) =>
    context.database
      .selectFrom('payments')
      .select('id')
      .where('state', '=', 'created')
      .where('expires_at', '<=', instant);
  if (!(await isAnyDueSoon(context.database, dueAt))) return 'quiet';
  const now = new Date();
  const expired = await context.database
    .updateTable('payments')
    .set({ state: 'failed', updated_at: now })
    .where('state', '=', 'created')
    .where('id', 'in', dueAt(now).limit(BATCH).forUpdate().skipLocked())
    .executeTakeFirst();
  return expired.numUpdatedRows > 0n ? 'work' : 'nothing';
}

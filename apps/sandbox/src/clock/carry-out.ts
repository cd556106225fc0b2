import { sql, type SelectQueryBuilder } from 'kysely';
import type { SandboxContext } from '../sandbox-context.js';
import { isAnyDue } from './due-looks.js';
import { reasonOf } from './recurring-task.js';

/** Bounds how long a stop waits for the run that is under way. */
const AT_ONCE = 50;

interface DueRow {
  id: string | number;
  due_at: Date | null;
}

/**
 * Carries out what a query finds due, one after the other, some at once. What fails is logged and stays due; it holds up
 * nothing else, however much of it there is.
 *
 * The rows are drawn by lot: whoever took the oldest first would serve for ever those that always fail, or that are due
 * again as soon as they are done (days of a millisecond), and nobody else. The partial index behind each query keeps
 * what is drawn from small. Within a draw the oldest comes first, so that what is no backlog happens in its order.
 *
 * True when more may be waiting that can be carried out at once. After a failure it waits for the next run: what keeps
 * failing is tried again at the pace of the sweep and not in a hot loop.
 */
export async function carryOut<Schema, Table extends keyof Schema, Due extends DueRow>(
  context: SandboxContext,
  due: SelectQueryBuilder<Schema, Table, Due>,
  act: (one: Due) => Promise<void>,
): Promise<boolean> {
  if (!(await isAnyDue(context.database, due))) return false;
  const drawn = await due
    .orderBy(sql`random()`)
    .limit(AT_ONCE)
    .execute();
  let done = 0;
  for (const one of drawn.toSorted((left, right) => Number(left.due_at) - Number(right.due_at))) {
    try {
      await act(one);
      done += 1;
    } catch (error) {
      context.logger.error({ id: one.id, reason: reasonOf(error) }, 'something due could not be carried out');
    }
  }
  if (done > 0) context.wakeDeliveries();
  return done > 0 && done === drawn.length;
}

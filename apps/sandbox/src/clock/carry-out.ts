import { sql, type Kysely, type SelectQueryBuilder } from 'kysely';
import type { Logger } from 'pino';
import type { Tables } from '../database/tables.js';
import { type DueAt, isAnyDueSoon } from './due-queries.js';
import { type Found, reasonOf } from './recurring-task.js';

/** Limits how long a stop waits for the run that is under way. */
const AT_ONCE = 50;

/** The parts of the running service that it needs. */
interface Service {
  readonly database: Kysely<Tables>;
  readonly logger: Logger;
  wakeTasks(): void;
}

interface DueRow {
  id: string | number;
  due_at: Date | null;
}

/**
 * Carries out what a query finds due, one by one, some at a time. What fails is logged and stays due; it delays nothing
 * else, however much of it there is.
 *
 * The rows are drawn at random: with the oldest first, rows that always fail, or that are due again as soon as they are
 * done (days of a millisecond), would take every turn. The partial index behind each query keeps the set small. Within
 * a draw the oldest comes first, so that without a backlog everything happens in order.
 *
 * It found work when more may be waiting that can be carried out at once. After a failure it waits for the next run: what
 * keeps failing is tried again at the pace of the sweep and not in a hot loop.
 */
export async function carryOut<Schema, Table extends keyof Schema, Due extends DueRow>(
  service: Service,
  dueAt: DueAt<SelectQueryBuilder<Schema, Table, Due>>,
  act: (one: Due) => Promise<void>,
): Promise<Found> {
  if (!(await isAnyDueSoon(service.database, dueAt))) return 'quiet';
  const drawn = await dueAt(new Date())
    .orderBy(sql`random()`)
    .limit(AT_ONCE)
    .execute();
  let done = 0;
  for (const one of drawn.toSorted((left, right) => Number(left.due_at) - Number(right.due_at))) {
    try {
      await act(one);
      done += 1;
    } catch (error) {
      service.logger.error({ id: one.id, reason: reasonOf(error) }, 'a due task failed');
    }
  }
  if (done > 0) service.wakeTasks();
  return done > 0 && done === drawn.length ? 'work' : 'nothing';
}

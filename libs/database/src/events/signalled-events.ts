import type { Database } from '../connection/database.js';
import type { Owner } from '../schema/owner.js';
import { changeTo } from './event-status.js';

const atOnce = 500;

/**
 * Puts the events back that were signalled to a run: the run may have been lost with Temporal's store before it took
 * them. One that brings nothing new is applied again without a signal.
 *
 * @param since the beginning of the time from which signals may be lost.
 * @returns how many.
 */
export async function resendSignalledEvents(db: Database, owner: Owner, since: Date): Promise<number> {
  let sent = 0;
  for (let after = 0; ;) {
    const ids = await signalledAfter(db, owner, { since, after });
    await db
      .updateTable('webhook_events')
      .set(changeTo('received', { detail: 'sent again: its run may have been lost', dueInMs: 0 }))
      .where('id', 'in', ids.length > 0 ? ids : [0])
      .where('status', '=', 'applied')
      .execute();
    sent += ids.length;
    after = ids.at(-1) ?? after;
    if (ids.length < atOnce) return sent;
  }
}

async function signalledAfter(
  db: Database,
  { environment, application }: Owner,
  { since, after }: { readonly since: Date; readonly after: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('webhook_events')
    .select('id')
    .where('environment', '=', environment)
    .where('application', '=', application)
    .where('status', '=', 'applied')
    .where('detail', 'like', 'signalled%')
    .where('status_at', '>=', since)
    .where('id', '>', after)
    .orderBy('id')
    .limit(atOnce)
    .execute();
  return rows.map(({ id }) => id);
}

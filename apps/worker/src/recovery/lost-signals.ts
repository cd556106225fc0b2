import { resendSignalledEvents } from '#database/events';
import { findEndedSubjectsOfSignals } from '#database/reconciliation';
import type { Owner } from '#database/schema';
import type { MaintenanceContext } from '../steps/activities/context.js';
import { workOnEach } from './work-on-each.js';

interface SignalsOptions {
  readonly since: Date;
  /** The recovery has found runs that Temporal does not know. */
  readonly wasLost: boolean;
  readonly concurrency: number;
}

/**
 * Dispatches the events again that were signalled to runs which Temporal has lost. Reconciliation may have restarted all
 * lost runs of open subjects before this recovery; the run of an ended subject, which reads what came after its end, is
 * started by its event alone.
 *
 * @returns how many.
 */
export async function resendLostSignals(
  { db, runs }: Pick<MaintenanceContext, 'db' | 'runs'>,
  owner: Owner,
  { since, wasLost, concurrency }: SignalsOptions,
): Promise<number> {
  if (wasLost) return await resendSignalledEvents(db, owner, since);
  let isAnyUnknown = false;
  const ended = await findEndedSubjectsOfSignals(db, owner, since);
  const failed = await workOnEach(concurrency, ended, async (id) => {
    if (isAnyUnknown) return;
    const run = await runs.statusOf({ ...owner, id });
    if (run.kind === 'gone' && run.since === undefined) isAnyUnknown = true;
  });
  // What is not known may be lost: an event without news is applied again, and nothing else happens.
  return isAnyUnknown || failed.length > 0 ? await resendSignalledEvents(db, owner, since) : 0;
}

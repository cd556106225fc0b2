import {
  findForgottenSubjects,
  findIdleSubjects,
  noteReconciled,
  openReconciliation,
  resolveEndedRuns,
} from '#database/reconciliation';
import type { Owner } from '#database/schema';
import type { MaintenanceContext } from '../steps/activities/context.js';
import { mapConcurrently } from './map-concurrently.js';
import { watchedKinds, watchRun } from './watch-run.js';

const idleAtOnce = 500;
const forgottenAtOnce = 200;
const concurrency = 4;
/** Single runs are not forgotten by Temporal; so many in one round are a store that was lost or set back. */
const fewestOfALostStore = 5;

/**
 * Asks Temporal for the run of each open subject that has not changed for a while, and sends runs the commands that
 * they never received. Each reconciliation checks a bounded number and the next one continues there.
 */
export async function reconcileRuns(context: MaintenanceContext, owner: Owner): Promise<void> {
  const { db } = context;
  const { overlapMs, lostAfterMs } = context.reconciliation;
  const { runs_until: after } = await openReconciliation(db, owner, overlapMs);
  const kinds = Object.values(watchedKinds).map(({ records, open }) => ({ table: records.table, open }));
  const idle = await findIdleSubjects(db, owner, kinds, { after, idleForMs: lostAfterMs, limit: idleAtOnce });
  const forgotten = await findForgottenSubjects(db, owner, {
    acceptedForMs: lostAfterMs,
    limit: forgottenAtOnce,
  });
  const subjects = new Set([...idle, ...forgotten]);
  const found = { restarted: 0, unknown: 0 };
  const { failed } = await mapConcurrently(concurrency, subjects, async (id) => {
    const { isRestarted, isUnknown } = await watchRun(context, { ...owner, id });
    if (isRestarted) found.restarted += 1;
    if (isUnknown) found.unknown += 1;
  });
  for (const { records } of Object.values(watchedKinds)) await resolveEndedRuns(db, owner, records);
  const last = idle.length < idleAtOnce ? undefined : idle.at(-1);
  // The position also moves past failed subjects: they are checked again in the next round and do not block the others.
  await noteReconciled(db, owner, { runsUntil: last ?? null, ...found });
  if (found.unknown >= fewestOfALostStore) tellOfLostStore(context, owner, found.unknown, subjects.size);
  if (failed[0]) throw failed[0].error;
}

/** A round checks a bounded number of runs, so that a big store would take hours. */
function tellOfLostStore(
  { logger }: MaintenanceContext,
  { environment, application }: Owner,
  unknown: number,
  checked: number,
): void {
  logger.error(
    { environment, application, unknown, checked },
    `${unknown} of ${checked} open subjects had no run in Temporal, whose store was probably lost or set back: run \`npm run recover\``,
  );
}

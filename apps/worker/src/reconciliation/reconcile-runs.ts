import { refuseCommand } from '#database/commands';
import {
  recordComparison,
  resolveEndedRuns,
  runField,
  findAcceptedCommands,
  findForgottenSubjects,
  findIdleSubjects,
  claimForRestart,
  noteReconciled,
  openReconciliation,
} from '#database/reconciliation';
import type { Owner } from '#database/schema';
import { findSubject } from '#database/tables';
import type { RunStatus } from '#runs';
import { type Subject, type SubjectKind, kindOf } from '#workflows/contract';
import type { LifecycleState } from '#workflows/lifecycle';
import type { MaintenanceContext } from '../steps/activities/context.js';
import { mapConcurrently } from './map-concurrently.js';
import type { WatchedKind } from './watched-kind.js';
import { paymentRuns } from './payment-runs.js';
import { planRuns, subscriptionRuns } from './subscription-runs.js';
import { payoutRuns } from './payout-runs.js';
import { refundRuns } from './refund-runs.js';

const idleAtOnce = 500;
const forgottenAtOnce = 200;
const concurrency = 4;

/** The kinds of subjects whose runs are watched. */
const watchedKinds = {
  payment: paymentRuns,
  payout: payoutRuns,
  refund: refundRuns,
  plan: planRuns,
  subscription: subscriptionRuns,
} as const satisfies Partial<Record<SubjectKind, unknown>>;

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
  let restarted = 0;
  const { failed } = await mapConcurrently(concurrency, new Set([...idle, ...forgotten]), async (id) => {
    if (await watchRun(context, { ...owner, id })) restarted += 1;
  });
  for (const { records } of Object.values(watchedKinds)) await resolveEndedRuns(db, owner, records);
  const last = idle.length < idleAtOnce ? undefined : idle.at(-1);
  // The position also moves past failed subjects: they are checked again in the next round and do not block the others.
  await noteReconciled(db, owner, { runsUntil: last ?? null, restarted });
  if (failed[0]) throw failed[0].error;
}

/** @returns true if a new run was started. */
async function watchRun(context: MaintenanceContext, subject: Subject): Promise<boolean> {
  const kind = (watchedKinds as Partial<Record<SubjectKind, WatchedKind<LifecycleState>>>)[kindOf(subject)];
  return kind ? await watchRunOf(context, kind, subject) : false;
}

async function watchRunOf<State extends LifecycleState>(
  context: MaintenanceContext,
  kind: WatchedKind<State>,
  subject: Subject,
): Promise<boolean> {
  const { db, runs, reconciliation } = context;
  const before = await findSubject(db, subject);
  if (!before) return false;
  const runStatus = await runs.statusOf(subject);
  if (runStatus.kind === 'alive' || runStatus.kind === 'failing') {
    await tellForgotten(context, kind, subject);
    return runStatus.kind === 'failing' && (await unblock(context, subject));
  }
  // Read after asking for the run, so that it includes what the run wrote before it ended.
  const row = await findSubject(db, subject);
  if (!row) return false;
  if (kind.records.ends.includes(row.status)) {
    await refuseForgotten(context, subject);
    return false;
  }
  if (runStatus.kind === 'ended') {
    await reportEnded(context, subject, row);
    return false;
  }
  if (!isGoneForGood(runStatus, reconciliation.lostAfterMs)) return false;
  return await replaceRun(context, kind, subject, before.version);
}

async function replaceRun<State extends LifecycleState>(
  { db, runs, reconciliation, logger }: MaintenanceContext,
  kind: WatchedKind<State>,
  subject: Subject,
  seen: number,
): Promise<boolean> {
  const taken = await claimForRestart(db, kind.records, subject, seen, (rows, now) =>
    kind.restartFrom(rows, now),
  );
  if (!taken) return false;
  const waiting = taken.commands.flatMap((command) => kind.messageOf(command) ?? []);
  const run = await kind.restartedRun(db, subject, { ...taken, waiting }, reconciliation.publicUrl);
  if (!(await runs.restart(run))) return false;
  logger.warn({ ...subject }, 'a run was lost and was started again from its row');
  return true;
}

async function unblock({ blockedRuns, logger }: MaintenanceContext, subject: Subject): Promise<boolean> {
  const done = await blockedRuns.unblock(subject);
  if (done === 'takenBack')
    logger.warn(
      { ...subject },
      'a run was blocked by its history and was reset to before its last workflow task',
    );
  else if (done === 'ended')
    logger.warn(
      { ...subject },
      'a run stayed blocked after its reset and was terminated: a new run continues from the rows',
    );
  else
    logger.error(
      { ...subject },
      'a run is stuck because its workflow tasks fail: check the logs of the workers',
    );
  return done === 'takenBack';
}

/** By then its worker has written everything that it was writing when the run ended. */
function isGoneForGood({ since }: Extract<RunStatus, { kind: 'gone' }>, lostAfterMs: number): boolean {
  return since === undefined || Date.now() - since.getTime() >= lostAfterMs;
}

/** A run remembers the ids of its messages: sending one twice is harmless. */
async function tellForgotten<State extends LifecycleState>(
  { db, runs, reconciliation }: MaintenanceContext,
  kind: WatchedKind<State>,
  subject: Subject,
): Promise<void> {
  for (const command of await findAcceptedCommands(db, subject.id)) {
    if (Date.now() - command.created_at.getTime() < reconciliation.lostAfterMs) continue;
    const message = kind.messageOf(command);
    if (message) await runs.signal(subject, message);
  }
}

async function refuseForgotten({ db }: MaintenanceContext, { id: subjectId }: Subject): Promise<void> {
  for (const { id } of await findAcceptedCommands(db, subjectId)) {
    await refuseCommand(db, id, { code: 'not_allowed_in_state', reason: 'It has ended.' });
  }
}

/**
 * The run has ended but its row is older, most likely because the database was restored. Nothing may continue from such
 * a row.
 */
async function reportEnded(
  { db, logger }: MaintenanceContext,
  subject: Subject,
  { version, status }: { readonly version: number; readonly status: string },
): Promise<void> {
  const differences = [{ field: runField, ours: status, theirs: 'completed' }];
  const fresh = await recordComparison(db, { subject, comparedWith: 'run', version, differences });
  if (fresh.length > 0)
    logger.error(
      { ...subject },
      'a run has ended but its row is open: most likely the database was restored; compare the row with the provider',
    );
}

import { type OrderRow, findOrderOf, refuseAfterEnd } from '#database/commands';
import { claimForRestart, findAcceptedCommands, resolveRun } from '#database/reconciliation';
import type { Database } from '#database/connection';
import { findPayerCancellation } from '#database/subjects';
import { findSubject } from '#database/tables';
import type { RunStatus } from '#runs';
import { type RunMessage, type RunStart, type Subject, type SubjectKind, kindOf } from '#workflows/contract';
import type { LifecycleState } from '#workflows/lifecycle';
import type { MaintenanceContext } from '../steps/activities/context.js';
import { paymentRuns } from './payment-runs.js';
import { payoutRuns } from './payout-runs.js';
import { refundRuns } from './refund-runs.js';
import { type ComparedRow, hasCompleted, recordRun, reportEnded, reportOther } from './run-difference.js';
import { planRuns, subscriptionRuns } from './subscription-runs.js';
import type { WatchedKind } from './watched-kind.js';

/** The kinds of subjects whose runs are watched. */
export const watchedKinds = {
  payment: paymentRuns,
  payout: payoutRuns,
  refund: refundRuns,
  plan: planRuns,
  subscription: subscriptionRuns,
} as const satisfies Partial<Record<SubjectKind, unknown>>;

/** What a look at the run of an open subject has found and done. */
export interface Watched {
  /** Temporal did not know the run, as after the loss of its store. */
  readonly isUnknown: boolean;
  /** Another run continues from the rows, or from before the task that blocked it. */
  readonly isRestarted: boolean;
}

const inOrder: Watched = { isUnknown: false, isRestarted: false };

/**
 * Asks Temporal for the run of a subject: one that is open gets the commands that it never received, one that is lost
 * is started again from the rows. Several processes can do it at the same time.
 */
export async function watchRun(context: MaintenanceContext, subject: Subject): Promise<Watched> {
  const kind = (watchedKinds as Partial<Record<SubjectKind, WatchedKind<LifecycleState>>>)[kindOf(subject)];
  return kind ? await watchRunOf(context, kind, subject) : inOrder;
}

async function watchRunOf<State extends LifecycleState>(
  context: MaintenanceContext,
  kind: WatchedKind<State>,
  subject: Subject,
): Promise<Watched> {
  const { db, runs, reconciliation } = context;
  const before = await findSubject(db, subject);
  if (!before) return inOrder;
  const runStatus = await runs.statusOf(subject);
  if (runStatus.kind === 'alive' || runStatus.kind === 'failing') {
    await resendRequests(context, kind, subject, before);
    const isReset = runStatus.kind === 'failing' && (await unblock(context, subject, before));
    if (runStatus.kind === 'alive') await resolveRun(db, subject);
    return { isUnknown: false, isRestarted: isReset };
  }
  if (runStatus.kind === 'other') {
    await reportOther(context, subject, before, runStatus);
    return inOrder;
  }
  // Read after asking for the run, so that it includes what the run wrote before it ended.
  const row = await findSubject(db, subject);
  if (!row) return inOrder;
  if (kind.records.ends.includes(row.status)) {
    await refuseCommandsAfterEnd(context, subject);
    return inOrder;
  }
  if (runStatus.kind === 'ended' || (await hasCompleted(context, subject))) {
    await reportEnded(context, subject, row);
    return inOrder;
  }
  if (!isGoneForGood(runStatus, reconciliation.lostAfterMs)) return inOrder;
  const isRestarted = await replaceRun(context, kind, subject, before.version, runStatus);
  return { isUnknown: runStatus.since === undefined, isRestarted };
}

async function replaceRun<State extends LifecycleState>(
  { db, runs, reconciliation, logger }: MaintenanceContext,
  kind: WatchedKind<State>,
  subject: Subject,
  seen: number,
  last: Extract<RunStatus, { kind: 'gone' }>,
): Promise<boolean> {
  const taken = await claimForRestart(db, kind.records, subject, seen, (rows, now) =>
    kind.restartFrom(rows, now),
  );
  if (!taken) return false;
  const cancelled = await payerCancellation(db, kind, subject, taken.position.state);
  const requested = taken.commands.flatMap((command) => kind.messageOf(command) ?? []);
  const waiting = cancelled ? [cancelled.message, ...requested] : requested;
  const run = await kind.restartedRun(db, subject, { ...taken, waiting }, reconciliation.publicUrl);
  const orderedBy = orderedByOf(await findOrderOf(db, subject.id));
  if (!(await runs.restart({ ...run, ...orderedBy }, last))) return false;
  logger.warn({ ...subject }, 'a run was lost and was started again from its row');
  return true;
}

/** The run keeps who ordered it, in case the order's row is lost. */
function orderedByOf(order: OrderRow | undefined): Pick<RunStart, 'orderedBy'> {
  if (order?.kind !== 'create' && order?.kind !== 'refund') return {};
  const { id: commandId, kind, idempotency_key, body_hash, requested_by, reference } = order;
  return {
    orderedBy: {
      kind,
      commandId,
      idempotencyKey: idempotency_key,
      bodyHash: body_hash,
      requestedBy: requested_by,
      ...(reference !== null && { reference }),
    },
  };
}

async function unblock(context: MaintenanceContext, subject: Subject, row: ComparedRow): Promise<boolean> {
  const { blockedRuns, logger } = context;
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
  else {
    await recordRun(context, subject, row, 'blocked');
    logger.error(
      { ...subject },
      'a run is stuck because its workflow tasks fail: check the logs of the workers',
    );
  }
  return done === 'takenBack';
}

/** By then its worker has written everything that it was writing when the run ended. */
function isGoneForGood({ since }: Extract<RunStatus, { kind: 'gone' }>, lostAfterMs: number): boolean {
  return since === undefined || Date.now() - since.getTime() >= lostAfterMs;
}

/**
 * A run remembers the ids of its messages: sending one twice is harmless. One that it refused when its command had no
 * row comes under another id: the row was lost in a restore, and is there again, or somebody had sent a raw signal.
 */
async function resendRequests<State extends LifecycleState>(
  { db, runs, reconciliation }: MaintenanceContext,
  kind: WatchedKind<State>,
  subject: Subject,
  row: ComparedRow,
): Promise<void> {
  const isOnItsWay = (since: Date) => Date.now() - since.getTime() < reconciliation.lostAfterMs;
  const cancelled = await payerCancellation(db, kind, subject, row);
  if (cancelled && !isOnItsWay(cancelled.at)) await runs.signal(subject, cancelled.message);
  for (const command of await findAcceptedCommands(db, subject.id)) {
    if (isOnItsWay(command.created_at)) continue;
    const message = kind.messageOf(command);
    const { refusals } = command;
    if (message)
      await runs.signal(subject, refusals > 0 ? { ...message, id: `${message.id}:${refusals}` } : message);
  }
}

/** A payer who cancelled does so once: the run may never have received it. */
async function payerCancellation<State extends LifecycleState>(
  db: Database,
  { cancellable = [], records }: WatchedKind<State>,
  { id }: Subject,
  { status }: Pick<ComparedRow, 'status'>,
): Promise<{ readonly at: Date; readonly message: RunMessage } | undefined> {
  const at = cancellable.includes(status) && (await findPayerCancellation(db, records.table, id));
  if (!at) return undefined;
  return { at, message: { id: `payer-cancelled:${at.toISOString()}`, event: { type: 'payerCancelled' } } };
}

async function refuseCommandsAfterEnd({ db }: MaintenanceContext, { id: subjectId }: Subject): Promise<void> {
  for (const command of await findAcceptedCommands(db, subjectId)) await refuseAfterEnd(db, command);
}

import { refuseCommand } from '../../../../libs/database/src/commands.js';
import { recordComparison, resolveEndedRuns, runField } from '../../../../libs/database/src/drift.js';
import {
  type TakenUpPayment,
  findAcceptedCommands,
  findForgottenPayments,
  findIdlePayments,
  takeUpPayment,
} from '../../../../libs/database/src/idle-payments.js';
import { findPayment } from '../../../../libs/database/src/payments.js';
import {
  type Owner,
  noteReconciled,
  openReconciliation,
} from '../../../../libs/database/src/reconciliation.js';
import type { RunStanding } from '../../../../libs/runs/src/payment-runs.js';
import { messagesPerRun, payerAddresses } from '../../../../libs/runs/src/run-input.js';
import type { PaymentIdentity, PaymentRunInput } from '../../../../libs/workflows/src/contract.js';
import { isTerminal } from '../../../../libs/workflows/src/lifecycle/payment.js';
import type { MaintenanceContext } from './activity-context.js';
import { messageOfCommand } from './command-message.js';
import { eachAbreast } from './each-abreast.js';

const idleAtOnce = 500;
const forgottenAtOnce = 200;
const abreast = 4;

/**
 * Asks Temporal after the run of every payment that has not ended and does not move, a bounded number each time and on
 * from there the next; and tells runs of commands that they were never told of.
 */
export async function reconcileRuns(context: MaintenanceContext, owner: Owner): Promise<void> {
  const { db } = context;
  const { overlapMs, lostAfterMs } = context.reconciliation;
  const { runs_until: after } = await openReconciliation(db, owner, overlapMs);
  const idle = await findIdlePayments(db, owner, { after, idleForMs: lostAfterMs, limit: idleAtOnce });
  const forgotten = await findForgottenPayments(db, owner, {
    acceptedForMs: lostAfterMs,
    limit: forgottenAtOnce,
  });
  let restarted = 0;
  const { failed } = await eachAbreast(abreast, new Set([...idle, ...forgotten]), async (paymentId) => {
    if (await mindRun(context, { ...owner, paymentId })) restarted += 1;
  });
  await resolveEndedRuns(db, owner);
  const last = idle.length < idleAtOnce ? undefined : idle.at(-1);
  // Also past those that failed: the walk comes round to them again, and they keep nobody else from being asked after.
  await noteReconciled(db, owner, { runsUntil: last ?? null, restarted });
  if (failed[0]) throw failed[0].error;
}

/** @returns true when the payment has a new run. */
async function mindRun(context: MaintenanceContext, identity: PaymentIdentity): Promise<boolean> {
  const { db, runs, reconciliation } = context;
  const before = await findPayment(db, identity);
  if (!before) return false;
  const standing = await runs.standingOf(identity);
  if (standing.kind === 'alive' || standing.kind === 'failing') {
    await tellForgotten(context, identity);
    return standing.kind === 'failing' && (await takeBack(context, identity));
  }
  // Read after the run was asked for: what it wrote before it ended is there.
  const payment = await findPayment(db, identity);
  if (!payment) return false;
  if (isTerminal(payment.status)) {
    await refuseForgotten(context, identity);
    return false;
  }
  if (standing.kind === 'ended') {
    await reportEnded(context, identity, payment);
    return false;
  }
  if (!isGoneForGood(standing, reconciliation.lostAfterMs)) return false;
  const taken = await takeUpPayment(db, identity, before.version);
  if (!taken || !(await runs.restart(restartedRun(identity, taken, reconciliation.publicUrl)))) return false;
  context.logger.warn({ ...identity }, 'the run of a payment was gone, and another one goes on');
  return true;
}

async function takeBack({ runs, logger }: MaintenanceContext, identity: PaymentIdentity): Promise<boolean> {
  const isTakenBack = await runs.takeBack(identity);
  if (isTakenBack) logger.warn({ ...identity }, 'the run of a payment was blocked, and goes on from before');
  else logger.error({ ...identity }, 'the run of a payment does not get on: its workflow tasks fail');
  return isTakenBack;
}

/** What its worker was still about to write when it was ended is written by then. */
function isGoneForGood({ since }: Extract<RunStanding, { kind: 'gone' }>, lostAfterMs: number): boolean {
  return since === undefined || Date.now() - since.getTime() >= lostAfterMs;
}

/** A run knows the ids of what it was told: telling it twice is harmless. */
async function tellForgotten({ db, runs, reconciliation }: MaintenanceContext, identity: PaymentIdentity) {
  for (const command of await findAcceptedCommands(db, identity.paymentId)) {
    if (Date.now() - command.created_at.getTime() < reconciliation.lostAfterMs) continue;
    const message = messageOfCommand(command);
    if (message) await runs.signal(identity, message);
  }
}

async function refuseForgotten({ db }: MaintenanceContext, { paymentId }: PaymentIdentity): Promise<void> {
  for (const { id } of await findAcceptedCommands(db, paymentId)) {
    await refuseCommand(db, id, { code: 'not_allowed_in_state', reason: 'The payment has ended.' });
  }
}

/** Rows older than the end of their run: of a database that was restored, most likely. Nobody may guess on from them. */
async function reportEnded(
  { db, logger }: MaintenanceContext,
  identity: PaymentIdentity,
  { version, status }: { readonly version: number; readonly status: string },
): Promise<void> {
  const differences = [{ field: runField, ours: status, theirs: 'completed' }];
  const fresh = await recordComparison(db, { identity, comparedWith: 'run', version, differences });
  if (fresh.length > 0) logger.error({ ...identity }, 'a run has ended, and its payment has not');
}

/** A run that goes on from the rows; whatever it would need besides is known, or it is told that it is not. */
function restartedRun(
  identity: PaymentIdentity,
  { payment, position, commands }: TakenUpPayment,
  publicUrl: string,
): PaymentRunInput {
  const waiting = commands.flatMap((command) => messageOfCommand(command) ?? []);
  return {
    identity,
    order: position.state.order,
    purchase: {
      orderId: payment.order_id,
      ...(payment.description !== null && { description: payment.description }),
      ...(payment.payee_masked !== null && { isPayeeLost: true }),
      ...payerAddresses(publicUrl, payment.id),
    },
    messagesPerRun,
    continued: { ...position, seen: waiting.map(({ id }) => id), waiting },
  };
}

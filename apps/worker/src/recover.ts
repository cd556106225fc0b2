import type { Client } from '@temporalio/client';
import { recordRestore } from '#database/commands';
import type { Owner } from '#database/schema';
import { ensureSearchAttributes, restoreSchedule } from '#runs';
import type { SubjectKind } from '#workflows/contract';
import { openMaintenance } from './maintenance-context.js';
import { workflowCode } from './process/workflow-code.js';
import { resendLostSignals } from './recovery/lost-signals.js';
import { readAllAgain, rememberOrders } from './recovery/recover-rows.js';
import {
  countFailed,
  type RecoverOptions,
  type RecoveredRuns,
  recoverRuns,
} from './recovery/recover-runs.js';
import { recurrencesOf } from './schedules.js';
import type { MaintenanceContext } from './steps/activities/context.js';
import type { WorkerConfig } from './worker-config.js';

/** What a recovery has done for one application. */
export interface RecoveredApplication extends Owner {
  readonly runs: ReadonlyMap<SubjectKind, RecoveredRuns>;
  /** Webhook events that are dispatched again. */
  readonly events: number;
  /** Orders whose rows were lost in a restore, and whose keys their runs know. */
  readonly orders: number;
}

export interface RecoveryOptions extends RecoverOptions {
  /** For how long before this recovery signals may have been lost, in milliseconds. */
  readonly eventsForMs: number;
  /** The moment to which the engine's database was restored, if it was. */
  readonly restoredTo?: Date | undefined;
}

/** No caller waits for one of these calls, and a server that starts so many runs answers late. */
const deadlineMs = 30_000;

/**
 * Restores from the engine's rows everything that the engine keeps in Temporal: search attributes, the run of each open
 * subject, and the Schedules, whose sweep and reconciliation do the rest.
 */
export async function recover(
  config: WorkerConfig,
  options: RecoveryOptions,
): Promise<readonly RecoveredApplication[]> {
  const patient = { ...config, TEMPORAL_DEADLINE_MS: Math.max(config.TEMPORAL_DEADLINE_MS, deadlineMs) };
  const { context, temporal, close } = openMaintenance(patient, workflowCode(config.WORKFLOW_BUNDLE));
  try {
    await ensureSearchAttributes(temporal.connection, config.TEMPORAL_NAMESPACE);
    const { restoredTo } = options;
    if (restoredTo) await recordRestore(context.db, restoredTo);
    const recovered: RecoveredApplication[] = [];
    for (const owner of context.reconciliation.applications) {
      recovered.push(await recoverApplication(context, owner, options));
    }
    await restoreSchedules(config, temporal);
    return recovered;
  } finally {
    await close();
  }
}

async function recoverApplication(
  context: MaintenanceContext,
  owner: Owner,
  options: RecoveryOptions,
): Promise<RecoveredApplication> {
  const { restoredTo } = options;
  const orders = restoredTo ? await rememberOrders(context, owner, restoredTo) : 0;
  const signalsLostSince = new Date(Date.now() - options.eventsForMs);
  const runs = await recoverRuns(context, owner, options);
  const wasLost = [...runs.values()].some(({ rebuilt }) => rebuilt > 0);
  if (restoredTo && wasLost)
    context.logger.error(
      { ...owner },
      'both stores were set back: Temporal lacks runs, so orders since the restored moment may be carried out again when they are repeated (docs/operations.md)',
    );
  const { concurrency } = options;
  const events = await resendLostSignals(context, owner, { since: signalsLostSince, wasLost, concurrency });
  if (restoredTo) countFailed(runs, await readAllAgain(context, owner, options));
  return { ...owner, runs, events, orders };
}

async function restoreSchedules(config: WorkerConfig, temporal: Client): Promise<void> {
  for (const recurrence of recurrencesOf(config)) {
    await restoreSchedule(temporal, config.TEMPORAL_TASK_QUEUE, recurrence);
  }
}

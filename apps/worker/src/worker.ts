import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { sql } from 'kysely';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { codecKeysOf, temporalSecurityOf } from '#configuration';
import { assertClock, findRestore } from '#database/commands';
import { type Database, requireSchema, SchemaTooOld } from '#database/connection';
import { Readiness, ensureSchedule, restoreSchedule } from '#runs';
import { temporalActivityTraces } from '#observability';
import { workerDataConverter } from '#payload-codec';
import { repairWebhooks } from './maintenance/repair-webhooks.js';
import { maintenanceActivities } from './maintenance/index.js';
import { paymentActivities } from './payments/index.js';
import { retriedByTimer } from './steps/activities/retried-by-timer.js';
import { withPlaces } from './steps/activities/with-places.js';
import { StepPlaces } from './steps/activities/step-places.js';
import { viewActivities } from './steps/activities/view.js';
import { refundActivities } from './refunds/index.js';
import type { MaintenanceContext } from './steps/activities/context.js';
import { planActivities, subscriptionActivities } from './subscriptions/index.js';
import { payoutActivities } from './payouts/index.js';
import { openMaintenance } from './maintenance-context.js';
import { type Telemetry, openTelemetry, closeTelemetry } from './telemetry.js';
import { type WorkflowCode, workflowCode } from './process/workflow-code.js';
import { onRightClock } from './process/clock.js';
import { log } from './process/log.js';
import { pollToEnd } from './process/poll-to-end.js';
import { uninterrupted } from './process/uninterrupted.js';
import { lightenWorkflowThreads } from './process/workflow-threads.js';
import type { WorkerConfig } from './worker-config.js';
import { type Retrying, retryUntil } from './process/retry-until.js';
import { recurrencesOf } from './schedules.js';

/** A worker that polls or is about to. `finished` rejects when it can no longer poll. */
export interface RunningWorker {
  readonly finished: Promise<void>;
  /** Where Prometheus reads the metrics, if there are any. */
  readonly metricsUrl: string | undefined;
  /** What prevents it from working: `polling`, `temporal`, `database`, `clock`. */
  missing(): Promise<readonly string[]>;
  /** Stops polling, lets calls in flight end within the grace time, aborts the others, and closes everything. */
  close(): Promise<void>;
}

/**
 * Starts a worker and resolves once it polls. While Temporal or the database is away it keeps trying.
 *
 * @param sdkMetrics where Temporal's SDK serves its metrics.
 * @throws {SchemaTooOld} before it polls.
 */
export async function startWorker(config: WorkerConfig, sdkMetrics?: string): Promise<RunningWorker> {
  const stop = new AbortController();
  const code = workflowCode(config.WORKFLOW_BUNDLE);
  const telemetry = await openTelemetry(config, sdkMetrics);
  const { context: opened, temporal, close } = openMaintenance(config, code, telemetry);
  const { db, providers } = opened;
  const releaseResources = async () => {
    stop.abort();
    await close();
    await closeTelemetry(telemetry);
  };
  const retrying = { signal: stop.signal, logger: log };
  try {
    await awaitDatabase(db, retrying);
  } catch (error) {
    await releaseResources();
    throw error;
  }
  const restore = await retryUntil('look for a restore', () => findRestore(db), retrying);
  const context = { ...opened, restore };
  const connection = await retryUntil(
    'connect to Temporal',
    () => NativeConnection.connect({ address: config.TEMPORAL_ADDRESS, ...temporalSecurityOf(config) }),
    retrying,
  );
  const worker = await createTemporalWorker(config, connection, { code, context, telemetry });
  const polling = pollUntilStopped(worker, config.SHUTDOWN_GRACE_MS, async () => {
    await connection.close();
    await releaseResources();
  });
  // In the background: payments end without webhooks, so a provider that is away must not delay the start.
  retryUntil('repair webhooks', () => repairWebhooks(context), retrying).catch(() => undefined);
  keepSchedules(config, temporal, retrying);
  return {
    finished: polling,
    metricsUrl: telemetry.metrics?.url,
    missing: missingOf(worker, context),
    close: async () => {
      // Only a running worker can drain; a second shutdown is an error in the SDK.
      if (worker.getState() === 'RUNNING') worker.shutdown();
      const giveUp = setTimeout(() => providers.giveUp(), config.SHUTDOWN_GRACE_MS);
      await polling.finally(() => clearTimeout(giveUp));
    },
  };
}

/** Until its schema is that of this version, and its clock is like ours. */
async function awaitDatabase(db: Database, retrying: Retrying): Promise<void> {
  await retryUntil('check the schema', () => requireSchema(db), { ...retrying, isFinal: isSchemaTooOld });
  await retryUntil('compare the clock with the database', () => assertClock(db), retrying);
}

function isSchemaTooOld(error: unknown): boolean {
  return error instanceof SchemaTooOld;
}

/** A worker still counts as polling while Temporal hangs, so Temporal is checked separately. */
function missingOf(worker: Worker, { db, runs }: MaintenanceContext): RunningWorker['missing'] {
  const readiness = new Readiness({
    temporal: () => runs.assertReachable(),
    database: () => sql`select 1`.execute(db),
    clock: () => assertClock(db),
  });
  return async () => [
    ...(worker.getState() === 'RUNNING' ? [] : ['polling']),
    ...(await readiness.missing()),
  ];
}

async function pollUntilStopped(
  worker: Worker,
  graceMs: number,
  release: () => Promise<void>,
): Promise<void> {
  try {
    await pollToEnd(worker, graceMs);
  } finally {
    await release();
  }
}

/**
 * The polls for workflow tasks, as the SDK has them by default. Each of them keeps the place of a task while it waits, so
 * that steps which hang would leave none for the first task of a run.
 */
const workflowTaskPolls = 10;

interface WorkerParts {
  readonly code: WorkflowCode;
  readonly context: MaintenanceContext;
  readonly telemetry: Telemetry;
}

async function createTemporalWorker(
  config: WorkerConfig,
  connection: NativeConnection,
  { code, context, telemetry: { tracing } }: WorkerParts,
): Promise<Worker> {
  lightenWorkflowThreads();
  const codecKeys = codecKeysOf(config);
  const activities = {
    ...paymentActivities(context, codecKeys),
    ...refundActivities(context),
    ...payoutActivities(context, codecKeys),
    ...planActivities(context),
    ...subscriptionActivities(context),
  };
  const onTime = onRightClock(activities, () => assertClock(context.db));
  const steps = retriedByTimer(withPlaces(placesOf(config), onTime));
  return await Worker.create({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    taskQueue: config.TEMPORAL_TASK_QUEUE,
    ...code,
    activities: {
      ...viewActivities(steps),
      ...steps,
      ...maintenanceActivities(context),
    },
    dataConverter: workerDataConverter(codecKeys),
    ...(tracing && { interceptors: { activity: [temporalActivityTraces(tracing)] } }),
    shutdownGraceTime: config.SHUTDOWN_GRACE_MS,
    // Leaves time to write the rows of aborted calls.
    shutdownForceTime: config.SHUTDOWN_GRACE_MS + 5_000,
    maxConcurrentLocalActivityExecutions: config.MAX_CONCURRENT_STEPS,
    maxConcurrentWorkflowTaskExecutions: config.MAX_CONCURRENT_STEPS + workflowTaskPolls,
    workflowTaskPollerBehavior: { type: 'simple-maximum', maximum: workflowTaskPolls },
    ...activationOfPatches(config),
    ...deploymentOf(config),
    // The number of cached runs is the SDK's default, which follows from the memory that the process may use.
    ...uninterrupted,
  });
}

/** Replay does not ask: a run with a patch's marker keeps to it. Asked for, it costs a pause of the workflow thread. */
function activationOfPatches({
  INACTIVE_PATCHES: inactive,
}: WorkerConfig): Pick<WorkerOptions, 'patchActivationCallback'> {
  return inactive ? { patchActivationCallback: ({ patchId }) => !inactive.includes(patchId) } : {};
}

/** Temporal gives its tasks to the current or the ramping version of a deployment, and open runs move along. */
function deploymentOf({
  TEMPORAL_DEPLOYMENT_NAME: deploymentName,
  TEMPORAL_WORKER_BUILD_ID: buildId,
}: WorkerConfig): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  if (deploymentName === undefined || buildId === undefined) return {};
  return {
    workerDeploymentOptions: {
      version: { deploymentName, buildId },
      useWorkerVersioning: true,
      defaultVersioningBehavior: 'AUTO_UPGRADE',
    },
  };
}

/** One application alone may have all of them. */
function placesOf({ PROVIDER_APPLICATIONS, MAX_CONCURRENT_STEPS }: WorkerConfig): StepPlaces {
  return new StepPlaces(PROVIDER_APPLICATIONS.length === 1 ? Number.POSITIVE_INFINITY : MAX_CONCURRENT_STEPS);
}

/** Creates the Schedules. Payments run without them until then; later runs of a Schedule catch up. */
function keepSchedules(config: WorkerConfig, temporal: Client, retrying: Retrying): void {
  const taskQueue = config.TEMPORAL_TASK_QUEUE;
  for (const recurrence of recurrencesOf(config)) {
    const keep = async (): Promise<void> => {
      await retryUntil('keep schedules', () => ensureSchedule(temporal, taskQueue, recurrence), retrying);
      // Later only if a Schedule is missing: workers of two versions would change it back and forth.
      for (;;) {
        await wait(recurrence.everyMs, undefined, { signal: retrying.signal });
        await retryUntil('keep schedules', () => restoreSchedule(temporal, taskQueue, recurrence), retrying);
      }
    };
    keep().catch(() => undefined);
  }
}

import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Client } from '@temporalio/client';
import { sql } from 'kysely';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { ChangeAnnouncer, migrateDatabase, openDatabase } from '#database/connection';
import { Readiness, Runs, ensureSchedule, restoreSchedule, openTemporalClient } from '#runs';
import { workerDataConverter } from '#payload-codec';
import { EventDispatch } from '#webhook-inbox';
import { repairWebhooks } from './maintenance/repair-webhooks.js';
import { maintenanceActivities } from './maintenance/index.js';
import { paymentActivities } from './payments/index.js';
import { viewActivities } from './steps/view.js';
import { refundActivities } from './refunds/index.js';
import type { MaintenanceContext } from './context.js';
import { planActivities, subscriptionActivities } from './subscriptions/index.js';
import { payoutActivities } from './payouts/index.js';
import { BlockedRuns } from './reconciliation/blocked-runs.js';
import { replayBy } from './reconciliation/replay.js';
import { ProviderClients } from './provider/provider-clients.js';
import { log } from './log.js';
import type { WorkerConfig } from './worker-config.js';
import { type Retrying, retryUntil } from './retry-until.js';
import { reconciliationOptionsOf, recurrencesOf } from './schedules.js';

/** A worker that polls, or is on its way to; `finished` rejects when it can do so no longer. */
export interface RunningWorker {
  readonly finished: Promise<void>;
  /** What keeps it from working: `polling`, `temporal`, `database`. */
  missing(): Promise<readonly string[]>;
  /** Stops polling, lets calls in flight end within the grace time, gives up the others, and closes everything. */
  close(): Promise<void>;
}

/** Starts a worker and resolves once it polls. While Temporal or the database is away it keeps trying. */
export async function startWorker(config: WorkerConfig): Promise<RunningWorker> {
  const stop = new AbortController();
  const db = openDatabase(config.DATABASE_URL, { poolSize: 20 });
  const changes = new ChangeAnnouncer(config.DATABASE_URL);
  const providers = new ProviderClients(config.PROVIDER_APPLICATIONS);
  const temporal = openTemporalClient({
    address: config.TEMPORAL_ADDRESS,
    namespace: config.TEMPORAL_NAMESPACE,
    codecKeys: config.CODEC_KEYS,
    caller: 'worker',
  });
  const runs = new Runs(temporal, {
    taskQueue: config.TEMPORAL_TASK_QUEUE,
    deadlineMs: config.TEMPORAL_DEADLINE_MS,
  });
  const releaseResources = async () => {
    stop.abort();
    await temporal.connection.close();
    await providers.close();
    await changes.close();
    await db.destroy();
  };
  const retrying = { signal: stop.signal, logger: log };
  await retryUntil('migrate the database', () => migrateDatabase(config.DATABASE_URL), retrying);
  const connection = await retryUntil(
    'connect to Temporal',
    () => NativeConnection.connect({ address: config.TEMPORAL_ADDRESS }),
    retrying,
  );
  const code = workflowCode(config.WORKFLOW_BUNDLE);
  const replay = replayBy(code, config.CODEC_KEYS);
  const context: MaintenanceContext = {
    db,
    changes,
    providers,
    runs,
    blockedRuns: new BlockedRuns(temporal, config.TEMPORAL_DEADLINE_MS, replay),
    dispatch: new EventDispatch(db, runs),
    reconciliation: reconciliationOptionsOf(config),
    applications: config.PROVIDER_APPLICATIONS,
    publicUrl: config.PUBLIC_URL,
    logger: log,
  };
  const worker = await createTemporalWorker(config, connection, { code, context });
  const polling = pollUntilStopped(worker, async () => {
    await connection.close();
    await releaseResources();
  });
  // Beside the polling: payments need no webhook to end, so a provider that is away delays nothing.
  retryUntil('repair webhooks', () => repairWebhooks(context), retrying).catch(() => undefined);
  keepSchedules(config, temporal, retrying);
  return {
    finished: polling,
    missing: missingOf(worker, context),
    close: async () => {
      // Only a running worker can be asked to drain; asking twice is an error of the SDK.
      if (worker.getState() === 'RUNNING') worker.shutdown();
      const giveUp = setTimeout(() => providers.giveUp(), config.SHUTDOWN_GRACE_MS);
      await polling.finally(() => clearTimeout(giveUp));
    },
  };
}

/** A worker polls on, as far as it knows, while what it polls is frozen. */
function missingOf(worker: Worker, { db, runs }: MaintenanceContext): RunningWorker['missing'] {
  const readiness = new Readiness({
    temporal: () => runs.assertReachable(),
    database: () => sql`select 1`.execute(db),
  });
  return async () => [
    ...(worker.getState() === 'RUNNING' ? [] : ['polling']),
    ...(await readiness.missing()),
  ];
}

async function pollUntilStopped(worker: Worker, release: () => Promise<void>): Promise<void> {
  try {
    await worker.run();
  } finally {
    await release();
  }
}

async function createTemporalWorker(
  config: WorkerConfig,
  connection: NativeConnection,
  { code, context }: { readonly code: WorkflowCode; readonly context: MaintenanceContext },
): Promise<Worker> {
  return await Worker.create({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    taskQueue: config.TEMPORAL_TASK_QUEUE,
    ...code,
    activities: {
      ...viewActivities,
      ...paymentActivities(context),
      ...refundActivities(context),
      ...payoutActivities(context, config.CODEC_KEYS),
      ...planActivities(context),
      ...subscriptionActivities(context),
      ...maintenanceActivities(context),
    },
    dataConverter: workerDataConverter(config.CODEC_KEYS),
    shutdownGraceTime: config.SHUTDOWN_GRACE_MS,
    // What was given up still writes its rows.
    shutdownForceTime: config.SHUTDOWN_GRACE_MS + 5_000,
    maxConcurrentLocalActivityExecutions: config.MAX_CONCURRENT_STEPS,
    maxConcurrentWorkflowTaskExecutions: config.MAX_CONCURRENT_STEPS,
    maxCachedWorkflows: 2_000,
  });
}

type WorkflowCode = Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'>;

/** The bundle made at build; else (tests, a run from source) the SDK bundles the workflows itself. */
function workflowCode(bundle: string | undefined): WorkflowCode {
  const isCompiled = import.meta.url.endsWith('.js');
  const built = bundle ?? fileURLToPath(new URL('../../../workflow-bundle.js', import.meta.url));
  if (existsSync(built)) return { workflowBundle: { codePath: built } };
  const entry = isCompiled ? 'index.js' : 'index.ts';
  return { workflowsPath: fileURLToPath(new URL(`../../../libs/workflows/src/${entry}`, import.meta.url)) };
}

/** What is scheduled makes up for what was missed; until it stands, payments go on without it. */
function keepSchedules(config: WorkerConfig, temporal: Client, retrying: Retrying): void {
  const taskQueue = config.TEMPORAL_TASK_QUEUE;
  for (const recurrence of recurrencesOf(config)) {
    const keep = async (): Promise<void> => {
      await retryUntil('keep schedules', () => ensureSchedule(temporal, taskQueue, recurrence), retrying);
      // Later on only where it is gone: workers of two versions would change it to and fro.
      for (;;) {
        await wait(recurrence.everyMs, undefined, { signal: retrying.signal });
        await retryUntil('keep schedules', () => restoreSchedule(temporal, taskQueue, recurrence), retrying);
      }
    };
    keep().catch(() => undefined);
  }
}

import type { WorkerDeploymentVersion } from '@temporalio/common';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { inject } from 'vitest';
import type { WorkerConfig } from '#worker/worker-config.js';
import { type RunningWorker, startWorker } from '#worker/worker.js';
import type { ProviderApplication } from '#configuration';
import type { CodecKeys } from '#payload-codec';
import type { WaitPolicy } from '#workflows/lifecycle';
import { temporalDeadlineMs } from './temporal.js';

// Each worker reports its start and its end, which would bury what failed.
Runtime.install({ logger: new DefaultLogger('ERROR') });

/** Quick enough for tests, and still in the order that production has: look, then poll, then give up. */
export const testWaitPolicy: WaitPolicy = {
  outcomeHorizonMs: 4_000,
  firstLookMs: 150,
  firstRetryMs: 150,
  firstPollMs: 1_000,
  longestPollMs: 4_000,
  maxAttempts: 8,
  reviewAfterMs: 240_000,
};

const rarelyReconciled = {
  RECONCILE_INTERVAL_MS: 60_000,
  RECONCILE_OVERLAP_MS: 120_000,
  RECONCILE_LOST_AFTER_MS: 60_000,
};

/** Node knows no longer timer than 24 days. */
const weeksMs = 21 * 86_400_000;
/** Where a doubt is to last until the test has seen it. */
const neverReconciled = {
  ...rarelyReconciled,
  RECONCILE_INTERVAL_MS: weeksMs,
  WEBHOOK_REPAIR_INTERVAL_MS: weeksMs,
};

const oftenReconciled = {
  RECONCILE_INTERVAL_MS: 1_000,
  RECONCILE_OVERLAP_MS: 3_000,
  RECONCILE_LOST_AFTER_MS: 2_000,
};

const reconciliation = { often: oftenReconciled, never: neverReconciled };

export interface TestWorkerOptions {
  readonly databaseUrl: string;
  readonly taskQueue: string;
  readonly application: ProviderApplication;
  readonly neighbours?: readonly ProviderApplication[];
  /** All that the worker makes at a time. */
  readonly steps?: number | undefined;
  readonly codecKeys: CodecKeys;
  readonly publicUrl: string;
  /** Default that of this test run. */
  readonly temporalAddress?: string | undefined;
  /** Path; default that of this test run. */
  readonly workflowBundle?: string | undefined;
  /** Ids of those that the worker does not begin. */
  readonly inactivePatches?: readonly string[] | undefined;
  /** Default: it belongs to no deployment of Temporal. */
  readonly version?: WorkerDeploymentVersion | undefined;
  /** For tests of it; elsewhere it would only take the machine's time. */
  readonly reconciles?: 'often' | 'never';
  /** Every second, for tests that await sweeps of the inbox; every minute by default, for the same reason. */
  readonly sweeps?: 'often' | undefined;
}

/** A real worker in this process, on a task queue of its own. */
export async function startTestWorker(options: TestWorkerOptions): Promise<RunningWorker> {
  return await startWorker(configOfWorker(options));
}

export function configOfWorker(options: TestWorkerOptions): WorkerConfig {
  return {
    DATABASE_URL: options.databaseUrl,
    TEMPORAL_ADDRESS: options.temporalAddress ?? inject('temporalAddress'),
    TEMPORAL_NAMESPACE: 'default',
    TEMPORAL_TASK_QUEUE: options.taskQueue,
    PROVIDER_APPLICATIONS: [options.application, ...(options.neighbours ?? [])],
    CODEC_KEYS: options.codecKeys,
    CODEC_UNBOUND_PAYLOADS: 'accept',
    CODEC_ENCODING: options.codecKeys.encoding ?? 'sealed/2',
    PUBLIC_URL: options.publicUrl,
    TEMPORAL_DEADLINE_MS: temporalDeadlineMs,
    METRICS_HOST: '127.0.0.1',
    WEBHOOK_SWEEP_INTERVAL_MS: options.sweeps ? 1_000 : 60_000,
    WEBHOOK_REPAIR_INTERVAL_MS: 300_000,
    ...(options.reconciles ? reconciliation[options.reconciles] : rarelyReconciled),
    OUTCOME_HORIZON_MS: testWaitPolicy.outcomeHorizonMs,
    HEALTH_PORT: 0,
    HEALTH_HOST: '127.0.0.1',
    WORKFLOW_BUNDLE: options.workflowBundle ?? inject('workflowBundle'),
    INACTIVE_PATCHES: options.inactivePatches && [...options.inactivePatches],
    TEMPORAL_DEPLOYMENT_NAME: options.version?.deploymentName,
    TEMPORAL_WORKER_BUILD_ID: options.version?.buildId,
    SHUTDOWN_GRACE_MS: 2_000,
    MAX_CONCURRENT_STEPS: options.steps ?? 50,
  };
}

import type { Client } from '@temporalio/client';
import { codecKeysOf, temporalSecurityOf } from '#configuration';
import { ChangeAnnouncer, openDatabase } from '#database/connection';
import { openTemporalClient, Runs } from '#runs';
import { EventDispatch } from '#webhook-inbox';
import { BlockedRuns } from './blocked-runs/blocked-runs.js';
import { replayBy } from './blocked-runs/replay.js';
import { temporalClientTraces } from '#observability';
import type { Telemetry } from './telemetry.js';
import { log } from './process/log.js';
import type { WorkflowCode } from './process/workflow-code.js';
import { ProviderClients } from './provider/provider-clients.js';
import { reconciliationOptionsOf } from './schedules.js';
import type { MaintenanceContext } from './steps/activities/context.js';
import type { WorkerConfig } from './worker-config.js';

export interface Maintenance {
  readonly context: MaintenanceContext;
  readonly temporal: Client;
  readonly close: () => Promise<void>;
}

/** Opens what the activities of one process need. Nothing is connected yet, so nothing fails here. */
export function openMaintenance(
  config: WorkerConfig,
  code: WorkflowCode,
  telemetry: Telemetry = {},
): Maintenance {
  const { metrics, tracing } = telemetry;
  const codecKeys = codecKeysOf(config);
  const db = openDatabase(config.DATABASE_URL, { poolSize: 20 });
  metrics?.work.watchPool(db);
  const changes = new ChangeAnnouncer(config.DATABASE_URL);
  const providers = new ProviderClients(config.PROVIDER_APPLICATIONS, log, telemetry);
  const temporal = openTemporalClient({
    address: config.TEMPORAL_ADDRESS,
    namespace: config.TEMPORAL_NAMESPACE,
    security: temporalSecurityOf(config),
    codecKeys,
    caller: 'worker',
    interceptors: tracing ? [temporalClientTraces(tracing)] : [],
  });
  const { TEMPORAL_TASK_QUEUE: taskQueue, TEMPORAL_DEADLINE_MS: deadlineMs } = config;
  const runs = new Runs(temporal, { taskQueue, deadlineMs, publicUrl: config.PUBLIC_URL });
  const context: MaintenanceContext = {
    db,
    changes,
    providers,
    runs,
    blockedRuns: new BlockedRuns(temporal, deadlineMs, replayBy(code, codecKeys)),
    dispatch: new EventDispatch(db, runs),
    reconciliation: reconciliationOptionsOf(config),
    applications: config.PROVIDER_APPLICATIONS,
    publicUrl: config.PUBLIC_URL,
    logger: log,
  };
  const close = async (): Promise<void> => {
    await temporal.connection.close();
    await providers.close();
    await changes.close();
    await db.destroy();
  };
  return { context, temporal, close };
}

import { Runtime } from '@temporalio/worker';
import { ConfigurationError, readEnvironment } from '#configuration';
import { SchemaTooOld } from '#database/connection';
import { nameOfError } from '#observability';
import { serveHealth } from './process/health.js';
import { log } from './process/log.js';
import { sdkLogger } from './process/sdk-logger.js';
import { findAddress, sdkMetricsAt } from './process/sdk-metrics.js';
import { type RunningWorker, startWorker } from './worker.js';
import { workerEnvironment } from './worker-config.js';

/** Drains on SIGTERM and SIGINT. Exits with a failure when it cannot poll, so that a supervisor restarts it. */
async function main(): Promise<void> {
  const config = readEnvironment(workerEnvironment, process.env);
  const sdkMetrics = config.WORKER_METRICS_PORT === undefined ? undefined : await findAddress();
  // We handle the signals: the SDK's own handlers would stop the worker without our shutdown.
  Runtime.install({
    shutdownSignals: [],
    logger: sdkLogger(log),
    telemetryOptions: {
      logging: { forward: {}, filter: { core: 'WARN', other: 'ERROR' } },
      ...(sdkMetrics !== undefined && { metrics: sdkMetricsAt(sdkMetrics) }),
    },
  });
  let worker: RunningWorker | undefined;
  const health = await serveHealth(config.HEALTH_HOST, config.HEALTH_PORT, async () => {
    return worker ? await worker.missing() : ['polling'];
  });
  const stop = () => {
    if (worker) void worker.close();
    else process.exit(0);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  worker = await startWorker(config, sdkMetrics);
  log.info({ taskQueue: config.TEMPORAL_TASK_QUEUE }, 'worker polls');
  await worker.finished;
  health.close();
  log.info('the worker has drained and ends');
}

main().catch((error: unknown) => {
  // Names only: a message may quote an address with a password in it.
  if (error instanceof ConfigurationError || error instanceof SchemaTooOld)
    process.stderr.write(`The worker cannot start. ${error.message}\n`);
  else log.fatal({ error: nameOfError(error) }, 'the worker cannot poll and ends: start it again');
  process.exit(1);
});

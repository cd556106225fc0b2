import { tracingOf } from '#configuration';
import { ProcessMetrics, type Tracing, openTracing } from '#observability';
import type { WorkerConfig } from './worker-config.js';

/** What watches the process; each is absent unless it is configured. */
export interface Telemetry {
  readonly metrics?: ProcessMetrics | undefined;
  readonly tracing?: Tracing | undefined;
}

/** @param sdkMetrics where Temporal's SDK serves its metrics. */
export async function openTelemetry(config: WorkerConfig, sdkMetrics?: string): Promise<Telemetry> {
  const { WORKER_METRICS_PORT: port, METRICS_HOST: host, DATABASE_URL: databaseUrl } = config;
  const owners = config.PROVIDER_APPLICATIONS;
  const tracing = await openTracing(tracingOf(config, 'worker'));
  return {
    metrics:
      port === undefined
        ? undefined
        : await ProcessMetrics.serve({ host, port, databaseUrl, owners, sdkMetrics }),
    tracing,
  };
}

export async function closeTelemetry({ metrics, tracing }: Telemetry): Promise<void> {
  await metrics?.close();
  await tracing?.close();
}

import { ProcessMetrics, openTracing } from '#observability';
import type { ApiConfig } from './injected/api-config.js';
import type { Telemetry } from './injected/telemetry.js';
import { requestNow } from './requests/caller-now.js';

/** Opens what is configured. */
export async function openTelemetry({
  metrics,
  tracing,
  databaseUrl,
  applications,
}: ApiConfig): Promise<Telemetry> {
  return {
    metrics: metrics && (await ProcessMetrics.serve({ ...metrics, databaseUrl, owners: applications })),
    tracing: tracing && (await openTracing(tracing)),
  };
}

export async function closeTelemetry({ metrics, tracing }: Telemetry): Promise<void> {
  await metrics?.close();
  await tracing?.close();
}

/** For a log line: the request that it is about, and its trace. */
export function whereFrom({ tracing }: Telemetry): object {
  const requestId = requestIdNow();
  const traceId = tracing?.traceId();
  return {
    ...(requestId !== undefined && { requestId }),
    ...(traceId !== undefined && { traceId }),
  };
}

/** Of the request that the current work is done for. */
export function requestIdNow(): string | undefined {
  const request = requestNow();
  return request && 'id' in request && typeof request.id === 'string' ? request.id : undefined;
}

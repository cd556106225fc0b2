import { ProcessMetrics, openTracing } from '#observability';
import type { ApiConfig } from './injected/api-config.js';
import type { Observation } from './injected/observation.js';
import { requestNow } from './requests/caller-now.js';

/** Opens what is configured. */
export async function observe({
  metrics,
  tracing,
  databaseUrl,
  applications,
}: ApiConfig): Promise<Observation> {
  return {
    metrics: metrics && (await ProcessMetrics.serve({ ...metrics, databaseUrl, owners: applications })),
    tracing: tracing && (await openTracing(tracing)),
  };
}

export async function stopObserving({ metrics, tracing }: Observation): Promise<void> {
  await metrics?.close();
  await tracing?.close();
}

/** For a log line: the request that it is about, and its trace. */
export function whereFrom({ tracing }: Observation): object {
  const request = requestNow();
  const requestId = request && 'id' in request ? request.id : undefined;
  const traceId = tracing?.traceId();
  return {
    ...(requestId !== undefined && { requestId }),
    ...(traceId !== undefined && { traceId }),
  };
}

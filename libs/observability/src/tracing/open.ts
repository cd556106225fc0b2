import type { Tracing, TracingSettings } from './trace.js';

/** @returns undefined without an endpoint: then OpenTelemetry is not even loaded. */
export async function openTracing(settings: TracingSettings): Promise<Tracing | undefined> {
  if (settings.endpoint === undefined) return undefined;
  const { OpenTelemetry } = await import('./open-telemetry.js');
  return new OpenTelemetry(settings);
}

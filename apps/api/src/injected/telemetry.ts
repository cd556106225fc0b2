import type { ProcessMetrics, Tracing } from '#observability';

/** What watches the process; each is absent unless it is configured. */
export interface Telemetry {
  readonly metrics?: ProcessMetrics | undefined;
  readonly tracing?: Tracing | undefined;
}

export const telemetry = Symbol('Telemetry');

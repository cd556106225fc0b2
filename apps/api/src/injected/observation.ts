import type { ProcessMetrics, Tracing } from '#observability';

/** What watches the process; each is absent unless it is configured. */
export interface Observation {
  readonly metrics?: ProcessMetrics | undefined;
  readonly tracing?: Tracing | undefined;
}

export const observation = Symbol('Observation');

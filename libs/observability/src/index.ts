export { ProcessMetrics } from './metrics/process-metrics.js';
export { openTracing } from './tracing/open.js';
export { causeOf, temporalActivityTraces, temporalClientTraces } from './tracing/temporal.js';
export type { Trace, Tracing, TracingSettings } from './tracing/trace.js';

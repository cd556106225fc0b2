export { ProcessMetrics } from './metrics/process-metrics.js';
export { nameOfError } from './name-of-error.js';
export { openTracing } from './tracing/open.js';
export { causeOf, temporalActivityTraces, temporalClientTraces } from './tracing/temporal.js';
export type { Trace, Tracing, TracingSettings } from './tracing/trace.js';

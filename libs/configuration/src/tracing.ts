import { z } from 'zod';

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

const collector = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' }).optional();

/** OpenTelemetry's standard variables, as far as we read them; its exporter reads more of them itself. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.describe(
    'Origin of an OpenTelemetry collector, such as `http://127.0.0.1:4318`: traces are sent there. Unset: there are none. `OTEL_EXPORTER_OTLP_HEADERS`, `…_TIMEOUT`, `…_COMPRESSION`, `…_CERTIFICATE` and `OTEL_RESOURCE_ATTRIBUTES` count as well',
  ),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.describe('The whole address for traces, if it is another'),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .literal('http/protobuf')
    .optional()
    .describe('`http/protobuf`, the only protocol that is spoken'),
  OTEL_SERVICE_NAME: z
    .string()
    .optional()
    .describe('Default: `payment-lifecycle-api`, `payment-lifecycle-worker`'),
  OTEL_TRACES_SAMPLER: z
    .enum(samplers)
    .optional()
    .describe('Which traces are recorded; default `parentbased_always_on`'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('The part of all traces, for the samplers by ratio; default 1'),
  OTEL_SDK_DISABLED: z.enum(['true', 'false']).optional().describe('`true`: no traces, whatever is set'),
} as const;

type TracingVariables = z.output<z.ZodObject<typeof tracingVariables>>;

/** @param process the default of the service's name ends with it. */
export function tracingOf(env: TracingVariables, process: 'api' | 'worker') {
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? env.OTEL_EXPORTER_OTLP_ENDPOINT;
  return {
    endpoint: env.OTEL_SDK_DISABLED === 'true' ? undefined : endpoint,
    serviceName: env.OTEL_SERVICE_NAME ?? `payment-lifecycle-${process}`,
    sampler: env.OTEL_TRACES_SAMPLER ?? ('parentbased_always_on' as const),
    ratio: env.OTEL_TRACES_SAMPLER_ARG ?? 1,
  };
}

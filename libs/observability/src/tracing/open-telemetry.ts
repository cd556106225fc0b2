import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Attributes, Carrier, Trace, TraceStart, Tracing, TracingSettings } from './trace.js';

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

const propagator = new W3CTraceContextPropagator();

/** Spans to an OTLP collector. The exporter reads address, headers and limits from the standard variables itself. */
export class OpenTelemetry implements Tracing {
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;

  constructor(settings: TracingSettings) {
    // One for all of a process, by AsyncLocalStorage; a second registration changes nothing.
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const named = resourceFromAttributes({ 'service.name': settings.serviceName });
    this.provider = new TracerProvider({
      // The variables have the last word.
      resource: defaultResource()
        .merge(named)
        .merge(detectResources({ detectors: [envDetector] })),
      sampler: samplerOf(settings),
      spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
    });
    this.tracer = this.provider.getTracer('payment-lifecycle-engine');
  }

  begin({ name, kind, attributes = {}, from, link }: TraceStart): Trace {
    const parent = from ? contextOf(from) : context.active();
    const linked = link && trace.getSpanContext(contextOf(link));
    const span = this.tracer.startSpan(
      name,
      { kind: kinds[kind], attributes: given(attributes), ...(linked && { links: [{ context: linked }] }) },
      parent,
    );
    return new OpenSpan(span, trace.setSpan(parent, span));
  }

  traceId(): string | undefined {
    return trace.getSpanContext(context.active())?.traceId;
  }

  async close(): Promise<void> {
    // A collector that is away must not fail the end of a process.
    await this.provider.shutdown().catch(() => undefined);
  }
}

class OpenSpan implements Trace {
  constructor(
    private readonly span: Span,
    private readonly own: Context,
  ) {}

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  within<Result>(work: () => Result): Result {
    return context.with(this.own, work);
  }

  headers(): Record<string, string> {
    const headers: Record<string, string> = {};
    propagator.inject(this.own, headers, defaultTextMapSetter);
    return headers;
  }

  end(attributes: Attributes = {}, failure?: string): void {
    this.span.setAttributes(given(attributes));
    if (failure !== undefined) {
      this.span.setAttribute('error.type', failure);
      this.span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.span.end();
  }
}

function contextOf(carrier: Carrier): Context {
  return propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);
}

function given(attributes: Attributes): Record<string, string | number> {
  const entries = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return Object.fromEntries(entries);
}

function samplerOf({ sampler, ratio }: TracingSettings): Sampler {
  const isByParent = sampler.startsWith('parentbased_');
  const root = rootSampler(sampler.replace('parentbased_', ''), ratio);
  return isByParent ? new ParentBasedSampler({ root }) : root;
}

function rootSampler(name: string, ratio: number): Sampler {
  if (name === 'always_off') return new AlwaysOffSampler();
  return name === 'traceidratio' ? new TraceIdRatioBasedSampler(ratio) : new AlwaysOnSampler();
}

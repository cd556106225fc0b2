/** `traceparent` and `tracestate`, among the headers of a request or message. */
export type Carrier = Readonly<Record<string, string | string[] | undefined>>;

export type Attributes = Readonly<Record<string, string | number | undefined>>;

export interface TraceStart {
  readonly name: string;
  /** Asked by others, asking others, sending a message, or taking one. */
  readonly kind: 'server' | 'client' | 'producer' | 'consumer';
  readonly attributes?: Attributes;
  /** Continues what is named there; default: the current trace. */
  readonly from?: Carrier;
  /** Another trace that led here. */
  readonly link?: Carrier | undefined;
}

/** A piece of work in a trace (a span of OpenTelemetry). */
export interface Trace {
  readonly traceId: string;
  /** What begins in `work` belongs to it. */
  within<Result>(work: () => Result): Result;
  /** With them the other side continues the trace. */
  headers(): Record<string, string>;
  /** @param failure a short name, never a message: it could quote anything. */
  end(attributes?: Attributes, failure?: string): void;
}

export interface Tracing {
  begin(start: TraceStart): Trace;
  /** Of the current work. */
  traceId(): string | undefined;
  /** Exports what has ended. */
  close(): Promise<void>;
}

export interface TracingSettings {
  /** Where OpenTelemetry's exporter reads its own settings as well. */
  readonly endpoint: string | undefined;
  readonly serviceName: string;
  /** As `OTEL_TRACES_SAMPLER` names it. */
  readonly sampler: string;
  /** The part of all traces, for the samplers by ratio. */
  readonly ratio: number;
}

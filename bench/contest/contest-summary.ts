import type { DatabaseWork } from './database-work.js';
import { residents } from '../harness/resident-memory.js';
import { type LatencyFields, latencyFields } from './latencies.js';
import { type Figures, processorSums } from './measurements.js';
import type { Results } from './results.js';
import { measured, measuredRatio, rounded, type Measured } from '../harness/statistics.js';

/** What the bench is run for; each with its spread over the rounds. */
export interface Summary {
  /** Lifecycles per second at 50 in flight, ours over naive's. */
  readonly throughputVsNaive: Measured;
  readonly throughputVsNaiveOverHttp: Measured;
  /** A lifecycle alone beyond the provider's own time, naive's over ours. */
  readonly overheadVsNaive: Measured;
  readonly overheadVsNaiveOverHttp: Measured;
  readonly throughputVsFloor: Measured;
  readonly throughputVsUpdates: Measured;
  /** Over HTTP both. */
  readonly overHttpVsDbos: Measured;
  readonly overHttpVsOurs: Measured;
  /**
   * Processor time of all parts but the driver per lifecycle, naive's over ours: which decides the throughput if no
   * core is free.
   */
  readonly processorVsNaive?: Measured;
  readonly processorVsFloor?: Measured;
  readonly processorVsUpdates?: Measured;
  readonly overHttpProcessorVsDbos?: Measured;
  /** What a lifecycle of ours costs the engine's PostgreSQL. */
  readonly statementsPerLifecycle: Measured;
  /** The same figure: each statement waits for its answer. */
  readonly roundTripsPerLifecycle: Measured;
  readonly commitsPerLifecycle: Measured;
  readonly walBytesPerLifecycle: Measured;
  /** Memory of API and worker. */
  readonly residentMiB: Readonly<Record<string, Readonly<Record<string, Measured>>>>;
  /** p50, p95 and p99 of a lifecycle over HTTP and of its calls, of all rounds together. */
  readonly latencyMs: LatencyFields;
  readonly historyEvents: Measured;
  readonly historyBytes: Measured;
  /** POST /v1/payments over the provider's create call plus one bare update-with-start. */
  readonly createOverhead: Measured;
  /** CPU of a call, undici's over ours. */
  readonly clientCpuVsUndici: Measured;
  readonly clientCpuVsPaypalRestSdk: Measured;
}

export function summarize({ figures, histories, clientCpu }: Results): Summary {
  const { throughput, alone, providerAlone } = figures;
  const processor = (name: keyof typeof alone) => processorSums(figures, name);
  const work = (of: keyof DatabaseWork) => measured(figures.databaseWork.ours.map((each) => each[of]));
  const beyondProvider = (name: keyof typeof alone): number[] =>
    alone[name].map((ms, round) => ms - (providerAlone[round] ?? Number.NaN));
  return {
    throughputVsNaive: rounded(measuredRatio(throughput.ours, throughput.naive)),
    throughputVsNaiveOverHttp: rounded(measuredRatio(throughput.oursOverHttp, throughput.naive)),
    overheadVsNaive: rounded(measuredRatio(beyondProvider('naive'), beyondProvider('ours'))),
    overheadVsNaiveOverHttp: rounded(measuredRatio(beyondProvider('naive'), beyondProvider('oursOverHttp'))),
    throughputVsFloor: rounded(measuredRatio(throughput.ours, throughput.floor)),
    throughputVsUpdates: rounded(measuredRatio(throughput.ours, throughput.updates)),
    overHttpVsDbos: rounded(measuredRatio(throughput.oursOverHttp, throughput.dbos)),
    overHttpVsOurs: rounded(measuredRatio(throughput.oursOverHttp, throughput.ours)),
    ...(processor('ours').length > 0 && {
      processorVsNaive: rounded(measuredRatio(processor('naive'), processor('ours'))),
      processorVsFloor: rounded(measuredRatio(processor('floor'), processor('ours'))),
      processorVsUpdates: rounded(measuredRatio(processor('updates'), processor('ours'))),
      overHttpProcessorVsDbos: rounded(measuredRatio(processor('dbos'), processor('oursOverHttp'))),
    }),
    statementsPerLifecycle: rounded(work('statements'), 1),
    roundTripsPerLifecycle: rounded(work('statements'), 1),
    commitsPerLifecycle: rounded(work('commits'), 1),
    walBytesPerLifecycle: rounded(work('walBytes'), 0),
    residentMiB: memory(figures),
    latencyMs: latencyFields(figures.callTimes),
    historyEvents: measured(histories.ours.events),
    historyBytes: measured(histories.ours.bytes),
    createOverhead: rounded(measuredRatio(figures.order, figures.bareOrder)),
    clientCpuVsUndici: rounded(measuredRatio(clientCpu.undici, clientCpu.ours)),
    clientCpuVsPaypalRestSdk: rounded(measuredRatio(clientCpu.paypalRestSdk, clientCpu.ours)),
  };
}

function memory({ residentMiB: { idle, inFlight } }: Figures): Summary['residentMiB'] {
  if (idle.length === 0 || inFlight.length === 0) return {};
  const of = (found: typeof idle) =>
    Object.fromEntries(
      residents.map((name) => [name, rounded(measured(found.map((each) => each[name])), 0)]),
    );
  return { idle: of(idle), inFlight: of(inFlight) };
}

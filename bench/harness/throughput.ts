import type { Arena } from './arena.js';
import type { Contender } from './contender.js';
import { carryThrough } from './lifecycle.js';
import type { Plan } from './plan.js';

export interface Throughput {
  /** Lifecycles per second in the steady state. */
  readonly perSecond: number;
  /** Processor time of all parts per lifecycle, in milliseconds; undefined where the system does not tell. */
  readonly processorMs: number | undefined;
  /** Lifecycles that came to nothing, by what the contender said of each. */
  readonly failures: readonly string[];
}

/**
 * Keeps `inFlight` lifecycles on their way and takes the time of `crowd` of them. The clock starts once as many as are
 * in flight have ended, so neither the start, when all are at their beginning, nor the end, when they run out, is part
 * of the figure.
 */
export async function measureThroughput(
  contender: Contender,
  { payer, processorMs }: Pick<Arena, 'payer' | 'processorMs'>,
  { inFlight, crowd, crowdPatienceMs }: Plan,
  signal: AbortSignal,
): Promise<Throughput> {
  const failures: string[] = [];
  const before = processorMs();
  let begun = 0;
  const endedAt: number[] = [];
  const gaveUpAt = performance.now() + crowdPatienceMs;
  const isEnough = (): boolean =>
    endedAt.length > inFlight + crowd || performance.now() > gaveUpAt || signal.aborted;
  const carryOn = async (): Promise<void> => {
    while (!isEnough()) {
      begun += 1;
      try {
        await carryThrough(contender, payer);
        if (!isEnough()) endedAt.push(performance.now());
      } catch (error) {
        failures.push(describe(error));
      }
    }
  };
  await Promise.all(Array.from({ length: inFlight }, carryOn));
  const used = (processorMs() ?? Number.NaN) - (before ?? Number.NaN);
  return {
    perSecond: steadyRate(endedAt, inFlight),
    processorMs: Number.isNaN(used) ? undefined : used / begun,
    failures,
  };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message} (${describe(error.cause)})`;
}

/** @param endedAt in milliseconds, ascending */
function steadyRate(endedAt: readonly number[], skipped: number): number {
  const first = endedAt[skipped] ?? endedAt[0];
  const last = endedAt.at(-1);
  if (first === undefined || last === undefined || first === last) return 0;
  return ((endedAt.length - 1 - Math.max(0, endedAt.indexOf(first))) / (last - first)) * 1_000;
}

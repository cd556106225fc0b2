import type { Contender } from './contender.js';
import { carryThrough } from './lifecycle.js';
import type { Payer } from './payer.js';
import type { Plan } from './plan.js';

export interface Throughput {
  /** Lifecycles per second in the steady state. */
  readonly perSecond: number;
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
  payer: Payer,
  { inFlight, crowd, crowdPatienceMs }: Plan,
  signal: AbortSignal,
): Promise<Throughput> {
  const failures: string[] = [];
  const endedAt: number[] = [];
  const gaveUpAt = performance.now() + crowdPatienceMs;
  const isEnough = (): boolean =>
    endedAt.length > inFlight + crowd || performance.now() > gaveUpAt || signal.aborted;
  const carryOn = async (): Promise<void> => {
    while (!isEnough()) {
      try {
        await carryThrough(contender, payer);
        if (!isEnough()) endedAt.push(performance.now());
      } catch (error) {
        failures.push(error instanceof Error ? error.message : String(error));
      }
    }
  };
  await Promise.all(Array.from({ length: inFlight }, carryOn));
  return { perSecond: steadyRate(endedAt, inFlight), failures };
}

/** @param endedAt in milliseconds, ascending */
function steadyRate(endedAt: readonly number[], skipped: number): number {
  const first = endedAt[skipped] ?? endedAt[0];
  const last = endedAt.at(-1);
  if (first === undefined || last === undefined || first === last) return 0;
  return ((endedAt.length - 1 - Math.max(0, endedAt.indexOf(first))) / (last - first)) * 1_000;
}

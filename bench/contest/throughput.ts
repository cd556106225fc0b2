import type { Arena } from './arena.js';
import type { DatabaseWork } from './database-work.js';
import { type ResidentMiB, residents } from '../harness/resident-memory.js';
import type { Part } from './instruments.js';
import type { Contender } from '../harness/contender.js';
import { carryThrough } from '../harness/lifecycle.js';
import type { Plan } from '../harness/plan.js';

export interface Throughput {
  /** Lifecycles per second in the steady state. */
  readonly perSecond: number;
  /** Processor time of each part per lifecycle, in milliseconds; undefined where the system does not tell. */
  readonly processorMs: Readonly<Record<Part, number>> | undefined;
  /** What the engine's PostgreSQL did per lifecycle. */
  readonly databaseWork: DatabaseWork;
  /** The most that API and worker held in memory; undefined where the system does not tell. */
  readonly residentMiB: ResidentMiB | undefined;
  /** The failures, in the contender's words. */
  readonly failures: readonly string[];
}

/**
 * Keeps `inFlight` lifecycles running and measures `crowd` of them. The clock starts when `inFlight` of them have
 * ended, so the figure includes neither the start nor the end of the load.
 */
export async function measureThroughput(
  contender: Contender,
  { payer, instruments }: Pick<Arena, 'payer' | 'instruments'>,
  { inFlight, crowd, crowdTimeoutMs }: Plan,
  signal: AbortSignal,
): Promise<Throughput> {
  const failures: string[] = [];
  const workBefore = await instruments.databaseWork(contender.name);
  const before = instruments.processorMs(contender.name);
  let resident = instruments.residentMiB();
  let begun = 0;
  const endedAt: number[] = [];
  const gaveUpAt = performance.now() + crowdTimeoutMs;
  const isDone = (): boolean =>
    endedAt.length > inFlight + crowd || performance.now() > gaveUpAt || signal.aborted;
  const carryOn = async (): Promise<void> => {
    while (!isDone()) {
      begun += 1;
      try {
        await carryThrough(contender, payer);
        if (!isDone()) endedAt.push(performance.now());
        resident = mostOf(resident, instruments.residentMiB());
      } catch (error) {
        failures.push(describe(error));
      }
    }
  };
  await Promise.all(Array.from({ length: inFlight }, carryOn));
  const used = instruments.processorMs(contender.name);
  return {
    perSecond: steadyRate(endedAt, inFlight),
    processorMs: used && before && each(used, before, begun),
    databaseWork: each(await instruments.databaseWork(contender.name), workBefore, begun),
    residentMiB: resident,
    failures,
  };
}

/** @returns how much each count has grown, for each lifecycle. */
function each<Counts extends { readonly [name in keyof Counts]: number }>(
  after: Counts,
  before: Counts,
  lifecycles: number,
): Counts {
  const names = Object.keys(after) as (keyof Counts)[];
  return Object.fromEntries(names.map((name) => [name, (after[name] - before[name]) / lifecycles])) as Counts;
}

function mostOf(one: ResidentMiB | undefined, other: ResidentMiB | undefined): ResidentMiB | undefined {
  if (!one || !other) return one ?? other;
  const most = residents.map((name) => [name, Math.max(one[name], other[name])]);
  return Object.fromEntries(most) as ResidentMiB;
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

import { carryThrough } from '../harness/lifecycle.js';
import { type ResidentMiB, residentMiB } from '../harness/resident-memory.js';
import { median } from '../harness/statistics.js';
import { until } from '../harness/until.js';
import { paymentIdOf, type BenchStack } from './bench-stack.js';
import { copyPayment } from './copied-payments.js';
import { startRuns } from './open-payments.js';
import type { WebhookPlan } from './plan.js';

export interface OpenRunFigures {
  /** p50 of a lifecycle over HTTP beside few open runs and beside many, in milliseconds, one figure per round. */
  readonly few: number[];
  readonly many: number[];
  /** What API and worker hold in memory after these lifecycles; undefined where the system does not tell. */
  readonly residentMiB: Readonly<Record<'few' | 'many', ResidentMiB | undefined>>;
  /** Runs that were open, as Temporal counts them. */
  readonly openRuns: number;
  /** Seconds that it took to make the many. */
  readonly madeInSeconds: number;
}

/** Lifecycles on either side before the first one that counts. */
const warmUp = 10;

/** Alternates lifecycles between two systems, so that disturbances affect both. */
export async function measureOpenRuns(
  few: BenchStack,
  many: BenchStack,
  plan: WebhookPlan,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<OpenRunFigures> {
  await openRuns(few, plan.fewOpenRuns, plan.openRunsTimeoutMs);
  const startedAt = performance.now();
  const open = await openRuns(many, plan.manyOpenRuns, plan.openRunsTimeoutMs);
  const madeInSeconds = Math.round((performance.now() - startedAt) / 1_000);
  report(`${open} runs are open, made in ${madeInSeconds} s`);
  await duel(few, many, warmUp);
  const figures: Pick<OpenRunFigures, 'few' | 'many'> = { few: [], many: [] };
  for (let round = 0; round < plan.rounds; round += 1) {
    signal.throwIfAborted();
    const [beside, besideMany] = await duel(few, many, plan.lifecycles);
    figures.few.push(median(beside));
    figures.many.push(median(besideMany));
  }
  const { count } = await many.bareTemporal.workflow.count(`ExecutionStatus = 'Running'`);
  const resident = { few: residentMiB(few.stack), many: residentMiB(many.stack) };
  return { ...figures, residentMiB: resident, openRuns: count, madeInSeconds };
}

async function duel(few: BenchStack, many: BenchStack, times: number): Promise<[number[], number[]]> {
  const taken: [number[], number[]] = [[], []];
  for (let time = 0; time < times; time += 1) {
    for (const [side, { engine, payer }] of [few, many].entries()) {
      taken[side]?.push((await carryThrough(engine, payer)).ms);
    }
  }
  return taken;
}

/**
 * Payments that wait for their payer: one is ordered, the others are copies of its rows. Each has its run, which the
 * worker has brought to where the payment stands and left with its timer set.
 *
 * @returns how many there are; fewer than wanted where the time was too short.
 */
async function openRuns(bench: BenchStack, count: number, withinMs: number): Promise<number> {
  const { engine, stack, config, db } = bench;
  const { workflowId } = await engine.order();
  const database = stack.addresses.engineDatabase;
  const copying = { from: database, to: database, application: workflowId.split('/')[2] ?? '' };
  const copies = await copyPayment(copying, paymentIdOf(workflowId), count - 1);
  const wanted = copies.map(({ id }) => id);
  const ids = await startRuns(db, bench.runsOn(config.temporal.taskQueue), wanted, withinMs);
  const prefix = workflowId.slice(0, workflowId.lastIndexOf('/') + 1);
  const sample = sampleOf(ids).map((id) => prefix + id);
  await until(() => areAttended(bench, sample), 500);
  return ids.length + 1;
}

/** The newest, for workers take them in order, and some of all. */
function sampleOf(ids: readonly string[]): string[] {
  const everyNth = Math.ceil(ids.length / 100);
  return ids.filter((_, n) => n % everyNth === 0 || n >= ids.length - 100);
}

/** Started, scheduled, begun, completed, timer started. */
const eventsOfAttendedRun = 5;

async function areAttended({ bareTemporal }: BenchStack, workflowIds: readonly string[]): Promise<boolean> {
  for (const workflowId of workflowIds.toReversed()) {
    const { historyLength } = await bareTemporal.workflow.getHandle(workflowId).describe();
    if (historyLength < eventsOfAttendedRun) return false;
  }
  return true;
}

import type { Arena } from './arena.js';
import type { ContenderName } from '../harness/contender.js';
import type { DatabaseWork } from './database-work.js';
import type { ResidentMiB } from '../harness/resident-memory.js';
import { type Part, parts } from './instruments.js';
import { startAndAsk } from '../floor/floor-contender.js';
import { type CallTimes, loads, measureOpenLoad, timedLifecycle } from './open-load.js';
import { callDirectly, carryThrough, createDirectly } from '../harness/lifecycle.js';
import type { Plan } from '../harness/plan.js';
import { median } from '../harness/statistics.js';
import { measureThroughput } from './throughput.js';

type ByContender = Record<ContenderName, number[]>;

/** One figure per round each. */
export interface Figures {
  /** Lifecycles per second, `inFlight` at a time. */
  readonly throughput: ByContender;
  /** Processor time of each part per such lifecycle, in milliseconds; empty where the system does not show it. */
  readonly processorMs: Record<ContenderName, Readonly<Record<Part, number>>[]>;
  /** What the engine's PostgreSQL did per such lifecycle. */
  readonly databaseWork: Record<ContenderName, DatabaseWork[]>;
  /** Memory of API and worker before the first lifecycle, and with `inFlight` lifecycles over HTTP; empty as above. */
  readonly residentMiB: Readonly<Record<'idle' | 'inFlight', ResidentMiB[]>>;
  /** Lifecycles that failed during the measurement. */
  readonly failures: ByContender;
  /** p50 of a lifecycle alone, in milliseconds. */
  readonly alone: ByContender;
  /** p50 of the provider's own time in such a lifecycle, in milliseconds. */
  readonly providerAlone: number[];
  /** p50 of POST /v1/payments, in milliseconds. */
  readonly order: number[];
  /** p50 of the provider's create call plus p50 of one bare update-with-start, in milliseconds. */
  readonly bareOrder: number[];
  /** Of lifecycles over HTTP one after the other, and of those that come whether earlier ones are answered or not. */
  readonly callTimes: Readonly<Record<Load, (readonly CallTimes[])[]>>;
  /** Ids of runs that have ended, for their histories. */
  readonly workflowIds: Readonly<Record<ContenderName, string[]>>;
}

/** How many lifecycles are on their way: one, or a share of the capacity. */
export type Load = 'alone' | keyof typeof loads;

interface Run {
  readonly arena: Arena;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Plays all rounds. Within a round the contenders take turns, and each round another one begins. */
export async function measure(run: Run, plan: Plan): Promise<Figures> {
  const idle = run.arena.instruments.residentMiB();
  run.report('warming up …');
  await playRound(run, { ...plan, ...plan.warmUp }, emptyFigures(), 0);
  const figures = emptyFigures();
  if (idle) figures.residentMiB.idle.push(idle);
  for (let round = 0; round < plan.rounds; round += 1) {
    await playRound(run, plan, figures, round);
    run.report(`round ${round + 1} of ${plan.rounds}: ${describeRound(figures)}`);
  }
  return figures;
}

async function playRound(run: Run, plan: Plan, figures: Figures, round: number): Promise<void> {
  await measureCrowds(run, plan, figures, round);
  await measureAlone(run, plan, figures, round);
  await measureCalls(run, plan, figures);
  await measureOrders(run, plan, figures);
}

async function measureCrowds({ arena, report, signal }: Run, plan: Plan, figures: Figures, round: number) {
  for (const contender of contendersOf(arena, round)) {
    signal.throwIfAborted();
    const measured = await measureThroughput(contender, arena, plan, signal);
    const { perSecond, processorMs, databaseWork, residentMiB, failures } = measured;
    figures.throughput[contender.name].push(perSecond);
    figures.databaseWork[contender.name].push(databaseWork);
    if (processorMs !== undefined) figures.processorMs[contender.name].push(processorMs);
    if (residentMiB !== undefined && contender.name === 'oursOverHttp')
      figures.residentMiB.inFlight.push(residentMiB);
    figures.failures[contender.name].push(failures.length);
    if (failures.length > 0) report(`${contender.name} failed ${failures.length} times: ${failures[0]}`);
  }
}

async function measureAlone({ arena, signal }: Run, plan: Plan, figures: Figures, round: number) {
  figures.providerAlone.push(await p50(plan.alone, () => callDirectly(arena.provider, arena.payer)));
  for (const contender of contendersOf(arena, round)) {
    signal.throwIfAborted();
    const once = async (): Promise<number> => {
      const { ms, workflowId } = await carryThrough(contender, arena.payer);
      figures.workflowIds[contender.name].push(workflowId);
      return ms;
    };
    figures.alone[contender.name].push(await p50(plan.alone, once));
  }
}

/** The share of a load is that of what this round's crowd managed. */
async function measureCalls({ arena, report, signal }: Run, plan: Plan, figures: Figures): Promise<void> {
  const { payer, contenders } = arena;
  const contender = contenders.oursOverHttp;
  const alone: CallTimes[] = [];
  for (let time = 0; time < plan.alone; time += 1)
    alone.push(await timedLifecycle(contender, payer, performance.now()));
  figures.callTimes.alone.push(alone);
  const capacity = figures.throughput.oursOverHttp.at(-1) ?? 0;
  for (const load of Object.keys(loads) as (keyof typeof loads)[]) {
    const arrivals = { perSecond: capacity * loads[load], forMs: plan.openLoadMs };
    const { times, failures } = await measureOpenLoad(contender, payer, arrivals, signal);
    figures.callTimes[load].push(times);
    if (failures > 0) report(`${failures} lifecycles failed under an open load`);
  }
}

async function measureOrders({ arena, signal }: Run, { orders }: Plan, figures: Figures) {
  signal.throwIfAborted();
  figures.order.push(await timed(orders, () => arena.contenders.oursOverHttp.order()));
  const create = await timed(orders, () => createDirectly(arena.provider));
  figures.bareOrder.push(create + (await timed(orders, () => startAndAsk(arena.temporal))));
}

/** Processor time of all parts but the driver per lifecycle, round by round. */
export function processorSums({ processorMs }: Figures, name: ContenderName): number[] {
  return processorMs[name].map((used) =>
    parts.reduce((sum, part) => sum + (part === 'driver' ? 0 : used[part]), 0),
  );
}

function contendersOf({ contenders }: Arena, round: number) {
  return rotated(Object.values(contenders), round);
}

async function p50(times: number, once: () => Promise<number>): Promise<number> {
  const all: number[] = [];
  for (let time = 0; time < times; time += 1) all.push(await once());
  return median(all);
}

function timed(times: number, work: () => Promise<unknown>): Promise<number> {
  return p50(times, async () => {
    const startedAt = performance.now();
    await work();
    return performance.now() - startedAt;
  });
}

function rotated<T>(list: readonly T[], by: number): T[] {
  const first = by % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
}

function emptyFigures(): Figures {
  return {
    throughput: forEach<number>(),
    processorMs: forEach<Readonly<Record<Part, number>>>(),
    databaseWork: forEach<DatabaseWork>(),
    residentMiB: { idle: [], inFlight: [] },
    failures: forEach<number>(),
    alone: forEach<number>(),
    providerAlone: [],
    order: [],
    bareOrder: [],
    callTimes: { alone: [], half: [], fourFifths: [] },
    workflowIds: forEach<string>(),
  };
}

function forEach<T>(): Record<ContenderName, T[]> {
  return { ours: [], oursOverHttp: [], naive: [], updates: [], dbos: [], floor: [] };
}

function describeRound({ throughput, alone }: Figures): string {
  return (Object.keys(throughput) as ContenderName[])
    .map((name) => {
      const perSecond = throughput[name].at(-1)?.toFixed(1);
      return `${name} ${perSecond}/s, ${alone[name].at(-1)?.toFixed(0)} ms`;
    })
    .join('; ');
}

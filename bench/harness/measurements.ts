import type { Arena } from './arena.js';
import type { Contender, ContenderName } from './contender.js';
import { startAndAsk } from '../floor/floor-contender.js';
import { callDirectly, carryThrough, createDirectly } from './lifecycle.js';
import type { Plan } from './plan.js';
import { median } from './statistics.js';

type ByContender = Record<ContenderName, number[]>;

/** One figure per round each. */
export interface Figures {
  /** Lifecycles per second, `inFlight` at a time. */
  readonly throughput: ByContender;
  /** p50 of a lifecycle alone, in milliseconds. */
  readonly alone: ByContender;
  /** p50 of the provider's own time in such a lifecycle, in milliseconds. */
  readonly providerAlone: number[];
  /** p50 of POST /v1/payments, in milliseconds. */
  readonly order: number[];
  /** p50 of the provider's create call plus p50 of one bare update-with-start, in milliseconds. */
  readonly bareOrder: number[];
  /** Ids of runs that have ended, for their histories. */
  readonly workflowIds: Readonly<Record<ContenderName, string[]>>;
}

/** Plays all rounds. Within a round the contenders take turns, and each round another one begins. */
export async function measure(
  arena: Arena,
  plan: Plan,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<Figures> {
  report('warming up …');
  await playRound(arena, { ...plan, crowd: plan.inFlight * 2, alone: 3, orders: 3 }, emptyFigures(), 0);
  const figures = emptyFigures();
  for (let round = 0; round < plan.rounds; round += 1) {
    signal.throwIfAborted();
    await playRound(arena, plan, figures, round);
    report(`round ${round + 1} of ${plan.rounds}: ${describeRound(figures)}`);
  }
  return figures;
}

async function playRound(arena: Arena, plan: Plan, figures: Figures, round: number): Promise<void> {
  const { ours, oursOverHttp, naive, floor } = arena;
  for (const contender of rotated([ours, naive, floor, oursOverHttp], round)) {
    figures.throughput[contender.name].push(await measureThroughput(contender, arena, plan));
  }
  figures.providerAlone.push(await p50(plan.alone, () => callDirectly(arena.provider, arena.payer)));
  for (const contender of rotated([ours, naive, floor, oursOverHttp], round)) {
    figures.alone[contender.name].push(
      await p50(plan.alone, async () => {
        const { ms, workflowId } = await carryThrough(contender, arena.payer);
        figures.workflowIds[contender.name].push(workflowId);
        return ms;
      }),
    );
  }
  figures.order.push(await timed(plan.orders, () => oursOverHttp.order()));
  const create = await timed(plan.orders, () => createDirectly(arena.provider));
  figures.bareOrder.push(create + (await timed(plan.orders, () => startAndAsk(arena.temporal))));
}

async function measureThroughput(
  contender: Contender,
  { payer }: Arena,
  { crowd, inFlight }: Plan,
): Promise<number> {
  const startedAt = performance.now();
  let begun = 0;
  const lanes = Array.from({ length: inFlight }, async () => {
    while (begun++ < crowd) await carryThrough(contender, payer);
  });
  await Promise.all(lanes);
  return (crowd / (performance.now() - startedAt)) * 1_000;
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
    alone: forEach<number>(),
    providerAlone: [],
    order: [],
    bareOrder: [],
    workflowIds: forEach<string>(),
  };
}

function forEach<T>(): Record<ContenderName, T[]> {
  return { ours: [], oursOverHttp: [], naive: [], floor: [] };
}

function describeRound({ throughput, alone }: Figures): string {
  return (Object.keys(throughput) as ContenderName[])
    .map((name) => {
      const perSecond = throughput[name].at(-1)?.toFixed(1);
      return `${name} ${perSecond}/s, ${alone[name].at(-1)?.toFixed(0)} ms`;
    })
    .join('; ');
}

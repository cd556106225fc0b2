import type { BenchOptions } from '../harness/fresh-stack.js';
import type { Plans } from '../harness/plan.js';
import { type Measured, measuredRatio, percentile, rounded } from '../harness/statistics.js';
import { row, show } from '../harness/table.js';
import { openVolumeArena, type Side, type Volume, type VolumeArena } from './volume-arena.js';

export interface VolumePlan extends Volume {
  readonly rounds: number;
  /** Requests per route, round and side. */
  readonly requests: number;
  /** Requests of each route on either side before the first one that counts. */
  readonly warmUp: number;
}

const full: VolumePlan = { fewRows: 1_000, manyRows: 1_000_000, rounds: 5, requests: 40, warmUp: 15 };
const quick: VolumePlan = { ...full, manyRows: 50_000, rounds: 3 };

/** A million rows take minutes to make: beside the engine's figures a part of them must do. */
export const volumePlans: Plans<VolumePlan> = {
  full,
  quick,
  besideOthers: quick,
  brief: { ...quick, rounds: 2, requests: 4, warmUp: 1 },
};

/** p95 in milliseconds of each round, by route. */
export interface VolumeFigures {
  readonly plan: VolumePlan;
  readonly routes: Readonly<Record<string, { readonly few: number[]; readonly many: number[] }>>;
}

/** Each list, search and first screen with few rows and with many, in turns. */
export async function measureVolume(plan: VolumePlan, options: BenchOptions): Promise<VolumeFigures> {
  const arena = await openVolumeArena(plan, options);
  try {
    const routes: Record<string, { few: number[]; many: number[] }> = {};
    for (const name of Object.keys(arena.few.routes)) {
      routes[name] = { few: [], many: [] };
      await duel(arena, name, plan.warmUp);
    }
    for (let round = 0; round < plan.rounds; round += 1) {
      for (const [name, { few, many }] of Object.entries(routes)) {
        options.signal.throwIfAborted();
        const taken = await duel(arena, name, plan.requests);
        few.push(percentile(taken.few, 0.95));
        many.push(percentile(taken.many, 0.95));
      }
      options.report(`volume: round ${round + 1} of ${plan.rounds}`);
    }
    return { plan, routes };
  } finally {
    await arena.close();
  }
}

/** Alternates requests between both sides, so that disturbances affect both. */
async function duel(
  arena: VolumeArena,
  name: string,
  times: number,
): Promise<{ few: number[]; many: number[] }> {
  const taken = { few: [] as number[], many: [] as number[] };
  for (let time = 0; time < times; time += 1) {
    taken.few.push(await send(arena.few, name));
    taken.many.push(await send(arena.many, name));
  }
  return taken;
}

async function send({ routes, latency }: Side, name: string): Promise<number> {
  const route = routes[name];
  if (!route) throw new Error(`no route ${name}`);
  return await latency(route);
}

/** The largest growth of a p95, the route that has it, and how many rows that was measured with. */
export function summarizeVolume({ plan: { fewRows, manyRows }, routes }: VolumeFigures): object {
  const [worst, ...others] = growthOf(routes);
  if (!worst) throw new RangeError('no route was measured');
  return {
    [`listP95GrowthTo${shortNumber(manyRows)}`]: worst.growth.value,
    listP95GrowthSpread: worst.growth.spread,
    listP95GrowthRoute: worst.name,
    listP95GrowthOverGoal: [worst, ...others]
      .filter(({ growth }) => growth.value > goal)
      .map(({ name, growth }) => `${name}: ${growth.value}`),
    listRows: [fewRows, manyRows],
  };
}

const goal = 1.5;
const nameWidth = 40;

/** Largest growth first. */
export function volumeLines({ plan: { fewRows, manyRows }, routes }: VolumeFigures): string[] {
  return [
    row('route'.padEnd(nameWidth), `p95, ${fewRows} rows`, `p95, ${manyRows} rows`, 'growth'),
    ...growthOf(routes).map(({ name, growth }) => {
      const { few = [], many = [] } = routes[name] ?? {};
      return row(
        name.padEnd(nameWidth),
        show(few, 1),
        show(many, 1),
        `${growth.value} (${growth.spread.join(' – ')})`,
      );
    }),
  ];
}

function growthOf(routes: VolumeFigures['routes']): { readonly name: string; readonly growth: Measured }[] {
  return Object.entries(routes)
    .map(([name, { few, many }]) => ({ name, growth: rounded(measuredRatio(many, few)) }))
    .toSorted((one, other) => other.growth.value - one.growth.value);
}

function shortNumber(count: number): string {
  return count >= 1_000_000 ? `${count / 1_000_000}M` : `${count / 1_000}k`;
}

import { availableParallelism } from 'node:os';
import { openInstruments, type Instruments } from '../contest/instruments.js';
import { measureThroughput, type Throughput } from '../contest/throughput.js';
import { openEngineOverHttp } from '../engine/http-contender.js';
import { countingSettings } from '../contest/database-work.js';
import { freshFolder } from '../harness/fresh-folder.js';
import { type BenchOptions, openOnFreshStack, waitSettings } from '../harness/fresh-stack.js';
import { Payer } from '../harness/payer.js';
import type { Plan } from '../harness/plan.js';
import type { Stack } from '#tools/stack.js';
import { hold } from './hold.js';
import { mostProcesses, type ScalePlan, type Size } from './plan.js';

/** One size of the system under one kind of load, a figure for each round. */
export interface SizeFigures extends Size {
  /** The kind of process that may run only for a share of the time. */
  readonly held?: 'worker' | 'api';
  readonly perRound: readonly Throughput[];
}

interface Scene {
  readonly stack: Stack;
  readonly payer: Payer;
  readonly instruments: Instruments;
  readonly options: BenchOptions;
}

/** Throughput over HTTP with several workers and APIs, on one stack, in turns. */
export async function measureScale(plan: ScalePlan, options: BenchOptions): Promise<SizeFigures[]> {
  const fresh = await openOnFreshStack(
    {
      ...options,
      dataFolder: freshFolder('bench-scale'),
      processes: mostProcesses,
      env: { api: waitSettings },
      engineDatabaseSettings: countingSettings,
    },
    (opened) => opened,
  );
  const { stack } = fresh;
  const payer = new Payer(stack.addresses.sandbox);
  const instruments = await openInstruments(stack, () => stack.workers);
  try {
    return await inTurns(plan, { stack, payer, instruments, options });
  } finally {
    await instruments.close();
    await payer.close();
    await fresh.close();
  }
}

interface Turn extends Size {
  readonly held?: 'worker' | 'api';
  readonly share?: number;
  readonly load: Plan;
}

async function inTurns(plan: ScalePlan, scene: Scene): Promise<SizeFigures[]> {
  const turns = turnsOf(plan);
  const perTurn = turns.map((): Throughput[] => []);
  await measureTurn(
    { ...mostProcesses, load: { ...plan.load, crowd: 2 * plan.load.inFlight } },
    scene,
    'warming up',
  );
  for (let round = 1; round <= plan.rounds; round += 1) {
    // There and back, so that no size always has the younger, smaller database.
    const order = [...turns.keys()];
    for (const index of round % 2 === 1 ? order : order.toReversed()) {
      const turn = turns[index];
      if (turn) perTurn[index]?.push(await measureTurn(turn, scene, `round ${round} of ${plan.rounds}`));
    }
  }
  return turns.map(({ workers, apis, held }, index) => ({
    workers,
    apis,
    ...(held && { held }),
    perRound: perTurn[index] ?? [],
  }));
}

function turnsOf({ free, held, load, heldLoad }: ScalePlan): Turn[] {
  return [
    ...free.map((size) => ({ ...size, load })),
    ...(['worker', 'api'] as const).flatMap((kind) =>
      held[kind].sizes.map((size) => ({ ...size, held: kind, share: held[kind].share, load: heldLoad })),
    ),
  ];
}

async function measureTurn(
  turn: Turn,
  { stack, payer, instruments, options }: Scene,
  when: string,
): Promise<Throughput> {
  const { workers, apis, held, share = 1, load } = turn;
  options.report(
    `scale, ${when}: workers ${workers}, APIs ${apis}${held ? `, ${held} at ${share} of the time` : ''} …`,
  );
  await resize(stack.workers, workers);
  await resize(stack.apis, apis);
  const origins = stack.apiUrls.slice(0, apis);
  const contender = openEngineOverHttp(origins, stack.apiKey);
  const letGo = held ? hold(pidsOf(held === 'worker' ? stack.workers : stack.apis), share) : undefined;
  try {
    return await measureThroughput(contender, { payer, instruments }, load, options.signal);
  } finally {
    letGo?.();
    await contender.close();
  }
}

/** The first so many run afterwards, and no other. */
async function resize(processes: Stack['workers'], count: number): Promise<void> {
  for (const [index, each] of processes.entries()) {
    if (index < count && !each.isRunning) await each.start();
    if (index >= count) await each.stop();
  }
}

function pidsOf(processes: Stack['workers']): number[] {
  return processes.flatMap(({ pid }) => pid ?? []);
}

/** Processor cores that were at work, of those that the machine has. */
export function coresUsed({ perSecond, processorMs }: Throughput): number | undefined {
  if (!processorMs) return undefined;
  return (perSecond * Object.values(processorMs).reduce((sum, ms) => sum + ms, 0)) / 1_000;
}

export const coresOfMachine = availableParallelism();

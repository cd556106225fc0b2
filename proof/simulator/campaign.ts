import { buildSimulator, type SourcePatch } from './build.js';

type Outcome = Awaited<ReturnType<Simulator['simulateWorld']>>;

export interface FirstViolation {
  readonly seed: number;
  readonly oracle: string;
  readonly words: string;
  /** The shortest trace that was found for it. */
  readonly trace: string;
}

export interface Result {
  readonly lifecycles: number;
  /** Per second of processor time. */
  readonly perSecond: number;
  /** Of processor time, without building and shortening. */
  readonly seconds: number;
  readonly steps: number;
  readonly violations: number;
  readonly firstViolation: FirstViolation | null;
}

export interface Campaign {
  readonly lifecycles: number;
  readonly seed: number;
  readonly patches?: readonly SourcePatch[];
  /** Of the patches those that are put back on both sides: what they alone break is not what is looked for. */
  readonly alsoWithout?: readonly SourcePatch[];
  readonly stopsAtFirst?: boolean;
  /** The promises to check; default: all. */
  readonly oracles?: readonly string[] | undefined;
  /** Milliseconds of processor time. */
  readonly limitMs?: number;
  /** Gets a line on how far it is, every ten seconds. */
  readonly report?: (line: string) => void;
}

const reportEveryMs = 10_000;

/** Simulates so many lifecycles, world after world, and finds the shortest trace of the first violation. */
export async function runCampaign({ lifecycles, seed, patches = [], ...options }: Campaign): Promise<Result> {
  const { alsoWithout = [] } = options;
  const simulator = await simulatorOf([...patches, ...alsoWithout]);
  // A violation that also happens without the patches is not caused by them.
  const unpatched = patches.length > 0 ? await simulatorOf(alsoWithout) : undefined;
  const before = process.cpuUsage();
  const violating: number[] = [];
  const isWanted = ({ violations }: Outcome) =>
    violations.some(({ oracle }) => options.oracles?.includes(oracle) ?? true);
  let [lived, steps] = [0, 0];
  let reportedAt = performance.now();
  const isOver = () =>
    lived >= lifecycles ||
    (violating.length > 0 && options.stopsAtFirst === true) ||
    millisecondsSince(before) > (options.limitMs ?? Number.POSITIVE_INFINITY);
  for (let world = 0; !isOver(); world += 1) {
    const outcome = await simulator.simulateWorld(simulator.seedOf(seed, world));
    lived += outcome.lifecycles;
    steps += outcome.steps;
    if (performance.now() - reportedAt > reportEveryMs) {
      reportedAt = performance.now();
      options.report?.(`${lived} of ${lifecycles} lifecycles, ${violating.length} violations`);
    }
    if (!isWanted(outcome)) continue;
    const compared = await unpatched?.simulateWorld(outcome.seed);
    if (!compared || !isWanted(compared)) violating.push(outcome.seed);
  }
  const seconds = millisecondsSince(before) / 1_000;
  const [first] = violating;
  const shortest = first === undefined ? undefined : await simulator.shortestTrace(first, options.oracles);
  const violation = shortest?.violations.find(({ oracle }) => options.oracles?.includes(oracle) ?? true);
  return {
    lifecycles: lived,
    perSecond: Math.round(lived / seconds),
    seconds,
    steps,
    violations: violating.length,
    firstViolation:
      shortest && violation
        ? {
            seed: shortest.seed,
            oracle: violation.oracle,
            words: violation.words,
            trace: simulator.inWords(shortest),
          }
        : null,
  };
}

function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

type Simulator = typeof import('./stage/entry.js');

async function simulatorOf(patches: readonly SourcePatch[]): Promise<Simulator> {
  const address = await buildSimulator(patches.length > 0 ? 'patched' : 'current', patches);
  return (await import(address)) as Simulator;
}

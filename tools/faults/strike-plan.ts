import type { Random } from './random.js';
import type { VictimKind } from './victims.js';

/** One blow: some processes die at the same moment and are started again after a while. */
export interface StrikePlan {
  /** It falls when so many lifecycles have been started. */
  readonly afterStarted: number;
  readonly targets: readonly { readonly kind: VictimKind; readonly which: 'one' | 'all' }[];
  /** Falls while a held POST that moves money is in flight, carried out so many milliseconds after it came. */
  readonly executesHeldAfterMs?: number;
  /** How long the victims stay dead, in milliseconds. */
  readonly deadForMs: number;
}

/** More often than the one kill for 20 lifecycles that a campaign must have at least. */
const lifecyclesPerStrike = 12;
const fewestStrikes = 2;
/** Some are carried out before the blow, some after it. */
const mostExecuteAfterMs = 2_000;

type Targets = StrikePlan['targets'];

const oneWorker: Targets = [{ kind: 'worker', which: 'one' }];
const oneApi: Targets = [{ kind: 'api', which: 'one' }];
const allWorkers: Targets = [{ kind: 'worker', which: 'all' }];
const allApis: Targets = [{ kind: 'api', which: 'all' }];

const whileMoneyMoves: readonly (readonly [Targets, number])[] = [
  [oneWorker, 40],
  [allWorkers, 20],
  [oneApi, 15],
  [allApis, 10],
  [[...allWorkers, ...allApis], 15],
];

/** Spread over the campaign; the first two are one of each sort, so that the shortest one has both. */
export function drawStrikes(random: Random, lifecycles: number): StrikePlan[] {
  const count = Math.max(fewestStrikes, Math.ceil(lifecycles / lifecyclesPerStrike));
  return Array.from({ length: count }, (_, index) => {
    // Three of four, and the fourth takes one process only: half of all kills must have been in flight, also when some
    // come a moment too late.
    const waitsForMoney = index % 4 !== 3;
    const drawn = waitsForMoney ? random.weighted(whileMoneyMoves) : random.pick([oneWorker, oneApi]);
    return {
      afterStarted: Math.floor(((index + 0.6) * lifecycles) / count),
      targets: [oneWorker, oneApi][index] ?? drawn,
      ...(waitsForMoney && { executesHeldAfterMs: random.integer(0, mostExecuteAfterMs) }),
      deadForMs: random.integer(0, 2_500),
    };
  });
}

/** With fewer a campaign proves too little: one for 20 lifecycles. */
export function fewestKills(lifecycles: number): number {
  return Math.ceil(lifecycles / 20);
}

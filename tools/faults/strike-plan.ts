import type { Random } from './random.js';
import type { VictimKind } from './victims.js';

/** One blow: some processes die at the same moment and are started again after a while. */
export interface StrikePlan {
  /** It falls when so many lifecycles have been started. */
  readonly afterStarted: number;
  readonly targets: readonly { readonly kind: VictimKind; readonly which: 'one' | 'all' }[];
  /** Waits for a POST that moves money to be in flight. */
  readonly waitsForMoney: boolean;
  /** How long the victims stay dead, in milliseconds. */
  readonly deadForMs: number;
}

/** More often than the one kill for 20 lifecycles that a campaign must have at least. */
const lifecyclesPerStrike = 12;
const fewestStrikes = 2;

const targets: readonly (readonly [StrikePlan['targets'], number])[] = [
  [[{ kind: 'worker', which: 'one' }], 40],
  [[{ kind: 'worker', which: 'all' }], 20],
  [[{ kind: 'api', which: 'one' }], 15],
  [[{ kind: 'api', which: 'all' }], 10],
  [
    [
      { kind: 'worker', which: 'all' },
      { kind: 'api', which: 'all' },
    ],
    15,
  ],
];

/** Spread over the campaign; the first two are one of each sort, so that the shortest one has both. */
export function drawStrikes(random: Random, lifecycles: number): StrikePlan[] {
  const count = Math.max(fewestStrikes, Math.ceil(lifecycles / lifecyclesPerStrike));
  return Array.from({ length: count }, (_, index) => ({
    afterStarted: Math.floor(((index + 0.6) * lifecycles) / count),
    targets: index < 2 ? [{ kind: index === 0 ? 'worker' : 'api', which: 'one' }] : random.weighted(targets),
    // Three of four: half of all kills must have been in flight, also when some come a moment too late.
    waitsForMoney: index % 4 !== 3,
    deadForMs: random.integer(0, 2_500),
  }));
}

/** What the issue demands of a campaign, by its number of lifecycles. */
export function fewestKills(lifecycles: number): number {
  return Math.ceil(lifecycles / 20);
}

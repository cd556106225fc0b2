import type { Random } from '../faults/random.js';
import type { StrikePlan } from '../faults/campaign/strike-plan.js';

/**
 * Releases are numbered. An odd one brings a bundle with one patch more, which is inactive; the even one after it begins
 * the patch. So one never stands beside another that could not follow it (docs/changing-workflows.md).
 */
export type ReleaseNumber = number;

/** In which order the parts of a release are replaced. */
type Order = 'workers first' | 'APIs first' | 'side by side';

export type Change =
  | {
      readonly what: 'release' | 'back';
      readonly to: ReleaseNumber;
      readonly order: Order;
      readonly migrates: boolean;
    }
  | { readonly what: 'migration' }
  | { readonly what: keyof Scale; readonly count: number };

/** A change, and what happens until the next one. */
export interface PlannedChange {
  readonly change: Change;
  readonly restMs: number;
  /** Falls when the change has been made. */
  readonly strike?: StrikePlan;
}

export interface Scale {
  readonly workers: number;
  readonly APIs: number;
}

export const firstScale: Scale = { workers: 2, APIs: 2 };
const most: Scale = { workers: 3, APIs: 2 };
const changesPerStrike = 3;
/** Each once before anything is drawn, so that a short campaign has them, too. */
const opening: readonly Change['what'][] = ['release', 'release', 'back', 'workers'];

export function inWords(change: Change): string {
  if ('to' in change)
    return `${change.what} to ${change.to}, ${change.order}${change.migrates ? ', migrated before' : ''}`;
  return 'count' in change ? `${change.count} ${change.what}` : change.what;
}

/** Which change may follow depends on those before it: a release that may be gone back to, a scale. */
export function drawChanges(random: Random, count: number): PlannedChange[] {
  let [now, highest] = [0, 0];
  const scale = { ...firstScale };
  return Array.from({ length: count }, (_, index) => {
    // Only the one before the newest knows every patch that a run can have begun.
    const mayGoBack = now > 0 && now === highest;
    const change = changeOf(opening[index] ?? draw(random, mayGoBack), { random, now, scale, index });
    if ('to' in change) now = change.to;
    if ('count' in change) scale[change.what] = change.count;
    highest = Math.max(highest, now);
    return {
      change,
      restMs: random.integer(1_000, 5_000),
      ...(index % changesPerStrike === changesPerStrike - 1 && { strike: drawStrike(random) }),
    };
  });
}

function draw(random: Random, mayGoBack: boolean): Change['what'] {
  return random.weighted<Change['what']>([
    ['release', 40],
    ['back', mayGoBack ? 25 : 0],
    ['migration', 8],
    ['workers', 17],
    ['APIs', 10],
  ]);
}

function changeOf(
  what: Change['what'],
  {
    random,
    now,
    scale,
    index,
  }: {
    readonly random: Random;
    readonly now: ReleaseNumber;
    readonly scale: Scale;
    readonly index: number;
  },
): Change {
  switch (what) {
    case 'release':
    case 'back': {
      const order = random.pick<Order>(['workers first', 'APIs first', 'side by side']);
      const migrates = what === 'release' && (index === 0 || random.chance(0.4));
      return { what, to: now + (what === 'release' ? 1 : -1), order, migrates };
    }
    case 'migration':
      return { what };
    case 'workers':
    case 'APIs': {
      const counts = Array.from({ length: most[what] }, (_, n) => n + 1);
      return { what, count: random.pick(counts.filter((other) => other !== scale[what])) };
    }
  }
}

function drawStrike(random: Random): StrikePlan {
  return {
    how: 'kill',
    afterStarted: 0,
    targets: random.weighted<StrikePlan['targets']>([
      [[{ kind: 'worker', which: 'one' }], 4],
      [[{ kind: 'api', which: 'one' }], 3],
      [
        [
          { kind: 'worker', which: 'all' },
          { kind: 'api', which: 'one' },
        ],
        2,
      ],
    ]),
    ...(random.chance(0.7) && { executesHeldAfterMs: random.integer(0, 2_000) }),
    awayForMs: random.integer(0, 2_500),
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { variantOfShop } from '../faults/applications.js';
import { lifecycleOf } from '../faults/authorize/authorize-lifecycle.js';
import { endings } from '../faults/authorize/endings.js';
import { around } from '../faults/around.js';
import { chooseLifecycles } from '../faults/campaign/campaign-lifecycles.js';
import { faultShares } from '../faults/campaign/fault-mix.js';
import type { FaultShare } from '../faults/fault-share.js';
import type { Lifecycle, Operations, Participants, Scenario } from '../faults/lifecycle.js';
import type { Random } from '../faults/random.js';

/** What goes on under the releases, with a provider that fails. */
export const disturbed = chooseLifecycles('authorize,partial-capture,sale,refund,partial-refund');

/** For which the provider makes no fault: what a call of it waits for is the engine. */
export const undisturbed = variantOfShop('undisturbed', {});
export const measured: Lifecycle = lifecycleOf(
  'measured',
  [
    [endings.capture, 30],
    [endings.threeParts, 30],
    [endings.partThenVoid, 20],
    [endings.void, 20],
  ],
  undisturbed,
);

/** Answers that are odd, and cut short, say nothing about releases, and are many. */
const chosenFaults: ReadonlySet<string> = new Set([
  'drop_reply',
  'late',
  'delay',
  'status',
  'stale_read',
  'drop_delivery',
  'delay_delivery',
  'duplicate_delivery',
]);

export function faultsOf(operations: Operations, horizonMs: number): FaultShare[] {
  return faultShares(operations, horizonMs).filter(({ fault }) => chosenFaults.has(fault.kind));
}

/** More of them than any campaign starts. */
export function drawScenarios(random: Random, mix: readonly Lifecycle[], count: number): Scenario[] {
  return Array.from({ length: count }, (_, index) => {
    const chance = random.fork(`lifecycle ${index + 1}`);
    return chance.pick(mix).draw(chance, `order-${chance.integer(100_000, 999_999)}-${index + 1}`);
  });
}

const slowShare = 0.5;
const longestPauseMs = 40_000;

/**
 * Order services and payers, many of them slow: their runs see several releases. `hurry` ends that, so that a
 * campaign ends.
 */
export class SlowPeople {
  readonly #hurry = new AbortController();

  constructor(private readonly random: Random) {}

  hurry(): void {
    this.#hurry.abort();
  }

  slowed(participants: Participants): Participants {
    if (!this.random.chance(slowShare)) return participants;
    const later = async (go: () => Promise<unknown>): Promise<unknown> => {
      const pauseMs = this.random.integer(0, longestPauseMs);
      await sleep(pauseMs, undefined, { signal: this.#hurry.signal }).catch(() => undefined);
      return await go();
    };
    return {
      ...participants,
      orderService: around(participants.orderService, ['submit', 'until'], later),
      payer: around(participants.payer, ['approve', 'cancel', 'follow'], later),
    };
  }
}

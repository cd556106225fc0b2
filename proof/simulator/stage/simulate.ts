import type { Fault } from '../core/faults.js';
import { ofSubscriptions } from '../core/coincidences.js';
import { mixed } from '../core/draws.js';
import { World, type Violation, present } from '../core/world.js';
import { watchOutages } from './outage-oracle.js';
import { judgePayment, watchPayments } from './payment-oracles.js';
import { playChecks } from './checks.js';
import { playEarlyMessages } from './early-messages.js';
import { playIntruder, watchPermissions } from './intruder.js';
import { judgeArrivals, judgeCommands } from './command-oracles.js';
import { watchReviews } from './review-oracle.js';
import { watchWaitingRows } from './waiting-oracle.js';
import { watchEvidence } from './evidence-oracles.js';
import { watchDecisions } from './decision-oracles.js';
import { decideReviews } from './operator.js';
import { killAroundBalances, killAroundExecutions } from './deaths.js';
import { loseRunsBetweenAttempts } from './lost-runs.js';
import { judgePayout, watchPayouts } from './payout-oracles.js';
import { playPayout } from './payout-scenario.js';
import { judgeRefund, watchRefunds } from './refund-oracles.js';
import { playPayment } from './payment-scenario.js';
import { Stage } from './stage.js';
import { judgePlan, judgeSubscription, watchSubscriptions } from './subscription-oracles.js';
import { playSubscription } from './subscription-scenario.js';
import { judgeTimelines } from './timeline-oracle.js';
import { reconcile } from './reconciliation.js';
import { deliverWebhooks, forgeWebhooks } from './webhooks.js';

export interface Outcome {
  readonly seed: number;
  readonly lifecycles: number;
  readonly steps: number;
  readonly violations: readonly Violation[];
  readonly faults: readonly Fault[];
  readonly trace: World['trace'];
  readonly startedAt: number;
}

/** Longer than anything that is not stuck takes: the window of a hold, and the review after it. */
const longestMs = 40 * 86_400_000;
const mostSteps = 60_000;

const judges: Readonly<Record<string, (stage: Stage, id: string) => void>> = {
  payment: judgePayment,
  refund: judgeRefund,
  payout: judgePayout,
  plan: judgePlan,
  subscription: judgeSubscription,
};

export interface Telling {
  readonly isTold: boolean;
  readonly allowed?: ReadonlySet<string>;
}

/** One world, from its orders to its end. */
export async function simulateWorld(seed: number, telling: Telling = { isTold: false }): Promise<Outcome> {
  const world = new World(seed, telling);
  present.world = world;
  try {
    const stage = new Stage(world);
    watchEvidence(stage);
    watchReviews(stage);
    watchDecisions(stage);
    watchWaitingRows(stage);
    watchPayments(stage);
    watchOutages(stage);
    watchRefunds(stage);
    watchPayouts(stage);
    watchSubscriptions(stage);
    watchPermissions(stage);
    deliverWebhooks(stage);
    void forgeWebhooks(stage);
    playChecks(stage);
    playIntruder(stage);
    playEarlyMessages(stage);
    loseRunsBetweenAttempts(stage);
    killAroundBalances(stage);
    killAroundExecutions(stage);
    decideReviews(stage);
    reconcile(stage);
    play(stage);
    const isAtRest = await world.clock.run(World.startsAt + longestMs, mostSteps);
    if (!isAtRest && world.clock.steps >= mostSteps) world.violate('stuck', 'it never comes to rest');
    const subjects = [...stage.rows.subjects.values()];
    for (const { id, kind } of subjects) judges[kind]?.(stage, id);
    judgeCommands(stage);
    judgeArrivals(stage);
    judgeTimelines(stage);
    return outcomeOf(world, subjects.length);
  } finally {
    present.world = undefined;
  }
}

function play(stage: Stage): void {
  const { draws, coincidence } = stage.world;
  const kinds = ofSubscriptions.has(coincidence)
    ? (['subscription'] as const)
    : (['payment', 'payment', 'payment', 'payout', 'subscription'] as const);
  switch (draws.pick('lifecycle', kinds)) {
    case 'payment':
      playPayment(stage);
      return;
    case 'payout':
      return playPayout(stage);
    case 'subscription':
      void playSubscription(stage);
  }
}

/** The seed of each world of a campaign. */
export function seedOf(campaign: number, world: number): number {
  return mixed(campaign, world);
}

function outcomeOf(world: World, lifecycles: number): Outcome {
  const { seed, violations, trace, clock, faults } = world;
  return {
    seed,
    lifecycles,
    steps: clock.steps,
    violations,
    faults: faults.struck,
    trace,
    startedAt: World.startsAt,
  };
}

import type { Plans } from '../harness/plan.js';

/** How much one run of the webhook measurements takes. */
export interface WebhookPlan {
  readonly rounds: number;
  /** Deliveries per way of authentication and round, and as many to the bare rival. */
  readonly deliveries: number;
  /** Connections over which they come. */
  readonly connections: number;
  /** Runs that get one event each, per side and round. */
  readonly dispatched: number;
  /** Signals on their way at a time, in the rival's turn. */
  readonly concurrentSignals: number;
  /** Deliveries whose way from commit to signal is timed, and how many of them come in a second. */
  readonly timed: number;
  readonly timedPerSecond: number;
  readonly fewOpenRuns: number;
  readonly manyOpenRuns: number;
  /** Milliseconds after which no more of them are made: a machine too slow for all of them reports how many it had. */
  readonly openRunsTimeoutMs: number;
  /** Lifecycles per side and round. */
  readonly lifecycles: number;
}

/** Five to eight minutes, up to four of them for making the open runs. */
const full: WebhookPlan = {
  rounds: 5,
  deliveries: 4_000,
  connections: 32,
  dispatched: 1_000,
  concurrentSignals: 32,
  timed: 600,
  timedPerSecond: 20,
  fewOpenRuns: 10,
  manyOpenRuns: 10_000,
  openRunsTimeoutMs: 240_000,
  lifecycles: 30,
};

/** A look, not a figure to publish. */
const quick: WebhookPlan = {
  ...full,
  rounds: 3,
  deliveries: 1_000,
  dispatched: 300,
  timed: 100,
  manyOpenRuns: 1_000,
  lifecycles: 8,
};

export const webhookPlans: Plans<WebhookPlan> = {
  full,
  quick,
  besideOthers: quick,
  brief: { ...quick, rounds: 1, deliveries: 400, dispatched: 100, timed: 60, manyOpenRuns: 200 },
};

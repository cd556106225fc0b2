import type { Plans } from '../harness/plan.js';

/** How often each lifecycle is played, and how long its subscriptions are observed. */
export interface LifecyclePlan {
  readonly rounds: number;
  /** Of each subscription. */
  readonly cycles: number;
}

/** About a minute. */
const full: LifecyclePlan = { rounds: 7, cycles: 6 };

export const lifecyclePlans: Plans<LifecyclePlan> = {
  full,
  quick: { rounds: 3, cycles: 6 },
  besideOthers: full,
  brief: { rounds: 1, cycles: 2 },
};

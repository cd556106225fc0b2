/** How often each lifecycle is played, and how long its subscriptions are observed. */
export interface LifecyclePlan {
  readonly rounds: number;
  /** Of each subscription. */
  readonly cycles: number;
}

/** About a minute. */
export const fullLifecyclePlan: LifecyclePlan = { rounds: 7, cycles: 6 };

export const quickLifecyclePlan: LifecyclePlan = { rounds: 3, cycles: 6 };

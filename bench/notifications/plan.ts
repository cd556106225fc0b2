import type { Plans } from '../harness/plan.js';

/** How much one run of the notification measurements takes. */
export interface NotificationPlan {
  readonly rounds: number;
  /** That are sent per side and round. */
  readonly notifications: number;
  /** Per side and round. */
  readonly lifecycles: number;
  /** Lifecycles on their way at a time. */
  readonly inFlight: number;
}

/** Four minutes. */
const full: NotificationPlan = {
  rounds: 7,
  notifications: 3_000,
  lifecycles: 150,
  inFlight: 20,
};

/** A look, not a figure to publish. */
const quick: NotificationPlan = {
  ...full,
  rounds: 3,
  notifications: 1_000,
  lifecycles: 60,
};

export const notificationPlans: Plans<NotificationPlan> = {
  full,
  quick,
  besideOthers: quick,
  brief: { ...quick, rounds: 1, notifications: 400, lifecycles: 20 },
};

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
export const fullNotificationPlan: NotificationPlan = {
  rounds: 7,
  notifications: 3_000,
  lifecycles: 150,
  inFlight: 20,
};

/** A look, not a figure to publish. */
export const quickNotificationPlan: NotificationPlan = {
  ...fullNotificationPlan,
  rounds: 3,
  notifications: 1_000,
  lifecycles: 60,
};

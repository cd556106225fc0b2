import type { PaymentOrder } from '#workflows/lifecycle/payment';
import type { PostResult } from './model-provider.js';

export interface Circumstances {
  readonly asked: Partial<PaymentOrder>;
  readonly approvesAtOnce: boolean;
  /** Whether a reauthorized hold keeps its id; true when absent. */
  readonly keepsId?: boolean;
  /** What becomes of the first POSTs; those after them are answered. */
  readonly postResults: readonly PostResult[];
  /** Which of the first reads fail. */
  readonly reads: readonly boolean[];
  /**
   * Whether a money step that a deadline or a read led to is begun only once that transition is persisted. Without it the
   * worker's death forgets why a POST was sent, and a message that has come meanwhile leads elsewhere.
   */
  readonly persistsTransitions: boolean;
  /** Where the worker dies, activity by activity, and takes with it what Temporal has not persisted. */
  readonly crashes: readonly Crash[];
}

export const crashes = [
  'none',
  'none',
  'none',
  'before the outcome is written',
  'after the outcome is written',
] as const;
export type Crash = (typeof crashes)[number];

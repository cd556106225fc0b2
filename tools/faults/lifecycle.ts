import type { Discrepancy } from './discrepancy.js';
import type { Movement } from './sandbox-admin.js';
import type { OrderService } from './order-service.js';
import type { Payer } from './payer.js';
import type { Random } from './random.js';

/** A kind of lifecycle that a campaign can play; a new kind is a new entry in campaign-lifecycles.ts. */
export interface Lifecycle {
  readonly name: string;
  /** Draws one story. Everything in it that is left to chance comes from `random`. */
  draw(random: Random, orderId: string): Story;
}

/** One order, from its request to its end. */
export interface Story {
  /** What shall happen, in a few words. */
  readonly title: string;
  /** Plays order service and payer to the end of the story, through every failure on the way. Rejects when aborted. */
  play(cast: Cast, signal: AbortSignal): Promise<void>;
  /** After everything: sends each accepted request once more, and reads what the engine says in the end. */
  takeStock(cast: Cast, signal: AbortSignal): Promise<void>;
  /** The name under which the books know what belongs to it; undefined while the engine has not told. */
  reference(): string | undefined;
  /** Compares what was promised with the movements of money that the books show under its reference. */
  judge(movements: readonly Movement[]): Verdict;
}

export interface Cast {
  readonly orderService: OrderService;
  readonly payer: Payer;
}

export interface Verdict {
  readonly discrepancies: readonly Discrepancy[];
  /** Accepted requests that were compared with the books. */
  readonly requests: number;
  /** Ended otherwise than planned, and the engine said why before it was asked. */
  readonly explanation?: string;
}

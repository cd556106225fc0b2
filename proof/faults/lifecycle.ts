import type { Application } from './applications.js';
import type { Discrepancy } from './discrepancy.js';
import type { OrderService } from './order-service.js';
import type { FaultShare } from './fault-share.js';
import type { Payer } from './payer.js';
import type { ProviderAccount } from './provider-account.js';
import type { Random } from './random.js';
import type { Movement } from '#tools/sandbox-admin.js';
import type { SandboxControl } from './sandbox-control.js';

/** A kind of lifecycle that a campaign can play; a new kind is a new entry in campaign-lifecycles.ts. */
export interface Lifecycle {
  /** As `--mix` asks for it. */
  readonly name: string;
  /** For which it plays. */
  readonly applications: readonly Application[];
  /** The provider's operations that it needs, and which are therefore disturbed. */
  readonly operations: Operations;
  /**
   * Decisions of the provider or a payer's bank that differ now and then: these are not faults and are shown
   * truthfully.
   */
  readonly outcomes?: readonly FaultShare[];
  /** Faults aimed at one of its applications, beside those of all. */
  readonly faults?: readonly FaultShare[];
  /** Draws one scenario. Everything in it that is left to chance comes from `random`. */
  draw(random: Random, orderId: string): Scenario;
}

/** Names of operations as the sandbox has them (docs/provider.md). */
export interface Operations {
  /** POSTs that move money: processes are killed while one is in flight. */
  readonly moneyPosts: readonly string[];
  readonly otherPosts: readonly string[];
  /** Under these a request id is declared to count: a failure is kept under it. */
  readonly keyedPosts: readonly string[];
  readonly reads: readonly string[];
}

/** One order, from its request to its end. */
export interface Scenario {
  /** What is to happen, in a few words. */
  readonly title: string;
  /** For which application it is played. */
  readonly application: string;
  /** Plays order service and payer to the end of the scenario, through every failure on the way. Rejects when aborted. */
  play(participants: Participants, signal: AbortSignal): Promise<void>;
  /** After everything: sends each accepted request once more, and reads what the engine says in the end. */
  takeStock(participants: Participants, signal: AbortSignal): Promise<void>;
  /**
   * The references under which the books have its movements (judge-scenarios.ts); none until the engine has answered
   * with them.
   */
  references(): readonly string[];
  /** Compares the engine's answers with the movements in the books under its references. */
  judge(movements: readonly Movement[]): Verdict;
}

export interface Participants {
  /** Of the scenario's application. */
  readonly orderService: OrderService;
  readonly payer: Payer;
  /** Those who act at the provider without the engine: its dashboard, the payer's bank. */
  readonly provider: SandboxControl;
  /** The scenario's application at the provider, without the engine. */
  readonly account: ProviderAccount;
}

export interface Verdict {
  readonly discrepancies: readonly Discrepancy[];
  /** Accepted requests that were compared with the books. */
  readonly requests: number;
  /** Ended otherwise than planned, and the engine said why before it was asked. */
  readonly explanation?: string;
}

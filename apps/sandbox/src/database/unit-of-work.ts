import type { Transaction } from 'kysely';
import type { Application } from '../applications/applications.js';
import type { OutcomeFault } from '../faults/fault-kinds.js';
import type { Tables } from './tables.js';

/**
 * What an operation that changes state works in: one transaction, one instant, the caller and its request id.
 *
 * Rows are locked in this order, so that no two transactions wait for each other; each takes only those it decides
 * about: payment, authorization, capture or sale, refund · plan, agreement, its payments, sale · payout batch, item.
 * A fault takes its turn (a row of its own) after the resource it strikes.
 */
export interface UnitOfWork {
  readonly transaction: Transaction<Tables>;
  readonly now: Date;
  readonly application: Application;
  readonly requestId: string | null;
  /** What a fault wants the outcome to be; null: the ordinary one. */
  readonly outcome: OutcomeFault | null;
}

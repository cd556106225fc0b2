import type { Transaction } from 'kysely';
import type { Application } from '../applications/applications.js';
import type { Tables } from '../database/tables.js';
import type { OutcomeFault } from '../faults/fault-kinds.js';

/**
 * The context of an operation that changes state: one transaction, one instant, the caller and its request id.
 *
 * Rows are locked in this order, so that no two transactions wait for each other; each takes only those it decides
 * about: payment, authorization, capture or sale, refund · plan, agreement, its payments, sale · payout batch, item.
 * The row of a fault is locked after the resource that it affects.
 */
export interface UnitOfWork {
  readonly transaction: Transaction<Tables>;
  readonly now: Date;
  readonly application: Application;
  readonly requestId: string | null;
  /** Decides the outcome; null: the ordinary one. */
  readonly fault: OutcomeFault | null;
}

import type { Selectable } from 'kysely';
import type { Instant, OptionalInstant } from '../column-types.js';

interface RefundsTable {
  id: string;
  client_id: string;
  /** Null where the refunded sale is an agreement's. */
  payment_id: string | null;
  /** One of the two is set. */
  sale_id: string | null;
  capture_id: string | null;
  state: 'pending' | 'completed' | 'failed' | 'cancelled';
  amount_minor: number;
  currency: string;
  /** All that was refunded or is being refunded of the same sale or capture, this refund included, when it was made. */
  total_refunded_minor: number;
  description: string | null;
  reason: string | null;
  invoice_number: string | null;
  custom: string | null;
  request_id: string | null;
  settles_at: OptionalInstant;
  settles_as: 'completed' | 'failed' | 'cancelled' | null;
  created_at: Instant;
  updated_at: Instant;
}

export interface RefundTables {
  refunds: RefundsTable;
}

export type RefundRow = Selectable<RefundsTable>;

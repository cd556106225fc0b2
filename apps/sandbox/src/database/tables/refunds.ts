import type { Selectable } from 'kysely';
import type { Instant, OptionalInstant } from './column-types.js';

interface RefundsTable {
  id: string;
  client_id: string;
  /** Null when the refunded sale is an agreement's. */
  payment_id: string | null;
  /** One of the two is set. */
  sale_id: string | null;
  capture_id: string | null;
  state: 'pending' | 'completed' | 'failed' | 'cancelled';
  amount_minor: number;
  currency: string;
  /** All refunds, also pending ones, of the same sale or capture when this one was made, itself included. */
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

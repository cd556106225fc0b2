import type { GeneratedAlways } from 'kysely';
import type { Instant } from './column-types.js';

/**
 * How money moves. A reversal is a chargeback; a payout that its receiver does not keep is returned as a payout_return.
 */
export type MovementKind =
  'hold' | 'capture' | 'release' | 'sale' | 'refund' | 'reversal' | 'payout' | 'payout_return';

interface BookEntriesTable {
  id: GeneratedAlways<number>;
  kind: MovementKind;
  client_id: string;
  /** Null when the money belongs to no payment: payouts and what an agreement collects. */
  payment_id: string | null;
  authorization_id: string | null;
  capture_id: string | null;
  sale_id: string | null;
  refund_id: string | null;
  agreement_id: string | null;
  payout_item_id: string | null;
  amount_minor: number;
  currency: string;
  request_id: string | null;
  invoice_number: string | null;
  custom: string | null;
  created_at: Instant;
}

interface BookPostingsTable {
  entry_id: number;
  account: string;
  amount_minor: number;
}

export interface BookTables {
  book_entries: BookEntriesTable;
  book_postings: BookPostingsTable;
}

import type { Generated, Selectable } from 'kysely';
import type { Document, Instant, OptionalInstant } from './column-types.js';

export type PayoutBatchStatus = 'PENDING' | 'PROCESSING' | 'SUCCESS' | 'DENIED' | 'CANCELED';

export type PayoutItemStatus =
  | 'PENDING'
  | 'SUCCESS'
  | 'FAILED'
  | 'UNCLAIMED'
  | 'RETURNED'
  | 'ONHOLD'
  | 'BLOCKED'
  | 'REFUNDED'
  | 'REVERSED';

interface PayoutBatchesTable {
  id: string;
  client_id: string;
  /** The account that pays. */
  sender_id: string;
  sender_batch_id: string | null;
  /** `sender_batch_header` as it came. */
  sender_batch_header: Document<object>;
  status: PayoutBatchStatus;
  /** Its outcome, decided at creation, so that a fault affects the call that it was meant for. */
  outcome: 'success' | 'denied' | 'unfunded';
  item_count: number;
  amount_minor: number;
  currency: string;
  request_id: string | null;
  /** When the clock processes it next; null once it has ended. */
  due_at: OptionalInstant;
  completed_at: OptionalInstant;
  created_at: Instant;
  updated_at: Instant;
}

interface PayoutItemsTable {
  id: string;
  client_id: string;
  batch_id: string;
  /** 0 for the first of the batch. */
  position: number;
  transaction_id: string;
  recipient_type: string;
  receiver: string;
  /** The receiver's account in the books. */
  receiver_id: string;
  amount_minor: number;
  currency: string;
  sender_item_id: string | null;
  note: string | null;
  /** Fields of the request that are only returned. */
  echoed: Document<object>;
  status: Generated<PayoutItemStatus>;
  /** Why it is never paid, known from the start; null: it will be. */
  refused_as: 'DUPLICATE_ITEM' | 'SELF_PAY_NOT_ALLOWED' | null;
  error_name: string | null;
  /** The sender cancelled it while it was unclaimed. */
  is_cancelled: Generated<boolean>;
  /** Null until its outcome is first known. */
  processed_at: OptionalInstant;
  /** A pending item's outcome, or an unclaimed item's return, is due. */
  due_at: OptionalInstant;
  settles_as: 'completed' | 'denied' | null;
  created_at: Instant;
  updated_at: Instant;
}

export interface PayoutTables {
  payout_batches: PayoutBatchesTable;
  payout_items: PayoutItemsTable;
}

export type PayoutBatchRow = Selectable<PayoutBatchesTable>;
export type PayoutItemRow = Selectable<PayoutItemsTable>;

import type { Generated, JSONColumnType, Selectable } from 'kysely';
import type { ItemStatus, ReceiverType, PayoutState, PayoutStatus } from '#workflows/lifecycle/payout';
import type { MetadataColumn } from './metadata-column.js';

export interface PayoutsTable {
  id: string;
  environment: string;
  application: string;
  reference: string | null;
  /** Another payout may have the same reference: this one paid nothing, or both are older than migration 0014. */
  reference_freed: Generated<boolean>;
  status: PayoutStatus;
  state: JSONColumnType<PayoutState>;
  version: number;
  /** The least version to show: callers saw it before versions followed the timeline. */
  version_floor: Generated<number>;
  /** When the latest recorded read or call began, by the database's clock; null before migration 0018. */
  read_began_at: Generated<Date | null>;
  /** Receivers and texts, encrypted; null once the provider has them. */
  sealed_letters: Buffer | null;
  metadata: MetadataColumn;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface PayoutItemsTable {
  payout_id: string;
  item_id: string;
  /** From 1, in the order in which they were sent. */
  position: number;
  receiver_type: ReceiverType;
  receiver_masked: string;
  minor: number;
  currency: string;
  status: ItemStatus;
  provider_item_id: string | null;
  transaction_id: string | null;
  error_code: string | null;
  updated_at: Generated<Date>;
}

export type PayoutRow = Selectable<PayoutsTable>;
export type PayoutItemRow = Selectable<PayoutItemsTable>;

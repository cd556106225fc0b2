import type { ColumnType, Generated, Insertable, Selectable } from 'kysely';
import type { Document, Instant, OptionalInstant } from './column-types.js';

interface PaymentsTable {
  id: string;
  client_id: string;
  intent: 'sale' | 'authorize';
  /** In progress: executed, and its authorization is pending. */
  state: 'created' | 'in_progress' | 'approved' | 'failed';
  approval: 'payer' | 'immediate';
  approval_token: string;
  payer_approved_at: OptionalInstant;
  /** The account that pays; for a card payment, an id that is used for its holder in the books only. */
  payer_id: string | null;
  /** The paying account as it was when its owner approved; null before, and for a card. */
  payer_info: ColumnType<PayerInfo | null, string | null | undefined, string | null>;
  payment_method: string;
  amount_minor: number;
  currency: string;
  amount_details: Document<Record<string, number>>;
  payee_id: string;
  payee_email: string | null;
  description: string | null;
  invoice_number: string | null;
  custom: string | null;
  /** Fields of the request that are only returned: item_list, note_to_payer, soft_descriptor and the like. */
  echoed: Document<EchoedFields>;
  return_url: string | null;
  cancel_url: string | null;
  expires_at: Instant;
  created_at: Instant;
  updated_at: Instant;
}

export interface PayerInfo {
  payer_id: string;
  email?: string;
  first_name?: string;
  last_name?: string;
  country_code: string;
}

export interface EchoedFields {
  payment: Record<string, unknown>;
  /** What the request said about the payer; a card only with its number masked. */
  payer?: { payer_info?: Record<string, unknown> | undefined; funding_instruments?: object[] | undefined };
  transaction: Record<string, unknown>;
}

/** The common part of a sale and a capture: money that was, or will be, collected and can be refunded. */
interface Collected {
  state: 'pending' | 'completed' | 'partially_refunded' | 'refunded' | 'denied';
  amount_minor: number;
  currency: string;
  refunded_minor: Generated<number>;
  /** Reserved by pending refunds: neither refunded nor refundable. */
  refund_pending_minor: Generated<number>;
  /** Taken back by chargebacks. */
  reversed_minor: Generated<number>;
  settles_at: OptionalInstant;
  settles_as: 'completed' | 'denied' | null;
}

interface SalesTable extends Collected {
  id: string;
  client_id: string;
  /** One of the two is set: what the sale belongs to. */
  payment_id: string | null;
  billing_agreement_id: string | null;
  payer_id: string | null;
  payee_id: string;
  amount_details: Document<Record<string, number>>;
  invoice_number: string | null;
  custom: string | null;
  request_id: string | null;
  created_at: Instant;
  updated_at: Instant;
}

interface AuthorizationsTable {
  id: string;
  client_id: string;
  payment_id: string;
  state: 'pending' | 'authorized' | 'partially_captured' | 'captured' | 'denied' | 'voided' | 'expired';
  /** Everything that was ever held under this id: reauthorized amounts count again. */
  amount_minor: number;
  currency: string;
  captured_minor: number;
  /** Reserved by pending captures: neither captured nor capturable. */
  pending_minor: number;
  released_minor: number;
  /** A final capture is pending: no other capture is accepted until it is denied. */
  closing: boolean;
  /** The part of the released amount that a reauthorization replaced. */
  renewed_minor: Generated<number>;
  /** How often it was reauthorized under its own id. */
  renewals: Generated<number>;
  /** The authorization that this one replaced, under a new id. */
  parent_id: string | null;
  /** End of the honour period: it can be reauthorized only after it. */
  honored_until: Instant;
  /** Of a pending one: when its outcome is known, and which. */
  settles_at: OptionalInstant;
  settles_as: 'authorized' | 'denied' | null;
  valid_until: Instant;
  created_at: Instant;
  updated_at: Instant;
}

interface CapturesTable extends Collected {
  id: string;
  client_id: string;
  payment_id: string;
  authorization_id: string;
  is_final: boolean;
  invoice_number: string | null;
  note_to_payer: string | null;
  request_id: string | null;
  created_at: Instant;
  updated_at: Instant;
}

export interface PaymentTables {
  payments: PaymentsTable;
  sales: SalesTable;
  authorizations: AuthorizationsTable;
  captures: CapturesTable;
}

export type PaymentRow = Selectable<PaymentsTable>;
export type NewPaymentRow = Insertable<PaymentsTable>;
export type SaleRow = Selectable<SalesTable>;
export type AuthorizationRow = Selectable<AuthorizationsTable>;
export type CaptureRow = Selectable<CapturesTable>;

import type { Insertable, Selectable } from 'kysely';
import type { Document, Instant, OptionalInstant } from '../column-types.js';

interface PaymentsTable {
  id: string;
  client_id: string;
  intent: 'sale' | 'authorize';
  state: 'created' | 'approved' | 'failed';
  approval: 'payer' | 'immediate';
  approval_token: string;
  payer_approved_at: OptionalInstant;
  payer_id: string | null;
  payment_method: string;
  amount_minor: number;
  currency: string;
  amount_details: Document<Record<string, number>>;
  payee_id: string;
  payee_email: string | null;
  description: string | null;
  invoice_number: string | null;
  custom: string | null;
  /** Fields of the request that are only given back: item_list, note_to_payer, soft_descriptor and the like. */
  echoed: Document<EchoedFields>;
  return_url: string | null;
  cancel_url: string | null;
  expires_at: Instant;
  created_at: Instant;
  updated_at: Instant;
}

export interface EchoedFields {
  payment: Record<string, unknown>;
  transaction: Record<string, unknown>;
}

interface SalesTable {
  id: string;
  client_id: string;
  payment_id: string;
  state: 'completed';
  amount_minor: number;
  currency: string;
  created_at: Instant;
  updated_at: Instant;
}

interface AuthorizationsTable {
  id: string;
  client_id: string;
  payment_id: string;
  state: 'authorized' | 'partially_captured' | 'captured' | 'voided' | 'expired';
  amount_minor: number;
  currency: string;
  captured_minor: number;
  /** Reserved by captures that are pending: neither captured nor capturable. */
  pending_minor: number;
  released_minor: number;
  /** A final capture is pending: no other capture is accepted until it is denied. */
  closing: boolean;
  valid_until: Instant;
  created_at: Instant;
  updated_at: Instant;
}

interface CapturesTable {
  id: string;
  client_id: string;
  payment_id: string;
  authorization_id: string;
  state: 'pending' | 'completed' | 'denied';
  amount_minor: number;
  currency: string;
  is_final: boolean;
  invoice_number: string | null;
  note_to_payer: string | null;
  request_id: string | null;
  settles_at: OptionalInstant;
  settles_as: 'completed' | 'denied' | null;
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

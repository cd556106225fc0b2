import type { ColumnType, GeneratedAlways, Selectable } from 'kysely';
import type { Document, Instant, OptionalInstant } from './column-types.js';
import type { PayerInfo } from './payments.js';

type OptionalDocument<Value> = ColumnType<Value | null, string | null | undefined, string | null>;

export type PlanState = 'CREATED' | 'ACTIVE' | 'INACTIVE' | 'DELETED';
export type AgreementState = 'Pending' | 'Active' | 'Suspended' | 'Cancelled' | 'Expired';
export type Frequency = 'DAY' | 'WEEK' | 'MONTH' | 'YEAR';

/** How often and how much a payer is charged; amounts are minor units of the plan's currency. */
export interface PaymentDefinition {
  id: string;
  name: string;
  type: 'TRIAL' | 'REGULAR';
  frequency: Frequency;
  frequencyInterval: number;
  /** 0: without end. */
  cycles: number;
  amountMinor: number;
  chargeModels: readonly ChargeModel[];
}

export interface ChargeModel {
  id: string;
  type: 'SHIPPING' | 'TAX';
  amountMinor: number;
}

export interface MerchantPreferences {
  setupFeeMinor: number;
  returnUrl: string;
  cancelUrl: string;
  notifyUrl?: string | undefined;
  autoBillAmount: 'YES' | 'NO';
  initialFailAmountAction: 'CONTINUE' | 'CANCEL';
  /** 0: any number of payments may fail. */
  maxFailAttempts: number;
  acceptedPaymentType?: string | undefined;
  charSet?: string | undefined;
}

/** The terms of a plan; an agreement keeps a copy, so that later changes of the plan do not affect it. */
export interface PlanTerms {
  name: string;
  description: string;
  /** In the spelling of the dialect in which the plan was created: FIXED, or fixed. */
  type: string;
  currency: string;
  definitions: readonly PaymentDefinition[];
  preferences: MerchantPreferences;
}

interface BillingPlansTable {
  id: string;
  client_id: string;
  payee_id: string;
  state: PlanState;
  terms: Document<PlanTerms>;
  created_at: Instant;
  updated_at: Instant;
}

interface BillingAgreementsTable {
  /** Names the agreement until it is executed. */
  token: string;
  id: string | null;
  client_id: string;
  plan_id: string;
  terms: Document<PlanTerms>;
  /** Null until it is executed. */
  state: AgreementState | null;
  name: string;
  description: string;
  start_at: Instant;
  payment_method: string;
  shipping_address: OptionalDocument<Record<string, string>>;
  payer_id: string | null;
  /** The paying account as it was when its owner approved. */
  payer_info: OptionalDocument<PayerInfo>;
  payer_approved_at: OptionalInstant;
  payee_id: string;
  /** Fixed at execution, so that answered dates stay valid when the setting changes. */
  day_length_ms: number;
  outstanding_minor: number;
  /** Cycles that fell due and were charged, paid or not. */
  cycles_done: number;
  /** Cycle dates that passed while it was suspended. */
  trial_slots_skipped: number;
  regular_slots_skipped: number;
  /** Consecutive ones. */
  failed_payments: number;
  /** Null while nothing is to be billed. */
  next_billing_at: OptionalInstant;
  last_payment_at: OptionalInstant;
  last_payment_minor: number | null;
  settles_at: OptionalInstant;
  settles_as: 'active' | 'denied' | 'cancelled' | null;
  expires_at: Instant;
  created_at: Instant;
  updated_at: Instant;
}

/** Charges, payments, forgiven amounts and state changes of an agreement, in order: its transactions. */
interface AgreementTransactionsTable {
  id: GeneratedAlways<number>;
  agreement_id: string;
  kind:
    | 'setup'
    | 'cycle'
    | 'balance'
    | 'waiver'
    | 'Created'
    | 'Updated'
    | 'Suspended'
    | 'Reactivated'
    | 'Canceled'
    | 'Expired';
  /** From 1; unique within the agreement: a cycle is charged once. */
  cycle: number | null;
  /** The amount that fell due with it. */
  due_minor: number;
  /** What it tried to collect: what fell due, and outstanding amounts with it. */
  amount_minor: number;
  waived_minor: number;
  status: 'completed' | 'pending' | 'failed' | null;
  sale_id: string | null;
  created_at: Instant;
}

export interface SubscriptionTables {
  billing_plans: BillingPlansTable;
  billing_agreements: BillingAgreementsTable;
  agreement_transactions: AgreementTransactionsTable;
}

export type PlanRow = Selectable<BillingPlansTable>;
export type AgreementRow = Selectable<BillingAgreementsTable>;
export type AgreementTransactionRow = Selectable<AgreementTransactionsTable>;

import type { Generated, JSONColumnType, Selectable } from 'kysely';
import type { PlanState, PlanStatus } from '#workflows/lifecycle/plan';
import type { SubscriptionState, SubscriptionStatus } from '#workflows/lifecycle/subscription';
import type { MetadataColumn } from './metadata-column.js';

export interface PlansTable {
  id: string;
  environment: string;
  application: string;
  name: string;
  content_hash: string;
  status: PlanStatus;
  state: JSONColumnType<PlanState>;
  version: number;
  /** The least version to show: callers saw it before versions followed the timeline. */
  version_floor: Generated<number>;
  /** When the latest recorded read or call began, by the database's clock; null before migration 0018. */
  read_began_at: Generated<Date | null>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface SubscriptionsTable {
  id: string;
  environment: string;
  application: string;
  plan_id: string;
  name: string;
  description: string;
  return_url: string;
  cancel_url: string;
  metadata: MetadataColumn;
  status: SubscriptionStatus;
  state: JSONColumnType<SubscriptionState>;
  version: number;
  /** The least version to show: callers saw it before versions followed the timeline. */
  version_floor: Generated<number>;
  /** When the latest recorded read or call began, by the database's clock; null before migration 0018. */
  read_began_at: Generated<Date | null>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface SubscriptionPaymentsTable {
  subscription_id: string;
  transaction_id: string;
  at: Date;
  status: string;
  minor: number;
  currency: string;
  /** When the read that showed this was requested. */
  read_at: Date;
}

export type PlanRow = Selectable<PlansTable>;
export type SubscriptionRow = Selectable<SubscriptionsTable>;
export type SubscriptionPaymentRow = Selectable<SubscriptionPaymentsTable>;

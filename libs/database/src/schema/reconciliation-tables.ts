import type { Generated, Selectable } from 'kysely';

export interface ReconciliationsTable {
  environment: string;
  application: string;
  events_until: Date;
  timeline_until: number;
  sampled_until: string | null;
  runs_until: string | null;
  events_found: Generated<number>;
  runs_restarted: Generated<number>;
  /** Of the last round: open subjects whose runs Temporal did not know. */
  runs_unknown: Generated<number>;
  events_searched_at: Date | null;
  runs_checked_at: Date | null;
  payments_compared_at: Date | null;
}

export interface DatabaseRestoresTable {
  restored_to: Date;
  recorded_at: Generated<Date>;
}

/** Of payouts whose rows were lost in a restore. */
export interface RememberedReferencesTable {
  environment: string;
  application: string;
  reference: string;
  payout_id: string;
}

export interface DriftTable {
  id: Generated<number>;
  environment: string;
  application: string;
  subject_id: string;
  field: string;
  ours: string;
  theirs: string;
  /** One side was not read: no difference is known. */
  is_unread: Generated<boolean>;
  first_seen_at: Generated<Date>;
  last_seen_at: Generated<Date>;
  resolved_at: Date | null;
}

export type ReconciliationRow = Selectable<ReconciliationsTable>;
export type DriftRow = Selectable<DriftTable>;

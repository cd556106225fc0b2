import type { ColumnType, Generated, Selectable } from 'kysely';
import type { Document, Instant } from './column-types.js';

interface IdempotentAnswersTable {
  client_id: string;
  operation: string;
  request_id: string;
  request_sha256: string;
  status: number;
  /** Null when the answer has no body. */
  answer: ColumnType<object | null, string | null, string | null>;
  created_at: Instant;
}

interface FaultsTable {
  id: string;
  client_id: string | null;
  operation: string;
  kind: string;
  settings: Document<object>;
  /** How many uses are left; null: any number. */
  remaining: number | null;
  matches: Generated<number>;
  created_at: Instant;
}

interface CallsTable {
  id: string;
  client_id: string | null;
  operation: string;
  method: string;
  path: string;
  request_id: string | null;
  status: number;
  fault: string | null;
  started_at: Instant;
  finished_at: Instant;
  /** Owner of the application, and its environment, at the time of the call; null for an unknown caller. */
  account_id: string | null;
  environment: string | null;
  /** Redacted, without its `?`. */
  query: Generated<string>;
  /** The payment, authorization, capture, sale, refund, plan, agreement or payout concerned. */
  transaction_id: string | null;
  request_headers: StoredHeaders;
  /** Redacted. The note says what is missing. */
  request_body: string | null;
  request_body_note: string | null;
  response_headers: StoredHeaders;
  response_body: string | null;
  response_body_note: string | null;
}

type StoredHeaders = ColumnType<Record<string, string> | null, string | null, string | null>;

export interface CallTables {
  idempotent_answers: IdempotentAnswersTable;
  faults: FaultsTable;
  calls: CallsTable;
}

export type CallRow = Selectable<CallsTable>;

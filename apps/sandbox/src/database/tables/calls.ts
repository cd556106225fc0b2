import type { ColumnType, Generated } from 'kysely';
import type { Document, Instant } from '../column-types.js';

interface IdempotentAnswersTable {
  client_id: string;
  operation: string;
  request_id: string;
  request_sha256: string;
  status: number;
  /** Null where the answer has no body. */
  answer: ColumnType<object | null, string | null, string | null>;
  created_at: Instant;
}

interface FaultsTable {
  id: string;
  client_id: string | null;
  operation: string;
  kind: string;
  settings: Document<object>;
  /** How often it still strikes; null: always. */
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
}

export interface CallTables {
  idempotent_answers: IdempotentAnswersTable;
  faults: FaultsTable;
  calls: CallsTable;
}

import type { Generated } from 'kysely';

/** The tables of the console. */

export interface ConsoleSessionsTable {
  id: string;
  user_name: string;
  token_sha256: string;
  credential_sha256: string;
  role: string | null;
  created_at: Generated<Date>;
  expires_at: Date;
  last_used_at: Generated<Date>;
  ended_at: Date | null;
}

export interface ConsoleSignInFailuresTable {
  /** Or that of a browser that has signed in before: `<of names>/<of browsers>`. */
  name_group: string;
  failures: number;
  last_at: Date;
}

export interface ConsoleAuditTable {
  id: Generated<number>;
  at: Generated<Date>;
  user_name: string;
  role: string;
  action: string;
  environment: string | null;
  application: string | null;
  subject_id: string | null;
  idempotency_key: string | null;
  reason: string | null;
  detail: string | null;
}

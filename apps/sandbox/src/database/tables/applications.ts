import type { Generated, Selectable } from 'kysely';
import type { Document, Instant } from './column-types.js';

export type Environment = 'sandbox' | 'live';

interface AccountsTable {
  id: string;
  environment: Environment;
  kind: Generated<'business' | 'personal'>;
  /** Unique in its environment, whatever the case of its letters. */
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  business_name: string | null;
  country_code: Generated<string>;
  /** Its funding source declines every payment. */
  funding_declines: Generated<boolean>;
  created_at: Instant;
}

interface ApplicationsTable {
  client_id: string;
  secret_sha256: string;
  name: string;
  app_id: string;
  account_id: string;
  settings: Document<object>;
  created_at: Instant;
}

interface AccessTokensTable {
  token_sha256: string;
  client_id: string;
  expires_at: Instant;
}

export interface ApplicationTables {
  accounts: AccountsTable;
  applications: ApplicationsTable;
  access_tokens: AccessTokensTable;
}

export type AccountRow = Selectable<AccountsTable>;

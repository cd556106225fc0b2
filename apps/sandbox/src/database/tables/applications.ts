import type { Document, Instant } from '../column-types.js';

interface AccountsTable {
  id: string;
  environment: 'sandbox' | 'live';
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

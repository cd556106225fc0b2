import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** An address may be longer than an entry of an index, so it is indexed by its hash. */
const STATEMENTS = [
  'ALTER TABLE webhooks ADD COLUMN url_sha256 text',
  "UPDATE webhooks SET url_sha256 = encode(sha256(convert_to(url, 'UTF8')), 'hex')",
  'ALTER TABLE webhooks ALTER COLUMN url_sha256 SET NOT NULL',
  'ALTER TABLE webhooks DROP CONSTRAINT webhooks_client_id_url_key',
  'ALTER TABLE webhooks ADD CONSTRAINT webhooks_address UNIQUE (client_id, url_sha256)',
];

export const webhookAddresses: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database);
  },
};

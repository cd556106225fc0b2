import { Kysely, PostgresDialect } from 'kysely';
import { Migrator } from 'kysely/migration';
import { Client, Pool } from 'pg';
import { expect, it } from 'vitest';
import { MIGRATIONS } from '#sandbox/database/migrations.js';
import { checkBooks } from '#sandbox/books/check-books.js';
import type { Tables } from '#sandbox/database/tables.js';
import { createDatabase } from '../../helpers/database.js';

const BEFORE_REFUNDS = '0002-wider-books';

const EARLIER_SALE = `
  INSERT INTO accounts VALUES ('OWNER', 'sandbox', now());
  INSERT INTO applications VALUES ('shop', 'hash', 'shop', 'APP-1', 'OWNER', '{}', now());
  INSERT INTO payments (id, client_id, intent, state, approval, approval_token, payer_id, payment_method, amount_minor,
    currency, amount_details, payee_id, invoice_number, custom, echoed, expires_at, created_at, updated_at)
  VALUES ('PAY-1', 'shop', 'sale', 'approved', 'payer', 'EC-1', 'PAYER', 'wallet', 1000, 'USD', '{"subtotal":1000}',
    'PAYEE', 'order-7', 'ours', '{"payment":{},"transaction":{}}', now(), now(), now());
  INSERT INTO sales VALUES ('SALE', 'shop', 'PAY-1', 'completed', 1000, 'USD', now(), now());
  INSERT INTO book_entries (kind, client_id, payment_id, amount_minor, currency, created_at)
  VALUES ('sale', 'shop', 'PAY-1', 1000, 'USD', now());
  INSERT INTO book_postings VALUES (1, 'payer:PAYER', -1000), (1, 'payee:PAYEE', 1000)`;

it('sales from before there were refunds can be refunded like later ones', async () => {
  const database = await createDatabase();
  const kysely = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: new Pool({ connectionString: database.url }) }),
  });
  const client = new Client({ connectionString: database.url });
  try {
    const provider = { getMigrations: () => Promise.resolve(MIGRATIONS) };
    const migrator = new Migrator({ db: kysely, provider });
    expect((await migrator.migrateTo(BEFORE_REFUNDS)).error).toBeUndefined();
    await client.connect();
    await client.query(EARLIER_SALE);
    expect((await migrator.migrateToLatest()).error).toBeUndefined();

    const sale = await kysely.selectFrom('sales').selectAll().executeTakeFirstOrThrow();
    expect(sale).toMatchObject({
      payer_id: 'PAYER',
      payee_id: 'PAYEE',
      amount_details: { subtotal: 1000 },
      invoice_number: 'order-7',
      custom: 'ours',
      billing_agreement_id: null,
    });
    const { rows } = await client.query("SELECT sale_id FROM book_entries WHERE kind = 'sale'");
    expect(rows).toEqual([{ sale_id: 'SALE' }]);
    expect(await checkBooks(kysely)).toEqual([]);
  } finally {
    await client.end();
    await kysely.destroy();
    await database.drop();
  }
});

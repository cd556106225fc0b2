import { Client } from 'pg';
import { type Models, modelTables } from './models.js';
import { insertOthers } from './other-rows.js';
import { paymentRows } from './payment-rows.js';
import { RowCopier } from './row-copier.js';
import { spreadPayments } from './spread.js';

/** Fills a migrated, empty database with so many payments, about as many calls and events, and what belongs to them. */
export async function fillEngine(
  databaseUrl: string,
  models: Models,
  count: number,
  report: (line: string) => void,
): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('SET synchronous_commit = off');
    await loadModels(client, models);
    await spreadPayments(client, models, count);
    const fill = new RowCopier(client);
    const indexes = await dropIndexes(client);
    const others = (copier: RowCopier) => insertOthers(copier, Math.max(250, count / 50));
    for (const [name, step] of Object.entries({ ...paymentRows, others })) {
      const startedAt = performance.now();
      await step(fill);
      if (count > 10_000) report(`  ${name}: ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
    }
    // As migrations make them; a million rows each are sorted in quickly at the end.
    for (const index of indexes) await client.query(index);
    await client.query('VACUUM ANALYZE');
    // What is still to be written must not be written while something is measured.
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}

/** All but those of constraints. @returns the statements that make them again. */
async function dropIndexes(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; statement: string }>(
    `SELECT indexname AS name, indexdef AS statement FROM pg_indexes WHERE schemaname = 'public'
       AND NOT EXISTS (SELECT FROM pg_constraint WHERE conname = indexname)`,
  );
  for (const { name } of rows) await client.query(`DROP INDEX public.${name}`);
  return rows.map(({ statement }) => statement);
}

async function loadModels(client: Client, { rows }: Models): Promise<void> {
  await client.query(`
    CREATE SCHEMA model;
    CREATE FUNCTION model.now_ms() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT ${Date.now()}';
    CREATE FUNCTION model.timed_id(prefix text, ms bigint, seed text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
      SELECT prefix || ${base32Digits('ms')} || left(md5(seed), 26) $$`);
  for (const table of modelTables) {
    await client.query(`CREATE TABLE model.${table} AS TABLE public.${table} WITH NO DATA`);
    await client.query(
      `INSERT INTO model.${table} SELECT * FROM json_populate_recordset(NULL::model.${table}, $1::json)`,
      [rows[table]],
    );
  }
}

/** Ten digits, as the API writes the time in an id. */
function base32Digits(value: string): string {
  const places = Array.from({ length: 10 }, (_, place) => 45 - 5 * place);
  return places
    .map((bits) => `substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + ((${value} >> ${bits}) & 31)::int, 1)`)
    .join(' || ');
}

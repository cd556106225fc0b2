import { Kysely, PostgresDialect, sql } from 'kysely';
import { Migrator } from 'kysely/migration';
import { DatabaseError, Pool } from 'pg';
import { MIGRATIONS } from './migrations.js';

/** PostgreSQL's code for a table that does not exist. */
const UNDEFINED_TABLE = '42P01';

/**
 * Migrates the database of the service: the step before its first start, and before the first start of a newer version.
 * Two that run at once migrate one after the other. A schema that is newer stays as it is.
 */
export async function migrateSandbox(databaseUrl: string, known = MIGRATIONS): Promise<void> {
  const pool = new Pool({ connectionString: databaseUrl, max: 2 });
  const database = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    if ((await missingMigrations(database, known)).length === 0) return;
    const provider = { getMigrations: () => Promise.resolve(known) };
    const { error } = await new Migrator({ db: database, provider }).migrateToLatest();
    if (error !== undefined) throw error;
  } finally {
    await database.destroy();
  }
}

/** @throws when the database lacks a migration of this version. */
export async function requireSchema<Tables>(database: Kysely<Tables>, known = MIGRATIONS): Promise<void> {
  const [missing] = await missingMigrations(database, known);
  if (missing === undefined) return;
  throw new Error(
    `Its database lacks the migration ${missing}: the step "migrate" of this version comes first.`,
  );
}

async function missingMigrations<Tables>(
  database: Kysely<Tables>,
  known: typeof MIGRATIONS,
): Promise<string[]> {
  const applied = await appliedMigrations(database);
  return Object.keys(known).filter((name) => !applied.has(name));
}

async function appliedMigrations<Tables>(database: Kysely<Tables>): Promise<ReadonlySet<string>> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database);
    return new Set(rows.map(({ name }) => name));
  } catch (error) {
    if (error instanceof DatabaseError && error.code === UNDEFINED_TABLE) return new Set();
    throw error;
  }
}

import { sql } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { type Database, openDatabase } from './database.js';
import { migrations } from './migrations.js';

type Migrations = Readonly<Record<string, Migration>>;

/** A process of this version cannot work on the database yet. The message names no address, so it can be shown. */
export class SchemaTooOld extends Error {
  override readonly name = 'SchemaTooOld';

  constructor(missing: readonly string[]) {
    super(
      `The database lacks the migration ${missing[0]}${others(missing.length - 1)}. ` +
        'Run "npm run migrate" of this version first.',
    );
  }
}

function others(count: number): string {
  return count === 0 ? '' : ` and ${count} after it`;
}

/**
 * Migrates the schema without a time limit, because migrations of large tables take longer than other statements may.
 * Rejects if the database cannot be reached.
 */
export async function migrateDatabase(connectionString: string, known = migrations): Promise<void> {
  const db = openDatabase(connectionString, { poolSize: 2, queryTimeoutMs: 0, idleInTransactionMs: 0 });
  try {
    await migrate(db, known);
  } finally {
    await db.destroy();
  }
}

/**
 * Migrates the schema. Several processes can call it at the same time: the migrator holds an advisory lock. A newer
 * schema stays as it is: a rollback runs the step of the earlier release, too.
 */
export async function migrate(db: Database, known: Migrations = migrations): Promise<void> {
  // Kysely's migrator refuses a schema that has migrations which it does not know.
  if ((await missingMigrations(db, known)).length === 0) return;
  const migrator = new Migrator({ db, provider: { getMigrations: () => Promise.resolve(known) } });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/**
 * @throws {SchemaTooOld} unless the schema has every migration that this version knows. It may have newer ones: they
 *   only add, so that versions can run side by side and a release can be rolled back (docs/changing-the-schema.md).
 */
export async function requireSchema(db: Database, known: Migrations = migrations): Promise<void> {
  const missing = await missingMigrations(db, known);
  if (missing.length > 0) throw new SchemaTooOld(missing);
}

async function missingMigrations(db: Database, known: Migrations): Promise<string[]> {
  const applied = new Set(await appliedMigrations(db));
  return Object.keys(known).filter((name) => !applied.has(name));
}

/** As Kysely's migrator records them; none in an empty database. */
async function appliedMigrations(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`
    .execute(db)
    .catch((error: unknown) => {
      if (isUndefinedTable(error)) return { rows: [] };
      throw error;
    });
  return rows.map(({ name }) => name);
}

function isUndefinedTable(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === '42P01';
}

import { sql } from 'kysely';
import { type Database, openDatabase } from './database.js';

/** The names of the roles in PostgreSQL by which processes work. */
export interface ProcessRoles {
  readonly api?: string | undefined;
  readonly worker?: string | undefined;
  readonly purge?: string | undefined;
}

type Rights = readonly ('select' | 'insert' | 'update' | 'delete')[];

/** Only the step of a release writes them. */
const ofMigrations = ['kysely_migration', 'kysely_migration_lock'];
/** Records of what was done: added, never changed. */
const appendOnly = ['api_calls', 'console_audit', 'webhook_resends'];
/** Who may read what: no worker needs it. */
const ofAccess = ['console_audit', 'console_sessions', 'console_sign_in_failures', 'codec_sessions'];
const purged = [
  'api_calls',
  'codec_sessions',
  'console_audit',
  'console_sessions',
  'notification_attempts',
  'notification_deliveries',
  'notifications',
  'timeline',
  'webhook_events',
  'webhook_resends',
  'webhook_transmissions',
];

/** What a role may do with a table. */
function rightsOn(table: string, role: keyof ProcessRoles): Rights {
  if (ofMigrations.includes(table)) return ['select'];
  if (role === 'purge') return purged.includes(table) ? ['select', 'delete'] : ['select'];
  if (role === 'worker' && ofAccess.includes(table)) return [];
  if (appendOnly.includes(table)) return ['select', 'insert'];
  const isTidied = table === (role === 'api' ? 'console_sign_in_failures' : 'webhook_events');
  return ['select', 'insert', 'update', ...(isTidied ? (['delete'] as const) : [])];
}

/**
 * Gives the roles of the processes what they need of the present tables, and takes the rest. It is one transaction, so
 * processes at work notice nothing.
 */
export async function grantRoles(connectionString: string, roles: ProcessRoles): Promise<void> {
  const db = openDatabase(connectionString, { poolSize: 1 });
  try {
    await db.transaction().execute(async (trx) => {
      const tables = await tablesOf(trx);
      for (const kind of ['api', 'worker', 'purge'] as const) {
        const name = roles[kind];
        if (name === undefined) continue;
        await sql`revoke all on all tables in schema public from ${sql.id(name)}`.execute(trx);
        for (const table of tables) {
          const rights = rightsOn(table, kind);
          if (rights.length === 0) continue;
          await sql`grant ${sql.raw(rights.join(', '))} on ${sql.table(table)} to ${sql.id(name)}`.execute(
            trx,
          );
        }
      }
    });
  } finally {
    await db.destroy();
  }
}

async function tablesOf(db: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The signed-in operators of the dashboards. */
const STATEMENTS = [
  `CREATE TABLE dashboard_sessions (
    session_sha256 text PRIMARY KEY,
    ends_at timestamptz NOT NULL)`,
];

export const dashboardSessions: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database);
  },
};

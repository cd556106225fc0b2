import { sql } from 'kysely';
import type { Database } from '../connection/database.js';

/** A session of the console. Its secret is stored only as a hash. */
export interface ConsoleSessionRow {
  readonly id: string;
  readonly user_name: string;
  /** Of what the configuration says of the user, or of the identity provider: a change there ends the session. */
  readonly credential_sha256: string;
  /** By the groups that the identity provider names; null for a user of the configuration, which names the role. */
  readonly role: string | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly last_used_at: Date;
  readonly ended_at: Date | null;
}

const columns = sql.raw(
  'id, user_name, credential_sha256, role, created_at, expires_at, last_used_at, ended_at',
);

export async function openConsoleSession(
  db: Database,
  session: {
    readonly id: string;
    readonly userName: string;
    readonly tokenSha256: string;
    readonly credentialSha256: string;
    readonly role?: string;
    readonly forMs: number;
  },
): Promise<void> {
  await sql`
    insert into console_sessions (id, user_name, token_sha256, credential_sha256, role, expires_at)
    values (${session.id}, ${session.userName}, ${session.tokenSha256}, ${session.credentialSha256},
      ${session.role ?? null}, now() + ${session.forMs} * interval '1 millisecond')`.execute(db);
}

/**
 * The open session with this token. Notes its use once a minute.
 *
 * @param idleMs a session that was not used for so long has ended.
 */
export async function useConsoleSession(
  db: Database,
  tokenSha256: string,
  idleMs: number,
): Promise<ConsoleSessionRow | undefined> {
  const { rows } = await sql<ConsoleSessionRow>`
    with used as (
      update console_sessions set last_used_at = now()
      where token_sha256 = ${tokenSha256} and ended_at is null and last_used_at < now() - interval '1 minute'
        and last_used_at > now() - ${idleMs} * interval '1 millisecond'
    )
    select ${columns} from console_sessions
    where token_sha256 = ${tokenSha256} and ended_at is null and expires_at > now()
      and last_used_at > now() - ${idleMs} * interval '1 millisecond'`.execute(db);
  return rows[0];
}

/** @returns false if there is no such open session. */
export async function endConsoleSession(db: Database, id: string): Promise<ConsoleSessionRow | undefined> {
  const { rows } = await sql<ConsoleSessionRow>`
    update console_sessions set ended_at = now() where id = ${id} and ended_at is null
    returning ${columns}`.execute(db);
  return rows[0];
}

/** The open sessions, newest first. */
export async function listConsoleSessions(db: Database, limit: number): Promise<ConsoleSessionRow[]> {
  const { rows } = await sql<ConsoleSessionRow>`
    select ${columns} from console_sessions where ended_at is null and expires_at > now()
    order by created_at desc limit ${limit}`.execute(db);
  return rows;
}

import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import type { Owner } from '../schema/owner.js';

/**
 * A codec session: its API key, its times, and how many payloads were decrypted. Its secrets are stored only as hashes.
 */
export interface CodecSessionRow extends Owner {
  readonly id: string;
  /** The API key that opened it. */
  readonly key_id: string;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly signed_in_at: Date | null;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
  readonly payloads_shown: number;
}

export interface NewCodecSession extends Owner {
  readonly id: string;
  readonly keyId: string;
  readonly tokenSha256: string;
  readonly linkSha256: string;
  readonly forMs: number;
}

const columns =
  sql.raw(`id, environment, application, key_id, created_at, expires_at, signed_in_at, revoked_at,
  last_used_at, payloads_shown`);
const stands = sql.raw('revoked_at is null and expires_at > now()');

export async function openCodecSession(db: Database, session: NewCodecSession): Promise<CodecSessionRow> {
  const { rows } = await sql<CodecSessionRow>`
    insert into codec_sessions (id, environment, application, key_id, token_sha256, link_sha256, expires_at)
    values (${session.id}, ${session.environment}, ${session.application}, ${session.keyId},
      ${session.tokenSha256}, ${session.linkSha256}, now() + ${session.forMs} * interval '1 millisecond')
    returning ${columns}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a codec session has no row');
  return row;
}

/** The valid session with this token. */
export async function findCodecSession(
  db: Database,
  tokenSha256: string,
): Promise<CodecSessionRow | undefined> {
  const { rows } = await sql<CodecSessionRow>`
    select ${columns} from codec_sessions where token_sha256 = ${tokenSha256} and ${stands}`.execute(db);
  return rows[0];
}

/**
 * Hands a session over to the browser with its link, once: a new token replaces the old one.
 *
 * @returns undefined if the link is used, expired or unknown.
 */
export async function signInByLink(
  db: Database,
  linkSha256: string,
  tokenSha256: string,
): Promise<CodecSessionRow | undefined> {
  const { rows } = await sql<CodecSessionRow>`
    update codec_sessions set token_sha256 = ${tokenSha256}, link_sha256 = null, signed_in_at = now()
    where link_sha256 = ${linkSha256} and ${stands} returning ${columns}`.execute(db);
  return rows[0];
}

/** Counts the payloads before they are shown, so that every display is recorded. */
export async function notePayloadsShown(db: Database, id: string, payloads: number): Promise<void> {
  await sql`update codec_sessions
    set last_used_at = now(), payloads_shown = payloads_shown + ${payloads} where id = ${id}`.execute(db);
}

/** The latest sessions, newest first. */
export async function listCodecSessions(
  db: Database,
  { environment, application }: Owner,
  limit: number,
): Promise<CodecSessionRow[]> {
  const { rows } = await sql<CodecSessionRow>`
    select ${columns} from codec_sessions
    where environment = ${environment} and application = ${application}
    order by created_at desc, id desc limit ${limit}`.execute(db);
  return rows;
}

/** @returns undefined if the application has no such session. */
export async function getCodecSession(
  db: Database,
  { environment, application }: Owner,
  id: string,
): Promise<CodecSessionRow | undefined> {
  const { rows } = await sql<CodecSessionRow>`
    select ${columns} from codec_sessions
    where id = ${id} and environment = ${environment} and application = ${application}`.execute(db);
  return rows[0];
}

/** @returns undefined if the application has no such session. */
export async function revokeCodecSession(
  db: Database,
  { environment, application }: Owner,
  id: string,
): Promise<CodecSessionRow | undefined> {
  const { rows } = await sql<CodecSessionRow>`
    update codec_sessions set revoked_at = coalesce(revoked_at, now())
    where id = ${id} and environment = ${environment} and application = ${application}
    returning ${columns}`.execute(db);
  return rows[0];
}

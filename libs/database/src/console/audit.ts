import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import type { CommandResult } from '../schema/schema.js';
import { storableText } from '../text/storable-text.js';

/** What a user of the console did. It is written before it is done, and never changed. */
export interface NewAuditEntry {
  readonly userName: string;
  readonly role: string;
  readonly action: string;
  readonly environment?: string;
  readonly application?: string;
  readonly subjectId?: string;
  /** Of the command, which has the outcome. */
  readonly idempotencyKey?: string;
  readonly reason?: string;
  readonly detail?: string;
}

export interface AuditEntry {
  readonly id: number;
  readonly at: Date;
  readonly user_name: string;
  readonly role: string;
  readonly action: string;
  readonly environment: string | null;
  readonly application: string | null;
  readonly subject_id: string | null;
  readonly idempotency_key: string | null;
  readonly reason: string | null;
  readonly detail: string | null;
  readonly command_id: string | null;
  readonly command_status: string | null;
  readonly command_result: CommandResult | null;
  /** Another user's equal request was first. */
  readonly requested_by: string | null;
}

export async function recordAudit(db: Database, entry: NewAuditEntry): Promise<void> {
  const { environment = null, application = null, subjectId = null, idempotencyKey = null } = entry;
  const [reason, detail] = [entry.reason, entry.detail].map((text) =>
    text === undefined ? null : storableText(text),
  );
  await sql`
    insert into console_audit (user_name, role, action, environment, application, subject_id, idempotency_key,
      reason, detail)
    values (${entry.userName}, ${entry.role}, ${entry.action}, ${environment}, ${application}, ${subjectId},
      ${idempotencyKey}, ${reason}, ${detail})`.execute(db);
}

export interface AuditFilter {
  readonly userName?: string | undefined;
  readonly subjectId?: string | undefined;
  readonly action?: string | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}

/** Newest first, each with the outcome of its command. */
export async function listAudit(
  db: Database,
  { userName, subjectId, action, before, limit }: AuditFilter,
): Promise<AuditEntry[]> {
  const conditions = [
    sql`true`,
    ...(userName === undefined ? [] : [sql`audit.user_name = ${userName}`]),
    ...(subjectId === undefined ? [] : [sql`audit.subject_id = ${subjectId}`]),
    ...(action === undefined ? [] : [sql`audit.action = ${action}`]),
    ...(before === undefined ? [] : [sql`audit.id < ${before}`]),
  ];
  const { rows } = await sql<AuditEntry>`
    select audit.id, audit.at, audit.user_name, audit.role, audit.action, audit.environment, audit.application,
      audit.subject_id, audit.idempotency_key, audit.reason, audit.detail, commands.id as command_id, commands.status as command_status,
      commands.result as command_result, commands.requested_by
    from console_audit audit
    left join commands on commands.environment = audit.environment and commands.application = audit.application
      and commands.idempotency_key = audit.idempotency_key
    where ${sql.join(conditions, sql` and `)}
    order by audit.id desc limit ${limit}`.execute(db);
  return rows;
}

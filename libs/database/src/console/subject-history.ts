import { sql } from 'kysely';
import { type ListedCall, listCallsBefore } from '../calls/api-calls.js';
import { listAttempts } from '../commands/attempts.js';
import type { Database } from '../connection/database.js';
import { listNotifications, type NotificationWithDeliveries } from '../notifications/notification-list.js';
import { listDriftOf } from '../reconciliation/drift.js';
import type { AttemptRow, CommandRow, DriftRow, WebhookEventRow } from '../schema/schema.js';
import type { Subject } from '#workflows/contract';
import { type StoredEntry, listTimeline } from '../transitions/timeline.js';
import { type AuditEntry, listAudit } from './audit.js';

/** Everything that is recorded about a subject. */
export interface SubjectHistory {
  readonly timeline: readonly StoredEntry[];
  /** The latest ones, oldest first, as of every kind of which there may be many. */
  readonly commands: readonly ShownCommand[];
  readonly attempts: readonly AttemptRow[];
  readonly calls: readonly ListedCall[];
  readonly events: readonly ShownEvent[];
  readonly notifications: readonly NotificationWithDeliveries[];
  readonly audit: readonly AuditEntry[];
  readonly drift: readonly DriftRow[];
}

interface ShownCommand extends CommandRow {
  /** It has succeeded, and the payment's row, which waits, does not show it yet (`waits_since`, docs/decisions/0018). */
  readonly is_unshown: boolean;
}

type ShownEvent = Pick<
  WebhookEventRow,
  'event_id' | 'event_type' | 'resource' | 'status' | 'detail' | 'received_at' | 'status_at' | 'source'
>;

/** More of a kind than anybody reads on one page. */
const mostOfEach = 300;

/** @param instant a transaction: the parts must fit each other. */
export async function readSubjectHistory(instant: Database, subject: Subject): Promise<SubjectHistory> {
  const { id, environment, application } = subject;
  const commands = await instant
    .selectFrom('commands')
    .selectAll()
    .select(
      sql<boolean>`status = 'succeeded' and exists (select from payments
        where payments.id = subject_id and waits_since <= commands.updated_at)`.as('is_unshown'),
    )
    .where('subject_id', '=', id)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(mostOfEach)
    .execute();
  const events = await instant
    .selectFrom('webhook_events')
    .select(['event_id', 'event_type', 'resource', 'status', 'detail', 'received_at', 'status_at', 'source'])
    .where('subject_id', '=', id)
    .orderBy('id', 'desc')
    .limit(mostOfEach)
    .execute();
  return {
    timeline: (await listTimeline(instant, id)).slice(-mostOfEach),
    commands: commands.toReversed(),
    attempts: (await listAttempts(instant, id)).slice(-mostOfEach),
    calls: (await listCallsBefore(instant, id, { limit: mostOfEach })).toReversed(),
    events: events.toReversed(),
    notifications: await listNotifications(instant, {
      environment,
      application,
      subjectId: id,
      limit: mostOfEach,
    }),
    audit: await listAudit(instant, { subjectId: id, limit: mostOfEach }),
    drift: await listDriftOf(instant, id),
  };
}

/** The number of requests about a subject: with its version it shows whether somebody has acted since. */
export async function countRequests(
  db: Database,
  subjectId: string,
): Promise<{ readonly commands: number; readonly audited: number }> {
  const { rows } = await sql<{ commands: number; audited: number }>`
    select (select count(*) from commands where subject_id = ${subjectId}) as commands,
      (select count(*) from console_audit where subject_id = ${subjectId} and idempotency_key is not null) as audited
  `.execute(db);
  return rows[0] ?? { commands: 0, audited: 0 };
}

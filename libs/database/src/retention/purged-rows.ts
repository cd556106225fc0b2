import { type RawBuilder, sql } from 'kysely';

/** Rows that have an end, under the names of the configuration. */
export type PurgedKind =
  | 'apiCalls'
  | 'webhookEvents'
  | 'webhookTransmissions'
  | 'timeline'
  | 'notifications'
  | 'consoleAudit'
  | 'sessions';

/** A table whose rows are numbered in the order of their age, so that a purge walks it by its primary key. */
export interface PurgedRows {
  readonly table: string;
  readonly key: string;
  readonly at: string;
  /** The subject of a row, if it has one. */
  readonly subjectId: RawBuilder<unknown>;
  /** Null: that of the subject. */
  readonly environment: RawBuilder<unknown>;
  /** A further condition for the deletion of a row. */
  readonly isNoLongerNeeded: RawBuilder<unknown>;
  /** Tables whose rows go with it: the column that names the row, or a condition on it. */
  readonly parts?: readonly { readonly table: string; readonly belongs: RawBuilder<unknown> }[];
}

/** How far reconciliation has come with the application of a row or of its subject. */
const reconciled = (column: string, of: string) => sql`(select ${sql.ref(column)} from reconciliations
  where reconciliations.environment = ${sql.ref(`${of}.environment`)}
    and reconciliations.application = ${sql.ref(`${of}.application`)})`;

type AgedKind = 'webhookTransmissions' | 'sessions';

export const purgedRows: Readonly<Record<Exclude<PurgedKind, AgedKind>, PurgedRows>> = {
  apiCalls: {
    table: 'api_calls',
    key: 'id',
    at: 'started_at',
    subjectId: sql`line.subject_id`,
    environment: sql`line.environment`,
    isNoLongerNeeded: sql`true`,
  },
  webhookEvents: {
    table: 'webhook_events',
    key: 'id',
    at: 'received_at',
    subjectId: sql`line.subject_id`,
    environment: sql`line.environment`,
    // Of an account that others use, too, events stay parked for good: nobody has asked for theirs in all that time.
    // A search of the provider's events that has not passed it yet would find it missing.
    isNoLongerNeeded: sql`(line.status in ('applied', 'ignored') and line.due_at is null
        or line.status = 'parked' and line.subject_id is null)
      and line.received_at < ${reconciled('events_until', 'line')}
      and not exists (select from provider_resends asked
        where asked.webhook_event_id = line.id and asked.finished_at is null)`,
    // What was asked of the provider (provider_resends) goes by its foreign key.
    parts: [{ table: 'webhook_resends', belongs: sql`webhook_event_id in (select key from deleted)` }],
  },
  timeline: {
    table: 'timeline',
    key: 'id',
    at: 'at',
    subjectId: sql`line.subject_id`,
    environment: sql`null::text`,
    // The last line stays: it has the version that callers have seen. Lines that were not compared yet stay, too.
    isNoLongerNeeded: sql`line.version < (select max(newest.version) from timeline newest
        where newest.subject_id = line.subject_id)
      and line.id <= ${reconciled('timeline_until', 'subject')}`,
  },
  notifications: {
    table: 'notifications',
    key: 'sequence',
    at: 'created_at',
    subjectId: sql`line.subject_id`,
    environment: sql`line.environment`,
    // What was written while its endpoint was deleted waits for nobody.
    isNoLongerNeeded: sql`not exists (select from notification_deliveries waiting
      join notification_endpoints endpoint on endpoint.id = waiting.endpoint_id and endpoint.status <> 'deleted'
      where waiting.sequence = line.sequence and waiting.state = 'pending')`,
    parts: [
      {
        table: 'notification_attempts',
        belongs: sql`delivery_id in (select id from notification_deliveries where sequence in (select key from deleted))`,
      },
      { table: 'notification_deliveries', belongs: sql`sequence in (select key from deleted)` },
    ],
  },
  consoleAudit: {
    table: 'console_audit',
    key: 'id',
    at: 'at',
    subjectId: sql`line.subject_id`,
    // A sign-in is for every environment.
    environment: sql`coalesce(line.environment, 'live')`,
    isNoLongerNeeded: sql`true`,
  },
};

/** A table whose rows are needed by nobody once they are old. */
export interface AgedRows {
  readonly table: string;
  readonly key: readonly string[];
  readonly at: string;
  readonly environment: RawBuilder<unknown>;
}

export const agedRows: Readonly<Record<AgedKind, readonly AgedRows[]>> = {
  webhookTransmissions: [
    {
      table: 'webhook_transmissions',
      key: ['environment', 'application', 'transmission_id'],
      at: 'first_at',
      environment: sql`environment`,
    },
  ],
  sessions: [
    { table: 'codec_sessions', key: ['id'], at: 'expires_at', environment: sql`environment` },
    // One shows every environment.
    { table: 'console_sessions', key: ['id'], at: 'expires_at', environment: sql`'live'` },
  ],
};

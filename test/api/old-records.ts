import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { PaymentState } from '#workflows/lifecycle/payment';
import { type ApiFixture, authorizedState } from './api-fixture.js';

export const old = 400;
export const young = 5;

/** The least that may be configured. */
export const kept = {
  apiCalls: 30,
  webhookEvents: 30,
  webhookTransmissions: 30,
  timeline: 90,
  notifications: 30,
  consoleAudit: 365,
  sessions: 365,
};

interface Of {
  /** Of the subject. */
  readonly id: string | null;
  readonly days: number;
}

const columnOf = {
  api_calls: 'path',
  webhook_events: 'event_id',
  webhook_resends: 'requested_by',
  webhook_transmissions: 'transmission_id',
  notifications: 'payload',
  notification_attempts: 'reason',
  console_audit: 'user_name',
  provider_resends: 'requested_by',
  codec_sessions: 'key_id',
  console_sessions: 'user_name',
} as const;

const ago = (days: number) => sql`now() - ${days} * interval '1 day'`;

/** Rows that were written some days ago; each has a label. */
export class OldRecords {
  constructor(private readonly api: ApiFixture) {}

  /** A payment that last changed so many days ago, with old and young records of each kind. */
  async payment(name: string, state: Partial<PaymentState>, days = old): Promise<string> {
    const id = await this.api.paymentWith(authorizedState());
    await this.api.moveTo(id, state);
    await this.do(sql`update payments set updated_at = ${ago(days)} where id = ${id}`);
    for (const age of [old, young]) await this.ofEachKind(`${name} ${age}`, { id, days: age });
    await this.do(sql`update timeline set at = ${ago(old)} where subject_id = ${id}`);
    return id;
  }

  async ofEachKind(label: string, of: Of): Promise<void> {
    await this
      .do(sql`insert into api_calls (environment, application, subject_id, operation, method, path, started_at,
        duration_ms) values ('sandbox', 'shop', ${of.id}, 'op', 'GET', ${label}, ${ago(of.days)}, 1)`);
    await this.event(label, 'applied', of);
    await this
      .do(sql`insert into webhook_transmissions (environment, application, transmission_id, body_hash, first_at)
      values ('sandbox', 'shop', ${label}, ''::bytea, ${ago(of.days)})`);
    await this.notification(label, 'delivered', of);
    await this.do(sql`insert into console_audit (at, user_name, role, action, environment, subject_id)
      values (${ago(of.days)}, ${label}, 'admin', 'void', 'sandbox', ${of.id})`);
  }

  /** An event that somebody has resent. */
  async event(label: string, status: string, { id, days }: Of): Promise<void> {
    const due = status === 'parked' ? sql`now() + interval '1 hour'` : sql`null`;
    await this.do(sql`with noted as (
        insert into webhook_events (environment, application, event_id, event_type, resource, resource_ids, payload,
          status, subject_id, received_at, due_at)
        values ('sandbox', 'shop', ${label}, 'X', '{}', '{}', '{}', ${status}, ${id}, ${ago(days)}, ${due})
        returning id
      )
      insert into webhook_resends (webhook_event_id, requested_by, status_before)
      select id, ${label}, 'applied' from noted`);
  }

  /** The provider is asked to deliver an event again; it has done so, unless nobody has asked it yet. */
  async providerResend(label: string, isFinished: boolean): Promise<void> {
    await this.do(sql`insert into provider_resends (webhook_event_id, requested_by, request_key, finished_at)
      select id, ${label}, 'form', ${isFinished ? ago(old) : sql`null`} from webhook_events where event_id = ${label}`);
  }

  /** Sessions for reading histories and of the console that ended so many days ago. */
  async sessions(label: string, days: number): Promise<void> {
    await this
      .do(sql`insert into codec_sessions (id, environment, application, key_id, token_sha256, expires_at)
      values (${randomUUID()}, 'sandbox', 'shop', ${label}, ${randomUUID()}, ${ago(days)})`);
    await this
      .do(sql`insert into console_sessions (id, user_name, token_sha256, credential_sha256, expires_at)
      values (${randomUUID()}, ${label}, ${randomUUID()}, '', ${ago(days)})`);
  }

  /** With a delivery and its attempt. Its endpoint is another application's, so that what is written here tells it nothing. */
  async notification(label: string, state: string, { id, days }: Of): Promise<void> {
    await this.do(sql`
      insert into notification_endpoints (id, environment, application, url, event_types, status, secret, body_hash)
      values ('ep_1', 'sandbox', 'other', 'https://other.example', '{}', 'disabled', '', '') on conflict do nothing`);
    await this.do(sql`with note as (
        insert into notifications (environment, application, type, subject_id, payload, created_at)
        values ('sandbox', 'shop', 'x', ${id ?? 'ep_1'}, ${label}, ${ago(days)}) returning sequence
      ), delivery as (
        insert into notification_deliveries (endpoint_id, sequence, lane, state)
        select 'ep_1', sequence, 'lane', ${state} from note returning id
      )
      insert into notification_attempts (delivery_id, number, reason) select id, 1, ${label} from delivery`);
  }

  /** @param days since its last change. */
  async refundOf(paymentId: string, status: 'pending' | 'completed', days: number): Promise<void> {
    await this
      .do(sql`insert into refunds (environment, application, id, payment_id, kind, minor, currency, status, state,
        version, updated_at)
      values ('sandbox', 'shop', ${`re_${randomUUID()}`}, ${paymentId}, 'refund', 1, 'USD', ${status}, '{}', 1,
        ${ago(days)})`);
  }

  async openDriftOf(paymentId: string): Promise<void> {
    await this.do(sql`insert into drift (environment, application, subject_id, field, ours, theirs)
      values ('sandbox', 'shop', ${paymentId}, 'status', 'voided', 'captured')`);
  }

  /** How far the search for events has come, in days before now. */
  async reconciledUntil(days: number): Promise<void> {
    await this.do(sql`insert into reconciliations (environment, application, events_until, timeline_until)
      values ('sandbox', 'shop', ${ago(days)}, (select coalesce(max(id), 0) from timeline))
      on conflict (environment, application) do update
        set events_until = excluded.events_until, timeline_until = excluded.timeline_until`);
  }

  /** No line of the timeline was compared with the provider's records yet. */
  async nothingCompared(): Promise<void> {
    await this.do(sql`update reconciliations set timeline_until = 0`);
  }

  /** The labels of what is left. */
  async left(table: keyof typeof columnOf): Promise<string[]> {
    const label = sql.ref(columnOf[table]);
    const { rows } = await sql<{ label: string }>`
      select ${label} as label from ${sql.table(table)} where ${label} is not null`.execute(this.api.db);
    return rows.map((row) => row.label).toSorted();
  }

  async versionsOf(id: string): Promise<number[]> {
    const rows = await this.api.db
      .selectFrom('timeline')
      .select('version')
      .where('subject_id', '=', id)
      .execute();
    return rows.map(({ version }) => version).toSorted((one, other) => one - other);
  }

  private async do(statement: ReturnType<typeof sql>): Promise<void> {
    await statement.execute(this.api.db);
  }
}

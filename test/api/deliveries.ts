import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { sql } from 'kysely';
import { Runs } from '#runs';
import { EventDispatch, sweepEvents } from '#webhook-inbox';
import { until } from '../helpers/until.js';
import { type Answer, type ApiFixture, type CallOptions, webhookSecret } from './api-fixture.js';

export const webhookAddress = `/webhooks/sandbox/shop/${webhookSecret}`;

/** An event as the provider delivers it; by default of an authorization that was voided. */
export function event(
  resource: Record<string, unknown> & { id?: unknown },
  rest: Record<string, unknown> = {},
) {
  return {
    id: `WH-${randomUUID()}`,
    trigger_event: 'PAYMENT.AUTHORIZATION.VOIDED',
    resource_type: 'authorization',
    resource: { state: 'voided', ...resource },
    ...rest,
  };
}

export async function deliver(
  api: ApiFixture,
  body: unknown,
  options: CallOptions & { readonly to?: string } = {},
): Promise<Answer> {
  return await api.call('POST', options.to ?? webhookAddress, { apiKey: null, body, ...options });
}

export async function journalOf(api: ApiFixture) {
  return await api.db.selectFrom('webhook_events').selectAll().orderBy('id').execute();
}

/** Waits until an event has a status. */
export async function settled(api: ApiFixture, eventId: string, status: string) {
  return await until(
    async () => (await journalOf(api)).find((row) => row.event_id === eventId),
    (row) => row?.status === status,
    `event ${eventId} to be ${status}`,
  );
}

/** What the Schedule has a worker do, now: no worker polls here, and whatever waits counts as due. */
export async function sweep({ db }: ApiFixture, temporal: Client) {
  await sql`update webhook_events set due_at = clock_timestamp()
    where due_at is not null and status <> 'dispatching'`.execute(db);
  const runs = new Runs(temporal, { taskQueue: 'nobody-polls', deadlineMs: 60_000 });
  return await sweepEvents(db, new EventDispatch(db, runs), { atMost: 100, concurrency: 2 });
}

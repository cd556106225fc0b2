import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ApiProcess } from '../api/api-process.js';
import { TcpProxy } from '../api/tcp-proxy.js';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { shutGate } from './gate.js';

let api: ApiProcess | undefined;
const engine = forAllTests(() =>
  startEngine({
    webhookAuthentication: 'addressSecret',
    withSecondApi: true,
    sweeps: 'often',
    patience: { firstPollMs: 60_000, longestPollMs: 60_000 },
  }),
);
beforeAll(async () => {
  // What tells the engine of an approval are this file's deliveries alone.
  const { clientId } = engine.sandbox;
  await engine.sandbox.fault({ clientId, operation: '*', kind: 'drop_delivery', times: null });
});
afterEach(async () => {
  await api?.close();
});

async function startApi(databaseUrl = engine.databaseUrl): Promise<ApiProcess> {
  api = await ApiProcess.start({ databaseUrl, applications: [engine.application], env: engine.apiVariables });
  return api;
}

/** A payment that its payer has approved, and the event that says so. */
async function approved() {
  const { body } = await engine.orders.order();
  const { state } = await engine.db
    .selectFrom('payments')
    .select('state')
    .where('id', '=', body.id)
    .executeTakeFirstOrThrow();
  await engine.sandbox.approve(state.providerPaymentId ?? '');
  const event = {
    id: `WH-${randomUUID()}`,
    resource_type: 'payment',
    event_type: 'PAYMENTS.PAYMENT.CREATED',
    resource: { id: state.providerPaymentId, state: 'created' },
  };
  return { id: body.id, event };
}

/** @returns the status, or 'no answer' where the connection breaks before one. */
async function deliver(origin: string, event: object): Promise<number | 'no answer'> {
  try {
    const { pathname } = new URL(engine.webhookUrls[0]);
    const response = await fetch(origin + pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(event),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 'no answer';
  }
}

const redeliver = async (event: object) => await deliver(new URL(engine.webhookUrls[1] ?? '').origin, event);

async function journaled(eventId: string) {
  return await engine.db
    .selectFrom('webhook_events')
    .select(['status', 'deliveries'])
    .where('event_id', '=', eventId)
    .executeTakeFirst();
}

/** Backends that wait for a lock in the midst of such a statement; the sweep's own wait for the journal as well. */
async function waitingBackends(statement: string): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
      and query like ${`%${statement}%`}`.execute(engine.db);
  return rows.map(({ pid }) => pid);
}

/** Ends what the dead process had asked for before it is granted: the transaction was never committed. */
async function endBackends(pids: readonly number[]): Promise<void> {
  for (const pid of pids) await sql`select pg_terminate_backend(${pid})`.execute(engine.db);
}

describe('case 18: an API process that is killed', () => {
  it('before the event is committed has acknowledged nothing, and the redelivery has its effect', async () => {
    const { id, event } = await approved();
    const { url, kill } = await hired();
    const lock = await engine.db.startTransaction().execute();
    await sql`lock table webhook_events in share row exclusive mode`.execute(lock);
    const delivery = deliver(url, event);
    const inserting = await until(
      () => waitingBackends('insert into webhook_events'),
      (pids) => pids.length > 0,
      'the event to be inserted',
    );
    await kill();
    expect(await delivery).toBe('no answer');
    await endBackends(inserting);
    await lock.rollback().execute();
    expect(await journaled(event.id)).toBeUndefined();

    expect(await redeliver(event)).toBe(200);
    await engine.orders.reaches(id, 'authorized');
    expect(await journaled(event.id)).toMatchObject({ deliveries: 1 });
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000']);
  });

  it('after the commit and before its answer gets the delivery again, with one effect', async () => {
    const { id, event } = await approved();
    const { hostname, port } = new URL(engine.databaseUrl);
    const proxy = await TcpProxy.to(hostname, Number(port));
    const through = new URL(engine.databaseUrl);
    through.host = `127.0.0.1:${proxy.port}`;
    const { url, kill } = await hired(through.href);
    // It has connections from now on: nothing but the answer to the statement that journals will be missing.
    const unknown = {
      ...event,
      id: `WH-${randomUUID()}`,
      resource: { id: 'PAY-NOBODYS', state: 'created' },
    };
    expect(await deliver(url, unknown)).toBe(200);
    await until(
      () => journaled(unknown.id),
      (row) => row?.status === 'parked',
      'the first event to be parked',
    );
    proxy.swallowAnswersTo('new-deliveries');
    const delivery = deliver(url, event);
    await until(
      () => journaled(event.id),
      (row) => row !== undefined,
      'the event to be committed',
    );
    await kill();
    expect(await delivery).toBe('no answer');
    proxy.close();

    expect(await redeliver(event)).toBe(200);
    await engine.orders.reaches(id, 'authorized');
    expect(await journaled(event.id)).toMatchObject({ deliveries: 2 });
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000']);
  });

  it('between the signal and its mark leaves an event that is dispatched again, with one effect', async () => {
    const { id, event } = await approved();
    const { url, kill } = await hired();
    const openGate = await shutGate(
      engine.db,
      'webhook_events',
      sql`new.status = 'applied' and new.event_id = ${sql.lit(event.id)}`,
    );
    expect(await deliver(url, event)).toBe(200);
    await engine.orders.reaches(id, 'authorized');
    const marking = await until(
      () => waitingBackends('update webhook_events'),
      (pids) => pids.length > 0,
      'the event to be marked',
    );
    await kill();
    await endBackends(marking);
    await openGate();
    expect(await journaled(event.id)).toMatchObject({ status: 'dispatching' });

    // The lease runs out: time passes.
    await engine.db
      .updateTable('webhook_events')
      .set({ due_at: new Date(0) })
      .where('event_id', '=', event.id)
      .execute();
    await until(
      () => journaled(event.id),
      (row) => row?.status === 'applied',
      'the event to be dispatched again',
    );
    expect(await engine.orders.capture(id)).toMatchObject({ status: 201 });
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000']);
    expect(await engine.sandbox.booksAreSound()).toBe(true);
  });
});

async function hired(databaseUrl?: string) {
  const process = await startApi(databaseUrl);
  return { url: process.url, kill: () => process.kill() };
}

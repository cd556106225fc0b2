import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '#tools/ports.js';
import { createSandboxDatabase } from '../../helpers/database.js';
import { forEachTest } from '../../helpers/shared.js';
import { CLIENT_ID, CLIENT_SECRET, eventually } from '../sandbox-fixture.js';
import { WebhookReceiver } from '../webhook-receiver.js';
import { buildSandbox, type BuiltSandbox } from './built-sandbox.js';
import { startLoad, type Load } from './order-load.js';
import { SandboxProcess } from './sandbox-process.js';

const LANES = 6;
const KILLS = 5;

describe('the payments service as a process', () => {
  let built: BuiltSandbox;
  let sandbox: SandboxProcess;
  let receiver: WebhookReceiver;
  beforeAll(() => {
    built = buildSandbox();
  });
  afterAll(() => built.remove());
  const database = forEachTest(createSandboxDatabase);
  beforeEach(async () => {
    sandbox = new SandboxProcess(built.main, database.url, await freePort());
    receiver = await WebhookReceiver.start();
    await sandbox.start();
    await admin('PUT', `/admin/applications/${CLIENT_ID}`, {
      clientSecret: CLIENT_SECRET,
      idempotency: 'all',
      dayLengthMs: 3_600_000,
    });
    await subscribe(receiver.url);
  });
  afterEach(async () => {
    await sandbox.kill();
    await receiver.stop();
  });

  it('loses and doubles nothing when it is killed under load repeatedly', async () => {
    const load = startLoad(sandbox.url, LANES);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = load.orders.length;
      await eventually(() => load.orders.length).toBeGreaterThan(before + LANES * (1 + (kill % 3)));
      await sandbox.kill();
      await sandbox.start();
    }
    await load.stop();
    expect(load.orders.length).toBeGreaterThan(KILLS * LANES);
    await judge(load);
  });

  it('answers 503 at worst, and continues, when the database ends all its connections under load', async () => {
    const load = startLoad(sandbox.url, LANES);
    for (let blow = 0; blow < 8; blow += 1) {
      const before = load.orders.length;
      await eventually(() => load.orders.length).toBeGreaterThan(before + LANES);
      await query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
    }
    await load.stop();
    expect(sandbox.isRunning).toBe(true);
    expect([...load.statuses.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([]);
    await judge(load);
  });

  it('stops in order under load when asked to, and loses nothing', async () => {
    const load = startLoad(sandbox.url, LANES);
    await eventually(() => load.orders.length).toBeGreaterThan(LANES);
    await sandbox.kill('SIGTERM');
    await sandbox.start();
    await eventually(() => load.orders.length).toBeGreaterThan(3 * LANES);
    await load.stop();
    await judge(load);
  });

  /** By the books, the rows and what the receiver got: never by what the service says of itself under load. */
  async function judge({ orders }: Load): Promise<void> {
    const captures = await query(
      "SELECT invoice_number, capture_id, amount_minor::integer FROM book_entries WHERE kind = 'capture'",
    );
    const booked = Map.groupBy(captures, ({ invoice_number }) => invoice_number as string);
    for (const { reference, capture, isKeyed } of orders) {
      const movements = booked.get(reference) ?? [];
      if (typeof capture === 'object')
        expect(movements).toMatchObject([{ capture_id: capture.id, amount_minor: 4_000 }]);
      else if (capture === 'unknown') expect(movements.length).toBeLessThanOrEqual(1);
      else expect([capture, movements]).toEqual(['refused', []]);
      if (isKeyed) expect(typeof capture).toBe('object');
    }
    expect((await admin('GET', '/admin/books/check')).violations).toEqual([]);

    const payments = new Set((await query('SELECT id FROM payments')).map(({ id }) => id));
    const holds = (await query("SELECT payment_id FROM book_entries WHERE kind = 'hold'")).map(
      ({ payment_id }) => payment_id,
    );
    expect(holds.length).toBe(new Set(holds).size);
    for (const { paymentId } of orders) {
      expect(payments.has(paymentId)).toBe(true);
      expect(holds).toContain(paymentId);
    }
    await everyEventArrived();
  }

  async function everyEventArrived(): Promise<void> {
    const reported = await query(
      "SELECT resource_id FROM events WHERE event_type = 'PAYMENT.CAPTURE.COMPLETED'",
    );
    const captured = await query("SELECT id FROM captures WHERE state = 'completed'");
    expect(reported.map(({ resource_id }) => String(resource_id)).toSorted(alphabetically)).toEqual(
      captured.map(({ id }) => String(id)).toSorted(alphabetically),
    );
    // What a killed process was delivering is due again when its lease is over; a test need not wait for that.
    await query("UPDATE deliveries SET due_at = now() WHERE state = 'pending'");
    await eventually(() =>
      query("SELECT count(*)::integer FROM deliveries WHERE state <> 'delivered'"),
    ).toEqual([{ count: 0 }]);
    const received = new Set(receiver.deliveries.map(({ event }) => event.resource.id));
    for (const { id } of captured) expect(received.has(id)).toBe(true);
  }

  async function query(statement: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows;
    } finally {
      await client.end();
    }
  }

  async function subscribe(url: string): Promise<void> {
    const exchange = await fetch(`${sandbox.url}/v1/oauth2/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
    const { access_token } = (await exchange.json()) as { access_token: string };
    const answer = await fetch(`${sandbox.url}/v1/notifications/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url, event_types: [{ name: '*' }] }),
    });
    expect(answer.status).toBe(201);
  }

  // eslint-disable-next-line typescript/no-explicit-any
  async function admin(method: string, path: string, body?: object): Promise<any> {
    const response = await fetch(sandbox.url + path, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    expect(response.status).toBe(200);
    return response.json();
  }
});

const alphabetically = (one: string, other: string) => one.localeCompare(other);

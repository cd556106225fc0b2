import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { ChangeWaits } from '#api/commands/wait-for-change.js';
import type { WebhookAuthenticity } from '#api/webhooks/webhook-authenticity.js';
import type { WebhookDispatcher } from '#api/webhooks/webhook-dispatcher.js';
import { WebhookIntake } from '#api/webhooks/webhook-intake.js';
import type { ServedApplication } from '#configuration';
import { ChangeListener, type Database, openDatabase, ShareInUseError } from '#database/connection';
import { readWebhookEvent } from '#payments-client/webhooks';
import { newEventOf, takeDeliveries } from '#webhook-inbox';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture, authorizedState } from './api-fixture.js';
import { event } from './deliveries.js';

const api = forAllTests(() => ApiFixture.start());
const owner = { environment: 'sandbox', application: 'shop' } as const;

const full = () => 'full';

/** A database of which one caller, `full`, has used up its share. */
async function crowded(callerNow: () => string, work: (db: Database) => Promise<void>): Promise<void> {
  let caller = full;
  const url = new URL(api.databaseUrl);
  // Its timeouts would have priority.
  url.search = '';
  const share = { callerNow: () => caller(), most: 1 };
  const db = openDatabase(url.href, { connectTimeoutMs: 200, queryTimeoutMs: 600_000, share });
  try {
    await db.transaction().execute(async () => {
      caller = callerNow;
      await work(db);
    });
  } finally {
    await db.destroy();
  }
}

const chargeback = (captureId: string) =>
  event(
    { id: captureId, state: 'refunded' },
    { resource_type: 'capture', trigger_event: 'PAYMENT.CAPTURE.REVERSED' },
  );

test('deliveries that find all connections in use are refused together: none of them waits again alone', async () => {
  let asked = 0;
  const count = () => {
    asked += 1;
    return 'full';
  };
  await crowded(count, async (db) => {
    const intake = new WebhookIntake(
      db,
      { assertGenuine: async () => await Promise.resolve(undefined) } as unknown as WebhookAuthenticity,
      { enqueue: () => undefined } as unknown as WebhookDispatcher,
      pino({ level: 'silent' }),
      {},
    );
    const deliveries = Array.from({ length: 20 }, () => Buffer.from(JSON.stringify(chargeback('CAP-1'))));
    const answers = await Promise.allSettled(
      deliveries.map((bytes) => intake.receive(owner as unknown as ServedApplication, {}, bytes)),
    );
    const reasons = answers.map((answer) =>
      answer.status === 'rejected' ? (answer.reason as Error).name : '',
    );
    expect(new Set(reasons)).toEqual(new Set([ShareInUseError.name]));
  });
  expect(asked).toBe(1);
});

test('a reported chargeback that cannot be counted for want of a connection is not acknowledged', async () => {
  const captureId = `CAP-${randomUUID()}`;
  const id = await api.paymentWith({
    ...authorizedState(),
    status: 'partially_captured',
    captures: [{ captureId, minor: 40_00, status: 'completed', final: false }],
  });
  const body = chargeback(captureId);
  const delivered = { event: { ...owner, ...newEventOf(readWebhookEvent(body), body) } };
  const shown = async () => (await api.call('GET', `/v1/payments/${id}`)).body['refunds'];
  // Its subject is found, and it is journaled.
  const callers = ['free', 'free'];
  await crowded(
    () => callers.shift() ?? 'full',
    async (db) => {
      await expect(takeDeliveries(db, [delivered])).rejects.toThrow(ShareInUseError);
    },
  );
  expect(await shown()).toEqual([]);
  await takeDeliveries(api.db, [delivered]);
  expect(await shown()).toHaveLength(1);
});

test('an accepted request is answered as it is known while its rows cannot be read for want of a connection', async () => {
  const changes = new ChangeWaits(new ChangeListener('postgres://127.0.0.1:9/none'));
  const answer = await changes.until<string>('pay_1', 0, {
    read: async () => await Promise.reject(new ShareInUseError()),
    satisfies: () => false,
    known: 'accepted',
  });
  expect(answer).toBe('accepted');
});

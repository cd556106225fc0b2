import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { recordCalls } from '#database/calls';
import { acceptCommand } from '#database/commands';
import { journalDeliveries } from '#database/events';
import { paymentRecords, writeTransition } from '#database/transitions';
import { newEventOf } from '#webhook-inbox';
import { readWebhookEvent } from '#payments-client/webhooks';
import { allColumns } from '../helpers/all-columns.js';
import { useEngineDatabase, storePayment } from './engine-database.js';

const card = '4111 1111 1111 1111';
const solid = '5555555555554444';
const email = 'planted@example.com';
const planted = `paid with ${card} (${solid}) by ${email}`;

const engine = useEngineDatabase();

test('no column keeps a card number or an e-mail address from a provider answer', async () => {
  const { db } = engine;
  const { paymentId: id, ...owner } = await storePayment(db);
  const subject = { ...owner, id };
  await recordCalls(db, subject, [
    {
      operation: 'payments.get',
      method: 'GET',
      path: `/v1/payments/payment/${solid}?by=${email}`,
      status: 200,
      debugId: solid,
      transactionId: solid,
      startedAt: new Date(),
      durationMs: 1,
      request: { note: planted, [solid]: planted },
      response: { deep: [{ planted, number: Number(solid), at: 1_795_363_305_123 }] },
      requestHeaders: { referer: planted },
      responseHeaders: { server: planted },
    },
  ]);
  const row = await db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  await writeTransition(db, {
    records: paymentRecords,
    subject,
    state: { ...row.state, reason: planted },
    version: row.version + 1,
    timeline: [
      {
        version: row.version + 1,
        event: 'reviewed',
        kind: 'conflict',
        from: row.status,
        to: row.status,
        at: Date.now(),
        detail: planted,
      },
    ],
  });
  await acceptCommand(db, {
    ...owner,
    id: `cmd_${randomUUID()}`,
    idempotencyKey: randomUUID(),
    bodyHash: 'none',
    kind: 'capture',
    subjectId: id,
    parameters: { reason: planted, minor: 4_111_111_111_111_111 },
    requestedBy: 'api-key:test',
  });
  const body = {
    id: `WH-${solid}`,
    event_type: `X ${planted}`,
    resource_type: 'capture',
    summary: planted,
    resource: {
      id: solid,
      state: planted,
      custom: planted,
      invoice_number: solid,
      parent_payment: solid,
      amount: { total: Number(solid), currency: 'USD' },
      links: [{ href: `https://provider.example/${solid}`, rel: planted, method: 'GET' }],
    },
  };
  await journalDeliveries(db, [{ event: { ...owner, ...newEventOf(readWebhookEvent(body), body) } }]);

  const rows = await allColumns(db);
  expect(rows.map(({ table }) => table)).toEqual(
    expect.arrayContaining(['api_calls', 'payments', 'timeline', 'commands', 'webhook_events']),
  );
  expect(rows.filter(({ row: text }) => /4111 1111|5555555555554444|planted@/.test(text))).toEqual([]);
  // What explains the run is kept.
  const text = rows.map(({ row: each }) => each).join('\n');
  expect(text).toContain('paid with [card number] ([card number]) by [redacted]');
  expect(text).toContain('1795363305123');
  expect(text).toContain('4111111111111111');
});

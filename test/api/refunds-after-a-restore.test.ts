import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordRestore } from '#database/commands';
import { noteEventsSearched, openReconciliation } from '#database/reconciliation';
import { ApiFixture, authorizedState } from './api-fixture.js';

let api: ApiFixture;
beforeAll(async () => {
  api = await ApiFixture.start({ answerWithinMs: 1 });
});
afterAll(async () => {
  await api.close();
});

const shop = { environment: 'sandbox', application: 'shop' } as const;

test('nothing is refunded after a restore before the lost refunds have been searched', async () => {
  const id = await api.paymentWith({
    ...authorizedState(),
    status: 'captured',
    captures: [{ captureId: 'CAP-1', minor: 100_00, status: 'completed', final: true }],
  });
  const body = { amount: { value: '60.00', currency: 'USD' } };
  const ask = async () =>
    await api.call('POST', `/v1/payments/${id}/refunds`, { body, idempotencyKey: randomUUID() });
  const searchedUntil = async (until: Date) => await noteEventsSearched(api.db, shop, { until, found: 0 });
  await openReconciliation(api.db, shop, 0);
  await recordRestore(api.db, new Date(Date.now() - 3_600_000));
  await searchedUntil(new Date(Date.now() - 60_000));
  expect(await ask()).toMatchObject({ status: 409, body: { code: 'refundable_amount_unknown' } });
  expect(await api.db.selectFrom('refunds').selectAll().execute()).toEqual([]);

  await searchedUntil(new Date(Date.now() + 60_000));
  expect((await ask()).status).toBeLessThan(300);
});

import { expect, test } from 'vitest';
import type { z } from 'zod';
import type { paymentDetailsAnswer } from '#api/payments/payment-answers.js';
import { storeManyRefunds } from '../database/many-refunds.js';
import { StoredRefund } from '../database/stored-refund.js';
import { forAllTests } from '../helpers/shared.js';
import { refund } from '../lifecycle/refund/sample-refunds.js';
import { ApiFixture, authorizedState } from './api-fixture.js';

const owner = { environment: 'sandbox', application: 'shop' };

const api = forAllTests(() => ApiFixture.start());

async function refundedPayment(count: number): Promise<string> {
  const id = await api.paymentWith(authorizedState());
  await storeManyRefunds(api.db, { ...owner, id }, count);
  return id;
}

const show = async (id: string) =>
  (await api.call('GET', `/v1/payments/${id}`)).body as unknown as z.output<typeof paymentDetailsAnswer>;

test('a payment with many refunds shows all of them, and each change at once', async () => {
  const id = await refundedPayment(50);
  const before = await show(id);
  expect(before.refunds).toHaveLength(50);
  expect(before).toMatchObject({ amounts: { refunded: { value: '2000.00' } } });
  expect((await api.call('GET', `/v1/payments/${id}/refunds`)).body).toEqual({
    data: before.refunds,
    nextCursor: null,
  });

  const stored = new StoredRefund(api.db, owner, id, 'REF-NEW');
  await stored.write(refund('pending'), 1);
  const pending = await show(id);
  expect(pending.refunds).toHaveLength(51);
  expect(pending.refunds.at(0)).toEqual(before.refunds.at(0));
  expect(pending.version).toBeGreaterThan(before.version);
  await stored.write(refund('completed'), 2);
  const completed = await show(id);
  expect(completed).toMatchObject({ amounts: { refunded: { value: '2040.00' } } });
  expect(completed.refunds.find((each) => each.id === stored.id)).toMatchObject({ state: 'completed' });
});

test('a page of payments with very many refunds names where the next page begins', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 3; i += 1) ids.unshift(await refundedPayment(600));
  const first = (await api.call('GET', '/v1/payments?limit=3')).body;
  expect(first['data']).toMatchObject([{ id: ids[0] }, { id: ids[1] }]);
  const second = (await api.call('GET', `/v1/payments?limit=1&cursor=${String(first['nextCursor'])}`)).body;
  expect(second['data']).toMatchObject([{ id: ids[2] }]);
});

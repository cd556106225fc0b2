import { expect, test } from 'vitest';
import { callListAnswer } from '#api/wire/provider-call.js';
import { type NewApiCall, recordCalls } from '#database/calls';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture, authorizedState } from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start());

async function record(id: string, ...debugIds: string[]): Promise<void> {
  const calls = debugIds.map((debugId): NewApiCall => ({
    operation: 'payment.get',
    method: 'GET',
    path: '/v1/payments/payment/PAY-1',
    status: 200,
    debugId,
    startedAt: new Date('2030-01-31T12:00:00Z'),
    durationMs: 12,
    request: { note: 'a request body' },
    response: { note: 'a response body' },
    requestHeaders: { accept: 'a request header' },
    responseHeaders: { date: 'a response header' },
  }));
  await recordCalls(api.db, { environment: 'sandbox', application: 'shop', id }, calls);
}

async function page(id: string, query: string) {
  const answer = await api.call('GET', `/v1/payments/${id}/calls?${query}`);
  expect(answer.status, answer.text).toBe(200);
  const { data, nextCursor } = callListAnswer.parse(answer.body);
  return { debugIds: data.map(({ debugId }) => debugId), nextCursor };
}

test('the calls of a payment come page by page, newest first, without those of another payment', async () => {
  const [id, other] = [await api.paymentWith(authorizedState()), await api.paymentWith(authorizedState())];
  await record(id, 'one');
  await record(other, 'not mine');
  await record(id, 'two', 'three');

  const first = await page(id, 'limit=2');
  expect(first).toEqual({ debugIds: ['three', 'two'], nextCursor: expect.any(String) });
  await record(other, 'not mine either');
  await record(id, 'four');
  const second = await page(id, `limit=2&cursor=${first.nextCursor}`);
  expect(second).toEqual({ debugIds: ['one'], nextCursor: null });
  expect((await page(id, '')).debugIds).toEqual(['four', 'three', 'two', 'one']);
});

test('a call is shown without its headers and bodies', async () => {
  const id = await api.paymentWith(authorizedState());
  await record(id, 'one');
  const { body } = await api.call('GET', `/v1/payments/${id}/calls`);
  expect(body).toEqual({
    data: [
      {
        at: '2030-01-31T12:00:00.000Z',
        operation: 'payment.get',
        method: 'GET',
        path: '/v1/payments/payment/PAY-1',
        status: 200,
        error: null,
        debugId: 'one',
        transactionId: null,
        requestId: null,
        reference: null,
        durationMs: 12,
      },
    ],
    nextCursor: null,
  });
});

test('a payment that nobody has made calls for has none', async () => {
  const id = await api.paymentWith(authorizedState());
  expect(await page(id, '')).toEqual({ debugIds: [], nextCursor: null });
});

test.each(['limit=0', 'limit=101', 'limit=two', 'cursor=x', 'status=200'])(
  'a page that cannot be is refused: %s',
  async (query) => {
    const id = await api.paymentWith(authorizedState());
    expect((await api.call('GET', `/v1/payments/${id}/calls?${query}`)).status).toBe(422);
  },
);

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { captureAnswer, paymentDetailsAnswer } from '#api/payments/payment-answers.js';
import { timelineAnswer } from '#api/wire/timeline.js';
import { StoredRefund } from '../database/stored-refund.js';
import { forAllTests } from '../helpers/shared.js';
import { refund } from '../lifecycle/refund/sample-refunds.js';
import { ApiFixture, authorizedState, hour } from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start());

describe('a payment', () => {
  test('that awaits its payer shows the approval address, and nothing to capture', async () => {
    const id = await api.paymentWith({
      status: 'awaiting_approval',
      approvalUrl: 'https://pay.example/approve',
    });
    const { status, body } = await api.call('GET', `/v1/payments/${id}`);
    expect(status).toBe(200);
    expect(paymentDetailsAnswer.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      approvalUrl: 'https://pay.example/approve',
      allowedActions: ['cancel'],
      deadlines: { approvalBy: expect.any(String), captureUntil: null },
    });
    expect(body['links']).toContainEqual({
      rel: 'approval',
      href: 'https://pay.example/approve',
      method: 'GET',
    });
    expect(body['links']).toContainEqual({
      rel: 'cancel',
      href: `https://payments.example/v1/payments/${id}/cancel`,
      method: 'POST',
    });
  });

  test('that is held shows its amounts, deadlines and possible actions', async () => {
    const now = Date.now();
    const id = await api.paymentWith({
      ...authorizedState(now),
      status: 'partially_captured',
      approvalUrl: 'https://pay.example/approve',
      captures: [{ captureId: 'CAP-1', minor: 4_000, status: 'completed', final: false }],
      warning: 'honour_period_ending',
    });
    const { body } = await api.call('GET', `/v1/payments/${id}`);
    const since = now - hour;
    expect(paymentDetailsAnswer.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      approvalUrl: null,
      amounts: {
        authorized: { value: '100.00', currency: 'USD' },
        captured: { value: '40.00', currency: 'USD' },
        pending: { value: '0.00', currency: 'USD' },
        capturable: { value: '60.00', currency: 'USD' },
        released: { value: '0.00', currency: 'USD' },
        refundable: { value: '40.00', currency: 'USD' },
      },
      captures: [{ id: 'CAP-1', amount: { value: '40.00' }, state: 'completed', final: false }],
      deadlines: {
        approvalBy: null,
        honourUntil: new Date(since + 72 * hour).toISOString(),
        settlesAt: new Date(since + 28 * 24 * hour).toISOString(),
        captureUntil: new Date(since + 29 * 24 * hour).toISOString(),
      },
      warning: 'honour_period_ending',
      allowedActions: ['capture', 'void', 'release', 'refund'],
    });
    expect(body['links']).toEqual(
      expect.arrayContaining([
        { rel: 'capture', href: `https://payments.example/v1/payments/${id}/captures`, method: 'POST' },
        { rel: 'void', href: `https://payments.example/v1/payments/${id}/void`, method: 'POST' },
        {
          rel: 'webhook-events',
          href: `https://payments.example/v1/webhook-events?payment=${id}`,
          method: 'GET',
        },
      ]),
    );
  });

  test('that is a sale shows what was taken, and neither hold nor policies', async () => {
    const ordered = await api.order({ intent: 'sale' });
    const id = String(ordered.body['id']);
    await api.moveTo(id, {
      status: 'pending',
      sale: { saleId: 'SALE-1', minor: 10_000, status: 'pending' },
    });
    const { body } = await api.call('GET', `/v1/payments/${id}`);
    expect(paymentDetailsAnswer.parse(body)).toEqual(body);
    expect(body).toMatchObject({
      intent: 'sale',
      state: 'pending',
      sale: { id: 'SALE-1', amount: { value: '100.00', currency: 'USD' }, state: 'pending' },
      amounts: { authorized: { value: '0.00' }, captured: { value: '0.00' }, pending: { value: '100.00' } },
      deadlines: { approvalBy: null, honourUntil: null, settlesAt: null, captureUntil: null },
      capturePolicy: null,
      expiryPolicy: null,
      allowedActions: [],
    });
  });

  test('with refunds shows each refund, its origin, and its run', async () => {
    const id = await api.paymentWith({ ...authorizedState(), status: 'captured' });
    const owner = { environment: 'sandbox', application: 'shop' };
    const stored = new StoredRefund(api.db, owner, id, `REF-${id}`);
    await stored.write(refund('completed'), 2);
    const { body } = await api.call('GET', `/v1/payments/${id}`);
    expect(paymentDetailsAnswer.parse(body)).toEqual(body);
    const runId = encodeURIComponent(`refund/sandbox/shop/${stored.id}`);
    expect(body).toMatchObject({
      amounts: { refunded: { value: '40.00', currency: 'USD' }, reversed: { value: '0.00' } },
      refunds: [
        {
          id: stored.id,
          paymentId: id,
          origin: 'elsewhere',
          providerRefundId: `REF-${id}`,
          kind: 'refund',
          amount: { value: '40.00', currency: 'USD' },
          state: 'completed',
          captureId: 'CAP-1',
          refundedAt: '2026-01-05T12:01:00.000Z',
          timeline: [{ from: 'observed', to: 'completed', at: '1970-01-01T00:00:00.000Z' }],
          temporalUrl: expect.stringContaining(runId),
        },
      ],
    });
    const { body: list } = await api.call('GET', '/v1/payments?limit=1');
    expect(list).toMatchObject({ data: [{ id, refunds: [{ id: stored.id }] }] });
  });

  test('that has ended shows no deadline', async () => {
    const id = await api.paymentWith({ ...authorizedState(), status: 'voided' });
    const { body } = await api.call('GET', `/v1/payments/${id}`);
    expect(body).toMatchObject({
      deadlines: { approvalBy: null, honourUntil: null, settlesAt: null, captureUntil: null },
    });
  });

  test('in yen has no decimals, and one in dinars has three', async () => {
    for (const amount of [
      { value: '1060', currency: 'JPY' },
      { value: '10.605', currency: 'KWD' },
    ]) {
      const { body } = await api.order({ amount });
      expect(body['amount']).toEqual(amount);
    }
  });

  test('shows its timeline in order', async () => {
    const id = await api.paymentWith(authorizedState());
    const { body } = await api.call('GET', `/v1/payments/${id}/timeline`);
    expect(timelineAnswer.parse(body)).toEqual(body);
    expect(body['data']).toMatchObject([{ version: 1, event: 'paymentCreated', to: 'authorized' }]);
  });

  test('that is captured has the shape that the document describes', async () => {
    const id = await api.paymentWith(authorizedState());
    const { body } = await api.call('POST', `/v1/payments/${id}/captures`, { idempotencyKey: `shape-${id}` });
    expect(captureAnswer.parse(body)).toEqual(body);
  });
});

describe('waiting for a payment', () => {
  test('ends at its next change', async () => {
    const id = await api.paymentWith({ status: 'awaiting_approval' });
    // What the caller has seen is stated: the change may come before the request does.
    const waiting = api.call('GET', `/v1/payments/${id}?wait=60&since=1`);
    await api.moveTo(id, { status: 'authorizing' });
    expect((await waiting).body).toMatchObject({ state: 'authorizing' });
    // Far less than the poll.
  }, 55_000);

  test('ends at once when the caller has not seen the newest version', async () => {
    const id = await api.paymentWith({ status: 'awaiting_approval' });
    const { body } = await api.call('GET', `/v1/payments/${id}?wait=60&since=0`);
    expect(body).toMatchObject({ version: 1, state: 'awaiting_approval' });
  });

  test('ends at once when the payment has ended', async () => {
    const id = await api.paymentWith({ status: 'cancelled' });
    expect((await api.call('GET', `/v1/payments/${id}?wait=60`)).body).toMatchObject({ state: 'cancelled' });
  });

  test('answers with the unchanged payment when nothing happens', async () => {
    const id = await api.paymentWith({ status: 'awaiting_approval' });
    const { status, body } = await api.call('GET', `/v1/payments/${id}?wait=1`);
    expect([status, body['state']]).toEqual([200, 'awaiting_approval']);
  });

  test('does not delay the end of the process', async () => {
    const ending = await ApiFixture.start({ databaseUrl: api.databaseUrl });
    const id = await ending.paymentWith({ status: 'awaiting_approval' });
    const waiting = ending.call('GET', `/v1/payments/${id}?wait=60`);
    // The request is on its way in before the process is told to end.
    await ending.call('GET', '/healthz');
    await ending.close();
    expect((await waiting).body).toMatchObject({ state: 'awaiting_approval' });
    // Far less than the poll, and than a connection is kept alive.
  }, 55_000);
});

describe('a list of payments', () => {
  test('shows all of them once, newest first, page by page', async () => {
    const mine: string[] = [];
    for (let i = 0; i < 5; i++) {
      const { body } = await api.order({ orderId: 'paged' });
      mine.push(String(body['id']));
    }
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { body } = await api.call('GET', `/v1/payments?orderId=paged&limit=2${query}`);
      seen.push(...(body['data'] as { id: string }[]).map(({ id }) => id));
      cursor = body['nextCursor'] as string | null;
    } while (cursor !== null);
    expect(seen).toEqual(mine.toSorted().toReversed());
  });

  test('can be filtered by state', async () => {
    const id = await api.paymentWith({ status: 'needs_review' });
    const { body } = await api.call('GET', '/v1/payments?state=needs_review');
    expect((body['data'] as { id: string }[]).map((payment) => payment.id)).toEqual([id]);
  });
});

describe('a capture that is still pending', () => {
  test('cannot be refunded, and nothing is stored', async () => {
    const ordered = await api.order({ intent: 'sale' });
    const id = String(ordered.body['id']);
    await api.moveTo(id, {
      status: 'pending',
      sale: { saleId: 'SALE-2', minor: 10_000, status: 'pending' },
    });
    const answer = await api.call('POST', `/v1/payments/${id}/refunds`, {
      body: {},
      idempotencyKey: randomUUID(),
    });
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'not_settled', currentState: 'pending', paymentId: id },
    });
    const stored = await api.db.selectFrom('refunds').selectAll().where('payment_id', '=', id).execute();
    expect(stored).toEqual([]);
  });
});

import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { PaymentView, RefundView } from '../helpers/order-service.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { RefundStage } from './refund-stage.js';
import { usd } from '../helpers/usd.js';

const stage = forAllTests(() => RefundStage.start());
afterEach(() => stage.reset());

const problem = (status: number, pointer: string) => ({ status, body: { errors: [{ pointer }] } });

const settles = async ({ id }: RefundView, status: string) =>
  await until(
    () => stage.engine.orders.read<RefundView>(`/v1/refunds/${id}`),
    (refund) => refund.state === status,
    `refund ${id} to be ${status}`,
  );

describe('a refund that the order service asks for', () => {
  it('refunds a part, then the rest, long after the payment has ended', async () => {
    const { orders, sandbox } = stage.engine;
    const { id, captureId } = await stage.capturedPayment();
    const part = await orders.refund(id, { amount: usd('40.10') });
    expect(part).toMatchObject({
      status: 201,
      body: { paymentId: id, origin: 'order_service', state: 'completed', amount: usd('40.10'), captureId },
    });
    expect(await orders.refund(id)).toMatchObject({ status: 201, body: { amount: usd('59.90') } });
    expect(await orders.refund(id)).toMatchObject({ status: 409, body: { code: 'nothing_refundable' } });
    expect(await orders.get(id)).toMatchObject({
      state: 'captured',
      amounts: { captured: usd('100.00'), refunded: usd('100.00') },
    });
    const { data: refunds } = await orders.read<{ data: RefundView[] }>(`/v1/payments/${id}/refunds`);
    expect(refunds.map(({ state }) => state)).toEqual(['completed', 'completed']);
    // Started, asked and answered, closed.
    expect((await stage.historyOfOwn(part.body.id)).length).toBeLessThanOrEqual(6);
    expect(await sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000', 'refund 4010', 'refund 5990']);
  });

  it('tells payer and provider what it is for, also when its first call is refused for a moment', async () => {
    const { orders, sandbox } = stage.engine;
    const { id } = await stage.capturedPayment();
    const texts = { description: 'One of two chairs', providerReason: 'Damaged' };
    await sandbox.fault({ kind: 'status', operation: 'capture.refund', status: 503, times: 4 });
    const { body } = await orders.refund<RefundView & typeof texts>(id, { amount: usd('40.00'), ...texts });
    const refund = await settles(body, 'completed');
    expect(refund).toMatchObject(texts);
    const path = `/v1/payments/refund/${refund.providerRefundId}`;
    expect(await sandbox.callAsOwner('GET', path)).toMatchObject({
      description: texts.description,
      reason: texts.providerReason,
      amount: { total: '40.00' },
    });
    expect((await orders.get(id)).refunds).toMatchObject([texts]);
  });

  it.each([
    ['a description that is too long', { description: 'd'.repeat(256) }, '/description'],
    ['an e-mail address in the description', { description: 'for ada@example.com' }, '/description'],
    ['a reason that is too long', { providerReason: 'r'.repeat(31) }, '/providerReason'],
  ])('is refused for %s', async (_, body, pointer) => {
    const { id } = await stage.capturedPayment();
    expect(await stage.engine.orders.refund(id, body)).toMatchObject(problem(422, pointer));
  });

  it('case 3: is one refund under the same key, and another one under another key', async () => {
    const { orders, sandbox } = stage.engine;
    const { id } = await stage.capturedPayment();
    const key = randomUUID();
    const ask = () => orders.refund(id, { amount: usd('25.00') }, key);
    const [first, ...others] = await Promise.all([ask(), ask(), ask()]);
    for (const other of others) expect(other.body.id).toBe(first.body.id);
    expect((await orders.refund(id, { amount: usd('25.00') })).body.id).not.toBe(first.body.id);
    expect(await orders.refund(id, { amount: usd('26.00') }, key)).toMatchObject({ status: 409 });
    expect(await sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000', 'refund 2500', 'refund 2500']);
  });

  it('never exceeds what was captured, whoever asks at the same moment', async () => {
    const { orders, sandbox } = stage.engine;
    const { id } = await stage.capturedPayment();
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => orders.refund(id, { amount: usd('60.00') })),
    );
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201, 422, 422, 422, 422,
    ]);
    expect(await sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000', 'refund 6000']);
  });

  it('is refused with the field that is wrong, and nothing is sent', async () => {
    const { orders } = stage.engine;
    const { id, captureId } = await stage.capturedPayment();
    const before = (await stage.refundPosts()).length;
    expect(await orders.refund(id, { amount: usd('100.01') })).toMatchObject(problem(422, '/amount'));
    const euros = { amount: { value: '1.00', currency: 'EUR' } };
    expect(await orders.refund(id, euros)).toMatchObject(problem(422, '/amount/currency'));
    expect(await orders.refund(id, { captureId: 'CAP-NO' })).toMatchObject(problem(422, '/captureId'));
    expect(await orders.refund(id, { saleId: captureId })).toMatchObject(problem(422, '/saleId'));
    expect(await orders.refund(id, { amount: usd('0.00') })).toMatchObject(problem(422, '/amount/value'));
    expect(await orders.refund('pay_nobody')).toMatchObject({ status: 404 });
    const open = (await orders.order()).body;
    expect(await orders.refund(open.id)).toMatchObject({ status: 409, body: { code: 'nothing_collected' } });
    expect((await orders.get(id)).refunds).toEqual([]);
    expect((await stage.refundPosts()).length).toBe(before);
  });

  it('of one of several captures names it, and does not change the others', async () => {
    const { orders, sandbox } = stage.engine;
    const { id } = (await orders.order()).body;
    const first = (await orders.capture(id, { amount: usd('40.00') })).body.capture.id;
    await orders.capture(id, { amount: usd('60.00') });
    expect(await orders.refund(id)).toMatchObject(problem(422, '/captureId'));
    expect(await orders.refund(id, { captureId: first })).toMatchObject({ body: { amount: usd('40.00') } });
    const more = { captureId: first, amount: usd('0.01') };
    expect(await orders.refund(id, more)).toMatchObject(problem(422, '/amount'));
    expect((await sandbox.booksOf(id)).at(-1)).toBe('refund 4000');
  });

  it('of a sale works like that of a capture', async () => {
    const { orders, sandbox } = stage.engine;
    const { id } = (await orders.order({ intent: 'sale' })).body;
    await orders.reaches(id, 'completed');
    const { status, body } = await orders.refund<RefundView & { saleId: string }>(id, {
      amount: usd('30.00'),
    });
    expect({ status, refund: body.state }).toEqual({ status: 201, refund: 'completed' });
    const more = { amount: usd('70.01'), saleId: body.saleId };
    expect(await orders.refund(id, more)).toMatchObject(problem(422, '/amount'));
    expect(await sandbox.booksOf(id)).toEqual(['sale 10000', 'refund 3000']);
  });

  it('is shown once, and its event is not taken for a refund made elsewhere', async () => {
    const { orders } = stage.engine;
    const { id } = await stage.capturedPayment();
    await stage.engine.sandbox.fault({ kind: 'delay', operation: 'capture.refund', delayMs: 2_500 });
    const { body } = await orders.refund(id, { amount: usd('10.00') });
    const reported = await until(
      async () => (await stage.eventsOf(body.id)).find(({ resource }) => resource.kind === 'refund'),
      (event) => event?.status === 'applied',
      'the event of the refund to be taken',
    );
    expect(reported?.resource.id).toBe(body.providerRefundId);
    expect((await orders.get(id)).refunds).toMatchObject([{ id: body.id, state: 'completed' }]);
  });

  it('that stays pending is read until it has ended, and one that failed can be asked for again', async () => {
    const { orders } = stage.engine;
    const pending: { readonly refund: RefundView; readonly end: string }[] = [];
    for (const end of ['completed', 'failed', 'cancelled']) {
      const { id } = await stage.capturedPayment();
      await stage.configure({ refundOutcome: `pending_then_${end}`, refundSettleMs: 8_000 });
      const { status, body } = await orders.refund(id);
      expect({ status, refund: body.state }).toEqual({ status: 201, refund: 'pending' });
      expect(await orders.refund(id, { amount: usd('0.01') })).toMatchObject(problem(422, '/amount'));
      pending.push({ refund: body, end });
    }
    await stage.configure({});
    for (const { refund, end } of pending) {
      await settles(refund, end);
      const again = await orders.refund(refund.paymentId);
      expect(again.status).toBe(end === 'completed' ? 409 : 201);
    }
  });

  it('answers long polls of its payment', async () => {
    const { orders } = stage.engine;
    const { id } = await stage.capturedPayment();
    await stage.configure({ refundOutcome: 'pending_then_completed', refundSettleMs: 1_000 });
    await orders.refund(id);
    const { version } = await orders.read<PaymentView & { version: number }>(`/v1/payments/${id}`);
    const news = await orders.read<PaymentView>(`/v1/payments/${id}?wait=20&since=${version}`);
    expect(news.refunds).toMatchObject([{ state: 'completed' }]);
  });

  it('that the provider declines is a 402, and releases what it had reserved', async () => {
    const { orders, sandbox } = stage.engine;
    const { id } = await stage.capturedPayment();
    await sandbox.fault({ kind: 'decline', operation: 'capture.refund' });
    const key = randomUUID();
    const declined = await orders.refund(id, {}, key);
    expect(declined).toMatchObject({ status: 402, body: { code: 'provider_refused', paymentId: id } });
    const repeated = { ...declined, body: { ...declined.body, requestId: expect.any(String) } };
    expect(await orders.refund(id, {}, key)).toEqual(repeated);
    expect(await orders.refund(id)).toMatchObject({ status: 201, body: { amount: usd('100.00') } });
    expect(await sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000', 'refund 10000']);
  });
});

describe('case 1: a refund whose reply is lost', () => {
  it('is created once, and found by its reference', async () => {
    const { orders, sandbox } = stage.engine;
    const { id } = await stage.capturedPayment();
    await sandbox.fault({ kind: 'drop_reply', operation: 'capture.refund', times: 4 });
    const { body } = await orders.refund(id, { amount: usd('30.00') });
    await settles(body, 'completed');
    expect(await sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000', 'refund 3000']);
  });

  it('that was never made is made once this is proved', async () => {
    const { orders, sandbox } = stage.engine;
    const { id } = await stage.capturedPayment();
    await sandbox.fault({ kind: 'status', operation: 'capture.refund', status: 500, times: 3 });
    const { body } = await orders.refund(id, { amount: usd('30.00') });
    await settles(body, 'completed');
    expect(await sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000', 'refund 3000']);
  });

  it('case 2: continues under another key when the first one is poisoned', async () => {
    const { orders, sandbox } = stage.engine;
    const { id } = await stage.capturedPayment();
    await sandbox.fault({ kind: 'poison', operation: 'capture.refund' });
    const { body } = await orders.refund(id, { amount: usd('30.00') });
    const { timeline } = await settles(body, 'completed');
    expect(timeline.map(({ event }) => event)).toContain('stepProvedUndone');
    expect(await stage.keysOf(body.id)).toHaveLength(2);
    expect(await sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000', 'refund 3000']);
  });
});

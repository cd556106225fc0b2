import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture, type Answer } from '../sandbox-fixture.js';
import { relsOf } from '../specification/formats.js';

const REFUND = { amount: { total: '10.00', currency: 'USD' } };

const idsOf = (body: Answer['body']): string[] => body.payments.map(({ id }: { id: string }) => id);

/** Public facts (provider facts) that a client may lean on and that the public SDK does not ask about. */
describe('facts of the public API', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());
  beforeAll(async () => {
    await sandbox.configure({ approval: 'immediate' });
  });
  afterAll(async () => {
    expect(await sandbox.violations()).toEqual([]);
  });

  const get = async (path: string): Promise<Answer['body']> => (await sandbox.call('GET', path)).body;
  const saleOf = async () => {
    const { body } = await sandbox.createPayment({ intent: 'sale', total: '30.00' });
    return { paymentId: body.id, id: body.transactions[0].related_resources[0].sale.id };
  };

  it('a voided authorization has two links and no deadline', async () => {
    const { authorizationId } = await sandbox.authorized();
    const { body } = await sandbox.void(authorizationId);
    expect(relsOf(body.links).toSorted()).toEqual(['parent_payment GET', 'self GET']);
    expect(body).not.toHaveProperty('valid_until');
  });

  it('a capture links to itself, its refund, its authorization and its payment', async () => {
    const { authorizationId } = await sandbox.authorized();
    const { body } = await sandbox.capture(authorizationId, '1.00');
    const rels = ['authorization GET', 'parent_payment GET', 'refund POST', 'self GET'];
    expect(relsOf(body.links).toSorted()).toEqual(rels);
  });

  it('a repeated refund answers 200 with the first one, and moves nothing', async () => {
    const { id, paymentId } = await saleOf();
    const key = { 'paypal-request-id': crypto.randomUUID() };
    const refund = () => sandbox.call('POST', `/v1/payments/sale/${id}/refund`, REFUND, key);
    const [first, second] = [await refund(), await refund()];
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body.id).toBe(first.body.id);
    expect(await sandbox.booksOf(paymentId)).toEqual(['sale 3000', 'refund 1000']);
  });

  it('equal refunds with different keys, or without keys, are two', async () => {
    const { id, paymentId } = await saleOf();
    for (const headers of [{ 'paypal-request-id': 'one' }, { 'paypal-request-id': 'two' }, {}]) {
      const { status } = await sandbox.call('POST', `/v1/payments/sale/${id}/refund`, REFUND, headers);
      expect(status).toBe(201);
    }
    expect(await sandbox.booksOf(paymentId)).toEqual(['sale 3000', ...Array(3).fill('refund 1000')]);
  });

  it('the key of a capture is ignored, because the public API does not declare it', async () => {
    const { paymentId, authorizationId } = await sandbox.authorized();
    const key = { 'paypal-request-id': crypto.randomUUID() };
    for (const _ of [1, 2]) await sandbox.capture(authorizationId, '10.00', {}, key);
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'capture 1000', 'capture 1000']);
  });

  it('a key longer than 78 characters is refused', async () => {
    const { id } = await saleOf();
    const key = { 'paypal-request-id': 'k'.repeat(79) };
    expect((await sandbox.call('POST', `/v1/payments/sale/${id}/refund`, REFUND, key)).status).toBe(400);
  });

  it('refunds name what was returned, and never return more than was paid', async () => {
    const { id } = await saleOf();
    const path = `/v1/payments/sale/${id}/refund`;
    const { body } = await sandbox.call('POST', path, {
      ...REFUND,
      invoice_number: 'inv-1',
      description: 'Half',
    });
    expect(body).toMatchObject({ sale_id: id, invoice_number: 'inv-1', amount: REFUND.amount });
    const more = await sandbox.call('POST', path, { amount: { total: '20.01', currency: 'USD' } });
    expect([more.status, more.body.name]).toEqual([400, 'REFUND_EXCEEDED_TRANSACTION_AMOUNT']);
    const other = await sandbox.call('POST', path, { amount: { total: '1.00', currency: 'EUR' } });
    expect(other.status).toBe(400);
  });

  it('payments are listed by time, payee and place, ascending or descending', async () => {
    await sandbox.request('PUT', '/admin/applications/lister', {
      clientSecret: 'lister',
      approval: 'immediate',
    });
    const authorization = `Bearer ${await sandbox.newToken('lister', 'lister')}`;
    const call = async (method: string, query: string, body?: unknown) =>
      (await sandbox.request(method, `/v1/payments/payment${query}`, body, { authorization })).body;
    const ids: string[] = [];
    for (const total of ['1.00', '2.00', '3.00']) {
      const { id } = await call('POST', '', {
        intent: 'sale',
        payer: { payment_method: 'wallet' },
        transactions: [{ amount: { total, currency: 'USD' } }],
        redirect_urls: { return_url: 'http://127.0.0.1:9/r', cancel_url: 'http://127.0.0.1:9/c' },
      });
      ids.push(id);
    }
    expect(idsOf(await call('GET', '?sort_by=create_time&sort_order=desc'))).toEqual(ids.toReversed());
    expect(idsOf(await call('GET', '?sort_order=asc&count=2'))).toEqual(ids.slice(0, 2));
    expect(idsOf(await call('GET', '?count=1&start_index=1'))).toEqual([ids[1]]);
    expect(idsOf(await call('GET', `?start_id=${ids[1]}`))).toEqual([ids[1], ids[0]]);
    expect(idsOf(await call('GET', '?start_time=2099-01-01T00:00:00Z'))).toEqual([]);
    expect((await call('GET', '?count=21')).name).toBe('VALIDATION_ERROR');
  });

  it('plans are listed by state in pages, with a count on request', async () => {
    const body = {
      name: 'Tea',
      description: 'Monthly',
      type: 'INFINITE',
      payment_definitions: [
        {
          name: 'Regular',
          type: 'REGULAR',
          frequency: 'MONTH',
          frequency_interval: '1',
          cycles: '0',
          amount: { value: '10', currency: 'USD' },
        },
      ],
      merchant_preferences: { return_url: 'https://shop.example/yes', cancel_url: 'https://shop.example/no' },
    };
    for (const name of ['One', 'Two', 'Three']) {
      const { status, body: plan } = await sandbox.call('POST', '/v1/payments/billing-plans', {
        ...body,
        name,
      });
      expect(status, JSON.stringify(plan)).toBe(201);
    }
    const page = await get('/v1/payments/billing-plans?status=CREATED&page_size=2&page=0&total_required=yes');
    expect(page.plans).toHaveLength(2);
    expect([Number(page.total_items), Number(page.total_pages)]).toEqual([3, 2]);
    expect((await get('/v1/payments/billing-plans?status=CREATED&page_size=2&page=1')).plans).toHaveLength(1);
    expect((await get('/v1/payments/billing-plans?status=ACTIVE')).plans ?? []).toEqual([]);
  });

  it.each([
    ['100', 'JPY', 201],
    ['100.50', 'JPY', 400],
    ['1.234', 'KWD', 201],
    ['1.234', 'USD', 400],
    ['10.6', 'USD', 201],
    ['0.00', 'USD', 400],
    ['-1.00', 'USD', 400],
    ['1.00', 'XXQ', 400],
  ])('an amount of %s %s is answered with %i', async (total, currency, status) => {
    const answer = await sandbox.createPayment({ total, currency });
    expect(answer.status, JSON.stringify(answer.body)).toBe(status);
  });

  it('events are searched by date, type and transaction under both spellings of the path', async () => {
    const { authorizationId } = await sandbox.authorized();
    await sandbox.void(authorizationId);
    for (const spelling of ['notifications', 'notfications']) {
      const path = `/v1/${spelling}/webhooks-events?transaction_id=${authorizationId}`;
      const found = await get(path);
      expect(found.count).toBe(2);
      expect(found.events.map(({ event_type }: { event_type: string }) => event_type).toSorted()).toEqual([
        'PAYMENT.AUTHORIZATION.CREATED',
        'PAYMENT.AUTHORIZATION.VOIDED',
      ]);
      expect((await get(`${path}&event_type=PAYMENT.AUTHORIZATION.VOIDED`)).count).toBe(1);
      expect((await get(`${path}&end_time=2020-01-01T00:00:00Z`)).events ?? []).toEqual([]);
    }
  });
});

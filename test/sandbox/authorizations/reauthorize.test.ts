import { afterAll, describe, expect, it } from 'vitest';
import { dayLengthFor } from '../../helpers/day-length.js';
import { forAllTests } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { endHonourPeriod, honoured, LONG_DAY_MS, reauthorize, relsOf } from './reauthorizing.js';

/** Three of these are the honour period, 29 of them the life of an authorization. */
const usualDayMs = 200;

describe('reauthorizations', () => {
  const sandbox = forAllTests(() => SandboxFixture.start({ dayLengthMs: LONG_DAY_MS }));
  afterAll(async () => {
    expect(await sandbox.violations()).toEqual([]);
  });

  const eventsOf = async (id: string): Promise<string[]> => {
    const { body } = await sandbox.call('GET', `/v1/notifications/webhooks-events?transaction_id=${id}`);
    return body.events
      .filter(({ resource }: { resource: { id: string } }) => resource.id === id)
      .map(({ event_type }: { event_type: string }) => event_type);
  };

  it('14: are too soon within three days, and possible after them by the service’s clock', async () => {
    const dayLengthMs = await dayLengthFor(usualDayMs, () => sandbox.authorized());
    await sandbox.configure({ dayLengthMs });
    const { authorizationId, paymentId } = await sandbox.authorized();
    const tooSoon = await reauthorize(sandbox, authorizationId);
    expect(tooSoon).toMatchObject({ status: 400, body: { name: 'REAUTHORIZATION_TOO_SOON' } });
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000']);
    await eventually(async () => (await reauthorize(sandbox, authorizationId)).status).toBe(201);
    const { valid_until, create_time, ...reauthorized } = await sandbox.authorization(authorizationId);
    expect(Date.parse(valid_until) - Date.parse(create_time)).toBe(29 * dayLengthMs);
    expect(Date.parse(reauthorized.update_time) - Date.parse(create_time)).toBeGreaterThanOrEqual(
      3 * dayLengthMs,
    );
    await eventually(() => sandbox.authorization(authorizationId)).toMatchObject({ state: 'expired' });
    await sandbox.configure({});
    expect(await sandbox.booksOf(paymentId)).toEqual([
      'hold 10000',
      'release 10000',
      'hold 11000',
      'release 11000',
    ]);
  });

  it('continue under the same id with the new amount', async () => {
    const { authorizationId, paymentId } = await honoured(sandbox);
    const { status, body } = await reauthorize(sandbox, authorizationId, '115');
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id: authorizationId,
      state: 'authorized',
      parent_payment: paymentId,
      amount: { total: '115.00', currency: 'USD', details: { subtotal: '115.00' } },
    });
    expect(await sandbox.authorization(authorizationId)).toEqual(body);
    expect(await eventsOf(authorizationId)).toEqual(Array(2).fill('PAYMENT.AUTHORIZATION.CREATED'));
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'release 10000', 'hold 11500']);
    expect((await sandbox.capture(authorizationId, '115.01')).body.name).toBe(
      'CAPTURE_AMOUNT_LIMIT_EXCEEDED',
    );
    expect((await sandbox.capture(authorizationId, '115.00')).status).toBe(201);
    expect((await sandbox.authorization(authorizationId)).state).toBe('captured');
    expect((await reauthorize(sandbox, authorizationId)).body.name).toBe('AUTHORIZATION_ALREADY_COMPLETED');
  });

  it('14: continue under a new id, which later captures use, while the old one is closed', async () => {
    await sandbox.configure({ reauthorizationId: 'new' });
    const { authorizationId, paymentId } = await honoured(sandbox);
    const before = await sandbox.authorization(authorizationId);
    const { status, body } = await reauthorize(sandbox, authorizationId);
    const second = await reauthorize(sandbox, authorizationId);
    await endHonourPeriod(sandbox, body.id);
    const third = await reauthorize(sandbox, body.id);
    await sandbox.configure({});

    expect(status).toBe(201);
    expect(body.id).not.toBe(authorizationId);
    expect(body).toMatchObject({
      state: 'authorized',
      amount: { total: '110.00' },
      valid_until: before.valid_until,
      parent_payment: paymentId,
    });
    expect(second.body.name).toBe('TOO_MANY_REAUTHORIZATIONS');
    expect(third.body.name).toBe('CANNOT_REAUTH_CHILD_AUTHORIZATION');
    expect(await eventsOf(body.id)).toEqual(['PAYMENT.AUTHORIZATION.CREATED']);
    expect(await eventsOf(authorizationId)).toEqual(['PAYMENT.AUTHORIZATION.CREATED']);

    const old = await sandbox.authorization(authorizationId);
    expect(old.state).toBe('voided');
    expect(relsOf(old)).toEqual(['self', 'parent_payment']);
    expect((await sandbox.capture(authorizationId, '1.00')).body.name).toBe('AUTHORIZATION_VOIDED');
    const payment = await sandbox.call('GET', `/v1/payments/payment/${paymentId}`);
    const [transaction] = payment.body.transactions;
    expect(transaction.related_resources).toMatchObject([
      { authorization: { id: authorizationId, state: 'voided' } },
      { authorization: { id: body.id, state: 'authorized' } },
    ]);
    expect(transaction.links).toEqual(body.links);
    expect((await sandbox.capture(body.id, '110.00')).status).toBe(201);
    expect(await sandbox.booksOf(paymentId)).toEqual([
      'hold 10000',
      'release 10000',
      'hold 11000',
      'capture 11000',
    ]);
  });

  it.each(['same', 'new'])(
    'can be many when the application is configured so: %s id',
    async (reauthorizationId) => {
      await sandbox.configure({ reauthorizationId, reauthorizationTimes: 'many' });
      const { authorizationId, paymentId } = await honoured(sandbox);
      const first = await reauthorize(sandbox, authorizationId, '90.00');
      const tooSoon = await reauthorize(sandbox, first.body.id, '100.00');
      await endHonourPeriod(sandbox, first.body.id);
      const second = await reauthorize(sandbox, first.body.id, '115.00');
      await endHonourPeriod(sandbox, second.body.id);
      const tooMuch = await reauthorize(sandbox, second.body.id, '115.01');
      await sandbox.configure({});
      expect([first.status, tooSoon.body.name, second.status, tooMuch.body.name]).toEqual([
        201,
        'REAUTHORIZATION_TOO_SOON',
        201,
        'AUTHORIZATION_AMOUNT_LIMIT_EXCEEDED',
      ]);
      await sandbox.void(second.body.id);
      expect(await sandbox.booksOf(paymentId)).toEqual([
        'hold 10000',
        'release 10000',
        'hold 9000',
        'release 9000',
        'hold 11500',
        'release 11500',
      ]);
    },
  );

  it('happen once by default, and a repeated request id does not change that', async () => {
    const { authorizationId, paymentId } = await honoured(sandbox);
    const key = { 'paypal-request-id': 'again' };
    expect((await reauthorize(sandbox, authorizationId, '100.00', { headers: key })).status).toBe(201);
    const again = await reauthorize(sandbox, authorizationId, '100.00', { headers: key });
    expect(again).toMatchObject({ status: 400, body: { name: 'TOO_MANY_REAUTHORIZATIONS' } });
    expect(await sandbox.booksOf(paymentId)).toHaveLength(3);
  });

  it('are answered again under their request id when every id is honoured', async () => {
    await sandbox.configure({ idempotency: 'all' });
    const { authorizationId, paymentId } = await honoured(sandbox);
    const key = { 'paypal-request-id': 'all-again' };
    const [first, second] = [
      await reauthorize(sandbox, authorizationId, '100.00', { headers: key }),
      await reauthorize(sandbox, authorizationId, '100.00', { headers: key }),
    ];
    await sandbox.configure({});
    expect(second.body).toEqual(first.body);
    expect(await sandbox.booksOf(paymentId)).toHaveLength(3);
  });

  it('are refused, not failed, when holds under one id add up beyond the largest amount of the books', async () => {
    await sandbox.configure({ reauthorizationTimes: 'many' });
    const { authorizationId } = await honoured(sandbox, { total: '9999999999', currency: 'KWD' });
    const again = () => reauthorize(sandbox, authorizationId, '9999999999', { currency: 'KWD' });
    // As 899 reauthorizations leave it: what was held before is released.
    const before = 9_007_199_254_740_991 - 9_999_999_999_000;
    await sandbox.sql(`UPDATE authorizations SET amount_minor = ${before},
      released_minor = ${before} - amount_minor, renewed_minor = ${before} - amount_minor WHERE id = '${authorizationId}'`);
    const last = await again();
    await endHonourPeriod(sandbox, authorizationId);
    const refused = await again();
    await sandbox.configure({});
    await sandbox.sql(`UPDATE authorizations SET amount_minor = amount_minor - ${before} + 9999999999000,
      released_minor = 9999999999000, renewed_minor = 9999999999000 WHERE id = '${authorizationId}'`);
    expect(last.status).toBe(201);
    expect(refused.body.name).toBe('AUTHORIZATION_AMOUNT_LIMIT_EXCEEDED');
  });

  it('are offered by a link once, and only while they can succeed', async () => {
    const { authorizationId } = await sandbox.authorized();
    expect(relsOf(await sandbox.authorization(authorizationId))).toEqual([
      'self',
      'capture',
      'void',
      'parent_payment',
    ]);
    await endHonourPeriod(sandbox, authorizationId);
    const offered = await sandbox.authorization(authorizationId);
    expect(relsOf(offered)).toEqual(['self', 'capture', 'void', 'reauthorize', 'parent_payment']);
    const { href } = offered.links.find(({ rel }: { rel: string }) => rel === 'reauthorize');
    const amount = { total: '100.00', currency: 'USD' };
    const { body } = await sandbox.call('POST', href.slice(sandbox.url.length), { amount });
    expect(relsOf(body)).toEqual(['self', 'capture', 'void', 'parent_payment']);
  });
});

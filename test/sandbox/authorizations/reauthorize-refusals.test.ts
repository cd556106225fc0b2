import { afterAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { endHonourPeriod, honoured, LONG_DAY_MS, reauthorize, relsOf } from './reauthorizing.js';

describe('reauthorizations that are refused in whole or in part', () => {
  const sandbox = forAllTests(() => SandboxFixture.start({ dayLengthMs: LONG_DAY_MS }));
  afterAll(async () => {
    expect(await sandbox.violations()).toEqual([]);
  });

  it('are refused with their documented names', async () => {
    const { authorizationId, paymentId } = await honoured(sandbox);
    expect((await reauthorize(sandbox, authorizationId, '115.01')).body.name).toBe(
      'AUTHORIZATION_AMOUNT_LIMIT_EXCEEDED',
    );
    expect((await reauthorize(sandbox, authorizationId, '50.00', { currency: 'EUR' })).body.name).toBe(
      'CURRENCY_MISMATCH',
    );
    expect((await reauthorize(sandbox, authorizationId, '0.00')).body.details[0].field).toBe('amount.total');
    expect((await reauthorize(sandbox, 'NONE')).body.name).toBe('INVALID_RESOURCE_ID');
    const path = `/v1/payments/authorization/${authorizationId}/reauthorize/`;
    expect((await sandbox.call('POST', path, {})).body.details).toEqual([
      { field: 'amount', issue: 'Required field is missing' },
    ]);
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000']);
    await sandbox.void(authorizationId);
    expect((await reauthorize(sandbox, authorizationId)).body.name).toBe('AUTHORIZATION_VOIDED');

    await sandbox.configure({ dayLengthMs: 5 });
    const expired = await sandbox.authorized();
    await sandbox.configure({});
    await eventually(() => sandbox.authorization(expired.authorizationId)).toMatchObject({
      state: 'expired',
    });
    expect((await reauthorize(sandbox, expired.authorizationId)).body.name).toBe('AUTHORIZATION_EXPIRED');
  });

  it('of a card are refused, and of a wallet whose funding declines', async () => {
    const card = { type: 'visa', number: '4417119669820331', expire_month: '11', expire_year: '2040' };
    const payer = { payment_method: 'credit_card', funding_instruments: [{ credit_card: card }] };
    const byCard = await sandbox.createPayment({ payment: { payer } });
    const { authorization } = byCard.body.transactions[0].related_resources[0];
    await endHonourPeriod(sandbox, authorization.id);
    expect((await reauthorize(sandbox, authorization.id)).body.name).toBe('TRANSACTION_REFUSED');
    expect(relsOf(await sandbox.authorization(authorization.id))).not.toContain('reauthorize');

    const { authorizationId, paymentId } = await honoured(sandbox);
    await sandbox.request('PATCH', '/admin/accounts/SANDBOXPAYER1', { fundingDeclines: true });
    const declined = await reauthorize(sandbox, authorizationId);
    await sandbox.request('PATCH', '/admin/accounts/SANDBOXPAYER1', { fundingDeclines: false });
    expect(declined.body.name).toBe('INSTRUMENT_DECLINED');
    await sandbox.switchOnFault({ kind: 'decline', operation: 'authorization.reauthorize' });
    expect((await reauthorize(sandbox, authorizationId)).body.name).toBe('INSTRUMENT_DECLINED');
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000']);
    expect((await reauthorize(sandbox, authorizationId)).status).toBe(201);
  });

  it.each(['same', 'new'])('14: have one winner among concurrent ones: %s id', async (reauthorizationId) => {
    await sandbox.configure({ reauthorizationId });
    const { authorizationId, paymentId } = await honoured(sandbox);
    const answers = await Promise.all(Array.from({ length: 6 }, () => reauthorize(sandbox, authorizationId)));
    await sandbox.configure({});
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'release 10000', 'hold 11000']);
  });

  it.each(['same', 'new'])(
    'have one winner against a concurrent full capture or void: %s id',
    async (reauthorizationId) => {
      await sandbox.configure({ reauthorizationId });
      for (let round = 0; round < 12; round += 1) {
        const { authorizationId, paymentId } = await honoured(sandbox);
        const rival = () =>
          round % 2 === 0 ? sandbox.capture(authorizationId, '100.00') : sandbox.void(authorizationId);
        const both = [rival, () => reauthorize(sandbox, authorizationId, '110.00')];
        const answers = await Promise.all((round % 3 === 0 ? both : both.toReversed()).map((call) => call()));
        const books = await sandbox.booksOf(paymentId);
        if (answers.filter(({ status }) => status < 300).length === 2) {
          // The reauthorization came first, and its new hold is what was captured or voided: under the same id alone.
          expect(reauthorizationId).toBe('same');
          expect(books.slice(0, 3)).toEqual(['hold 10000', 'release 10000', 'hold 11000']);
          expect(books.slice(3)).toEqual([round % 2 === 0 ? 'capture 10000' : 'release 11000']);
        } else {
          expect([2, 3]).toContain(books.length);
        }
        expect(await sandbox.violations()).toEqual([]);
      }
      await sandbox.configure({});
    },
  );
});

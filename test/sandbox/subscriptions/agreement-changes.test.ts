import { afterEach, describe, expect, test } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture, type Answer } from '../sandbox-fixture.js';
import { AGREEMENTS, inFuture, planBody, Subscriptions } from './subscription-calls.js';

const sandbox = forAllTests(() => SandboxFixture.start());
const subscriptions = new Subscriptions(sandbox);
afterEach(async () => expect(await sandbox.violations()).toEqual([]));

const withFee = () => planBody({}, { setup_fee: { value: '5.00', currency: 'USD' } });

const statusesOf = (answers: readonly Answer[]) =>
  answers.map(({ status }) => status).sort((one, other) => one - other);

const owing = async () => {
  await sandbox.switchOnFault({ operation: 'agreement.execute', kind: 'decline' });
  return subscriptions.agreement(withFee());
};

describe('changing', () => {
  test('replaces description, address and start, and sends an event', async () => {
    const id = await subscriptions.agreement();
    const start = inFuture(120_000);
    const patched = await sandbox.call('PATCH', `${AGREEMENTS}/${id}`, [
      {
        op: 'replace',
        path: '/',
        value: {
          description: 'New',
          start_date: start,
          shipping_address: { line1: 'A', city: 'B', country_code: 'US' },
        },
      },
    ]);
    expect([patched.status, patched.body]).toEqual([200, '']);
    expect(await subscriptions.get(id)).toMatchObject({
      description: 'New',
      start_date: start,
      shipping_address: { line1: 'A', city: 'B', country_code: 'US' },
      agreement_details: { next_billing_date: start },
    });
    expect(await subscriptions.events(id)).toEqual(['CREATED', 'ACTIVATED', 'UPDATED']);
  });

  test('follows its states and refuses what a state does not allow', async () => {
    const id = await subscriptions.agreement();
    const tried = async (action: string) => {
      const { status, body } = await subscriptions.post(id, action);
      return status === 204 ? 204 : body.name;
    };
    expect(await tried('re-activate')).toBe('INVALID_STATUS_TO_REACTIVATE');
    expect(await tried('suspend')).toBe(204);
    expect(await tried('suspend')).toBe('INVALID_STATUS_TO_SUSPEND');
    expect((await subscriptions.get(id)).state).toBe('Suspended');
    expect(await tried('re-activate')).toBe(204);
    expect(await tried('cancel')).toBe(204);
    expect(await tried('cancel')).toBe('RP_INVALID_STATUS_TO_CANCEL');
    expect(await tried('suspend')).toBe('INVALID_STATUS_TO_SUSPEND');
    expect(await tried('re-activate')).toBe('INVALID_STATUS_TO_REACTIVATE');
    expect(
      await subscriptions.post(id, 'bill-balance', { amount: { value: '0', currency: 'USD' } }),
    ).toMatchObject({
      status: 422,
    });
    const late = await sandbox.call('PATCH', `${AGREEMENTS}/${id}`, [
      { op: 'replace', path: '/', value: {} },
    ]);
    expect(late.status).toBe(422);
    expect(await subscriptions.events(id)).toEqual([
      'CREATED',
      'ACTIVATED',
      'SUSPENDED',
      'RE-ACTIVATED',
      'CANCELLED',
    ]);
    expect(await subscriptions.transactions(id)).toEqual(['Created', 'Suspended', 'Reactivated', 'Canceled']);
  });

  test('has one winner when it is suspended and cancelled at once, repeatedly', async () => {
    const id = await subscriptions.agreement();
    const answers = await Promise.all(
      ['cancel', 'cancel', 'cancel'].map((action) => subscriptions.post(id, action)),
    );
    expect(statusesOf(answers)).toEqual([204, 400, 400]);
  });

  test('shows agreements to their own application only', async () => {
    const id = await subscriptions.agreement();
    await sandbox.request('PUT', '/admin/applications/other', { clientSecret: 'other-secret' });
    const token = await sandbox.newToken('other', 'other-secret');
    const headers = { authorization: `Bearer ${token}` };
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/suspend'],
      ['GET', '/transactions?start_date=2020-01-01&end_date=2020-01-02'],
    ] as const) {
      const answer = await sandbox.request(
        method,
        `${AGREEMENTS}/${id}${path}`,
        method === 'POST' ? {} : undefined,
        headers,
      );
      expect([answer.status, answer.body.name]).toEqual([404, 'INVALID_RESOURCE_ID']);
    }
  });
});

describe('the outstanding balance', () => {
  test('is collected in parts by bill-balance, never more than is owed', async () => {
    const id = await owing();
    const bill = (value: string, currency = 'USD') =>
      subscriptions.post(id, 'bill-balance', { note: 'now', amount: { value, currency } });
    expect((await bill('5.01')).body.name).toBe('RP_CANT_INCREASE_OUTSTANDING_AMOUNT');
    expect((await bill('1.00', 'EUR')).body.details[0].field).toBe('amount.currency');
    expect((await bill('2.00')).status).toBe(204);
    expect(statusesOf(await Promise.all([bill('3'), bill('3.00')]))).toEqual([204, 400]);
    expect((await subscriptions.details(id)).outstanding_balance.value).toBe('0.00');
    expect(await subscriptions.booked(id)).toEqual([200, 300]);
  });

  test('is lowered by set-balance and never raised', async () => {
    const id = await owing();
    const set = (value: string) => subscriptions.post(id, 'set-balance', { value, currency: 'USD' });
    expect((await set('100')).body.name).toBe('RP_CANT_INCREASE_OUTSTANDING_AMOUNT');
    expect((await set('1.50')).status).toBe(204);
    expect((await subscriptions.details(id)).outstanding_balance.value).toBe('1.50');
    expect(await subscriptions.booked(id)).toEqual([]);
  });

  test('stays owed when bill-balance is declined', async () => {
    const id = await owing();
    await sandbox.switchOnFault({ operation: 'agreement.bill-balance', kind: 'decline' });
    const declined = await subscriptions.post(id, 'bill-balance', {
      amount: { value: '5', currency: 'USD' },
    });
    expect([declined.status, declined.body.name]).toEqual([400, 'INSTRUMENT_DECLINED']);
    expect((await subscriptions.details(id)).outstanding_balance.value).toBe('5.00');
  });
});

test('shows a payment that was refunded, and owes nothing for it', async () => {
  const id = await subscriptions.agreement(withFee());
  const [sale] = await sandbox.sql(`SELECT id FROM sales WHERE billing_agreement_id = '${id}'`);
  const refund = (value: string) =>
    sandbox.call('POST', `/v1/payments/sale/${String(sale?.['id'])}/refund`, {
      amount: { total: value, currency: 'USD' },
    });
  expect((await refund('2.00')).status).toBe(201);
  expect(await subscriptions.transactions(id)).toEqual(['Created', 'Partially_Refunded 5.00']);
  expect((await refund('3.00')).status).toBe(201);
  expect(await subscriptions.transactions(id)).toEqual(['Created', 'Refunded 5.00']);
  expect((await subscriptions.details(id)).outstanding_balance.value).toBe('0.00');
});

test('treats null fields as absent, as public clients send them', async () => {
  const created = await subscriptions.createAgreement(await subscriptions.activePlan(), {
    shipping_address: null,
    override_merchant_preferences: null,
    payer: { payment_method: 'paypal', payer_info: null },
  });
  expect(created.status).toBe(201);
});

import { afterAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { PAYER_ID, SandboxFixture } from '../sandbox-fixture.js';
import { approveFrom, execute, newAccount, payment } from './payment-service.js';

describe('a payment whose funding is declined', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());
  afterAll(async () => {
    expect(await sandbox.violations()).toEqual([]);
  });

  it.each(['sale', 'authorize'])(
    'moves nothing and is paid from another account: intent %s',
    async (intent) => {
      const broke = await newAccount(sandbox, {
        email: `broke-${intent}@example.com`,
        fundingDeclines: true,
      });
      const { body: created } = await sandbox.createPayment({ intent });
      await approveFrom(sandbox, created.id, broke.id);
      const declined = await execute(sandbox, created.id, broke.id);
      expect(declined).toMatchObject({ status: 400, body: { name: 'INSTRUMENT_DECLINED' } });
      expect(await sandbox.booksOf(created.id)).toEqual([]);
      expect(await payment(sandbox, created.id)).toMatchObject({ state: 'created' });

      await approveFrom(sandbox, created.id, PAYER_ID);
      expect((await execute(sandbox, created.id, broke.id)).body.name).toBe('INVALID_PAYER_ID');
      expect((await execute(sandbox, created.id, PAYER_ID)).body.state).toBe('approved');
      expect(await sandbox.booksOf(created.id)).toHaveLength(1);
      const events = await sandbox.call(
        'GET',
        `/v1/notifications/webhooks-events?transaction_id=${created.id}&event_type=PAYMENTS.PAYMENT.CREATED`,
      );
      expect(
        events.body.events.map((event: { resource: { payer: { payer_info: { payer_id: string } } } }) => {
          return event.resource.payer.payer_info.payer_id;
        }),
      ).toEqual([PAYER_ID, broke.id]);
    },
  );

  it('is executed once the account has money again, even under the same key', async () => {
    const { id } = await newAccount(sandbox, { email: 'later-rich@example.com', fundingDeclines: true });
    const { body: created } = await sandbox.createPayment();
    await approveFrom(sandbox, created.id, id);
    const path = `/v1/payments/payment/${created.id}/execute`;
    const attempt = () => sandbox.call('POST', path, { payer_id: id }, { 'paypal-request-id': 'one-key' });
    expect((await attempt()).body.name).toBe('INSTRUMENT_DECLINED');
    await sandbox.request('PATCH', `/admin/accounts/${id}`, { fundingDeclines: false });
    expect((await attempt()).status).toBe(200);
    expect(await sandbox.booksOf(created.id)).toEqual(['hold 10000']);
  });

  it('can be caused by a fault, at creation and at execution', async () => {
    await sandbox.switchOnFault({ kind: 'decline', operation: 'payment.create' });
    const before = await sandbox.sql('SELECT count(*) AS payments FROM payments');
    expect((await sandbox.createPayment()).body.name).toBe('INSTRUMENT_DECLINED');
    expect(await sandbox.sql('SELECT count(*) AS payments FROM payments')).toEqual(before);

    const { body: created } = await sandbox.createPayment();
    await sandbox.approve(created.id);
    await sandbox.switchOnFault({ kind: 'decline', operation: 'payment.execute' });
    expect((await sandbox.execute(created.id)).body.name).toBe('INSTRUMENT_DECLINED');
    expect((await sandbox.execute(created.id)).status).toBe(200);
  });

  it('is not created when it would be approved at once', async () => {
    await sandbox.configure({ approval: 'immediate' });
    await sandbox.request('PATCH', `/admin/accounts/${PAYER_ID}`, { fundingDeclines: true });
    const declined = await sandbox.createPayment();
    await sandbox.request('PATCH', `/admin/accounts/${PAYER_ID}`, { fundingDeclines: false });
    const accepted = await sandbox.createPayment();
    await sandbox.configure({});
    expect(declined.body.name).toBe('INSTRUMENT_DECLINED');
    expect(accepted.body.state).toBe('approved');
  });
});

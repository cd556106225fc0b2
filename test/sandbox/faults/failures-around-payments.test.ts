import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { itemFor, Payouts } from '../payouts/payout-helpers.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { planBody, regular, SOON, Subscriptions } from '../subscriptions/subscription-calls.js';
import { WebhookReceiver } from '../webhook-receiver.js';

/* As failures.test.ts, for what goes wrong around payments. */
describe('the service can cause failure', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());
  const receiver = forAllTests(() => WebhookReceiver.start());
  beforeAll(async () => {
    const everything = { url: receiver.url, event_types: [{ name: '*' }] };
    await sandbox.call('POST', '/v1/notifications/webhooks', everything);
  });
  afterEach(async () => {
    await sandbox.request('DELETE', '/admin/faults');
    expect(await sandbox.violations()).toEqual([]);
  });

  it.each(['body', 'signature', 'webhook_id'])(
    '22: a delivery does not match its signature: %s',
    async (part) => {
      await sandbox.switchOnFault({ kind: 'corrupt_delivery', part });
      await sandbox.createPayment();
      // An attempt is on record once the receiver has answered it.
      const corrupted = async (): Promise<number> => {
        const { deliveries } = (await sandbox.request('GET', '/admin/deliveries?limit=100')).body;
        const attempts = deliveries.flatMap(
          (delivery: { attempts: { fault: string }[] }) => delivery.attempts,
        );
        return attempts.filter(({ fault }: { fault: string }) => fault === 'corrupt_delivery').length;
      };
      const before = await corrupted();
      await sandbox.authorized();
      await eventually(corrupted).toBeGreaterThan(before);
    },
  );

  it('25, 26: a shop’s text comes back in answers and events exactly as it was written', async () => {
    const custom = '<script>alert("jane@example.com")</script>';
    const { paymentId } = await sandbox.authorized({ transaction: { custom } });
    await eventually(() => receiver.typesOf(paymentId)).toEqual(['PAYMENTS.PAYMENT.CREATED']);
    const { event } = receiver.deliveries.find((delivery) => delivery.event.resource.id === paymentId)!;
    expect(event.resource.transactions[0].custom).toBe(custom);
  });

  it('27: an event is resent manually many times, each time the same', async () => {
    const { authorizationId } = await sandbox.authorized();
    const address = '/v1/notifications/webhooks-events';
    const { events } = (await sandbox.call('GET', `${address}?transaction_id=${authorizationId}`)).body;
    for (let click = 0; click < 2; click += 1)
      expect((await sandbox.call('POST', `${address}/${events[0].id}/resend`)).status).toBe(202);
    await eventually(() => receiver.typesOf(authorizationId)).toHaveLength(3);
  });

  it('28: the same payout batch is submitted twice', async () => {
    const payouts = new Payouts(sandbox);
    const submit = () => payouts.create([itemFor('twice@example.com')], { sender_batch_id: 'twice' });
    expect((await submit()).status).toBe(201);
    expect((await submit()).body.name).toBe('USER_BUSINESS_ERROR');
  });

  it('29: an agreement’s payment fails, without an event, and is collected later', async () => {
    await sandbox.configure({ dayLengthMs: 20 });
    await sandbox.switchOnFault({ operation: 'agreement.cycle', kind: 'decline' });
    await sandbox.switchOnFault({ kind: 'drop_delivery', eventType: 'BILLING.SUBSCRIPTION.PAYMENT.FAILED' });
    const subscriptions = new Subscriptions(sandbox);
    const plan = planBody({ payment_definitions: [regular({ frequency: 'DAY', cycles: '3' })] });
    const id = await subscriptions.agreement(plan, SOON);
    await eventually(() => subscriptions.events(id)).toContain('PAYMENT.FAILED');
    await eventually(async () => (await subscriptions.booked(id)).length).toBeGreaterThan(0);
    expect(receiver.typesOf(id)).not.toContain('BILLING.SUBSCRIPTION.PAYMENT.FAILED');
    await sandbox.configure({ dayLengthMs: null });
  });

  it('30: amounts have the decimals of their currency, or are refused', async () => {
    for (const [total, currency, status] of [
      ['1000', 'JPY', 201],
      ['10.50', 'JPY', 400],
      ['10.6', 'USD', 201],
      ['10.605', 'USD', 400],
    ] as const) {
      expect((await sandbox.createPayment({ total, currency })).status).toBe(status);
    }
  });
});

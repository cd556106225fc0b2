import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { WebhookReceiver } from '../webhook-receiver.js';
import { describedCalls, EXCEPTIONS } from './descriptions.js';
import { JudgedService } from './judged-service.js';

const PAYMENTS = '/v1/payments';
const NOTIFICATIONS = '/v1/notifications';
const EVENT = 'PAYMENT.AUTHORIZATION.CREATED';
const usd = (total: string) => ({ amount: { total, currency: 'USD' } });

const order = (intent: string) => ({
  intent,
  payer: { payment_method: 'paypal', payer_info: { email: 'payer@shop.example' } },
  redirect_urls: { return_url: 'http://127.0.0.1:9/return', cancel_url: 'http://127.0.0.1:9/cancel' },
  note_to_payer: 'Thanks',
  transactions: [
    {
      amount: { total: '100.00', currency: 'USD', details: { subtotal: '90.00', shipping: '10.00' } },
      payee: { email: 'seller@shop.example' },
      description: 'A thing',
      custom: 'custom-1',
      invoice_number: crypto.randomUUID(),
      item_list: { items: [{ name: 'Thing', quantity: '1', price: '90.00', currency: 'USD' }] },
    },
  ],
});

describe('answers of the service, by the public descriptions', () => {
  let service: JudgedService;
  const sandbox = forAllTests(() => SandboxFixture.start());
  const receiver = forAllTests(() => WebhookReceiver.start());
  beforeAll(async () => {
    service = new JudgedService(sandbox);
    await sandbox.configure({
      payoutPendingMs: 20,
      payoutProcessingMs: 20,
      payoutUnknownReceivers: 'unclaimed',
    });
  });
  afterAll(async () => {
    expect(await sandbox.violations()).toEqual([]);
  });

  async function paid(intent: string) {
    const created = await service.succeed('POST', `${PAYMENTS}/payment`, order(intent));
    await service.approve(created);
    const path = `${PAYMENTS}/payment/${created.id}`;
    const executed = await service.succeed('POST', `${path}/execute`, { payer_id: 'SANDBOXPAYER1' });
    await service.succeed('GET', path);
    return executed.transactions[0].related_resources[0];
  }

  it('are as described for payments and sales', async () => {
    const change = [{ op: 'replace', path: '/transactions/0/amount', value: usd('90.00').amount }];
    const { id } = await service.succeed('POST', `${PAYMENTS}/payment`, order('sale'));
    await service.succeed('PATCH', `${PAYMENTS}/payment/${id}`, change);
    const { sale } = await paid('sale');
    const refund = await service.succeed('POST', `${PAYMENTS}/sale/${sale.id}/refund`, usd('40.00'));
    await service.succeed('GET', `${PAYMENTS}/refund/${refund.id}`);
    await service.succeed('POST', `${PAYMENTS}/sale/${sale.id}/refund`, {});
    await service.succeed('GET', `${PAYMENTS}/sale/${sale.id}`);
    await service.succeed('GET', `${PAYMENTS}/payment?count=1`);
    expect(service.faults).toEqual([]);
  });

  it('are as described for authorizations and captures', async () => {
    const { authorization } = await paid('authorize');
    const path = `${PAYMENTS}/authorization/${authorization.id}`;
    await service.succeed('GET', path);
    const capture = await service.succeed('POST', `${path}/capture`, {
      ...usd('60.00'),
      is_final_capture: false,
    });
    await service.succeed('GET', path);
    await service.succeed('GET', `${PAYMENTS}/capture/${capture.id}`);
    await service.succeed('POST', `${PAYMENTS}/capture/${capture.id}/refund`, usd('20.00'));
    await service.succeed('GET', `${PAYMENTS}/capture/${capture.id}`);
    await service.succeed('POST', `${path}/void`, {});
    await service.succeed('GET', path);
    await sandbox.configure({ dayLengthMs: 500 });
    const held = (await paid('authorize')).authorization;
    const reauthorize = () =>
      service.call('POST', `${PAYMENTS}/authorization/${held.id}/reauthorize`, usd('100.00'));
    await eventually(async () => (await reauthorize()).status).toBe(201);
    await sandbox.configure({
      payoutPendingMs: 20,
      payoutProcessingMs: 20,
      payoutUnknownReceivers: 'unclaimed',
    });
    expect(service.faults).toEqual([]);
  });

  it('are as described for webhooks and events', async () => {
    const webhooks = `${NOTIFICATIONS}/webhooks`;
    const request = { url: receiver.url, event_types: [{ name: EVENT }] };
    const { id } = await service.succeed('POST', webhooks, request);
    await service.succeed('GET', webhooks);
    await service.succeed('GET', `${webhooks}/${id}`);
    await service.succeed('GET', `${webhooks}/${id}/event-types`);
    await service.succeed('GET', `${NOTIFICATIONS}/webhooks-event-types`);
    await paid('authorize');
    await eventually(() => receiver.deliveries.length).toBeGreaterThan(0);
    const { headers, raw, event } = receiver.deliveries[0]!;
    const events = `${NOTIFICATIONS}/webhooks-events`;
    await service.succeed('GET', `${events}?page_size=2`);
    await service.succeed('GET', `${events}/${event.id}`);
    await service.succeed('POST', `${events}/${event.id}/resend`, { webhook_ids: [id] });
    await service.succeed('POST', `${NOTIFICATIONS}/simulate-event`, { webhook_id: id, event_type: EVENT });
    const verified = await service.succeed('POST', `${NOTIFICATIONS}/verify-webhook-signature`, {
      auth_algo: headers['paypal-auth-algo'],
      cert_url: headers['paypal-cert-url'],
      transmission_id: headers['paypal-transmission-id'],
      transmission_sig: headers['paypal-transmission-sig'],
      transmission_time: headers['paypal-transmission-time'],
      webhook_id: id,
      webhook_event: JSON.parse(raw.toString()),
    });
    expect(verified.verification_status).toBe('SUCCESS');
    const change = [{ op: 'replace', path: '/event_types', value: [{ name: '*' }] }];
    await service.succeed('PATCH', `${webhooks}/${id}`, change);
    await service.succeed('DELETE', `${webhooks}/${id}`);
    expect(service.faults).toEqual([]);
  });

  it('are as described for payouts', async () => {
    const items = ['EMAIL', 'EMAIL'].map((recipient_type, index) => ({
      recipient_type,
      amount: { value: '9.87', currency: 'USD' },
      receiver: `receiver-${index}@shop.example`,
      note: 'Thanks',
      sender_item_id: `item-${index}`,
    }));
    const sender_batch_header = { sender_batch_id: crypto.randomUUID(), email_subject: 'A payout' };
    const { batch_header } = await service.succeed('POST', `${PAYMENTS}/payouts`, {
      sender_batch_header,
      items,
    });
    const path = `${PAYMENTS}/payouts/${batch_header.payout_batch_id}`;
    await eventually(async () => (await service.succeed('GET', path)).batch_header.batch_status).toBe(
      'SUCCESS',
    );
    const [item] = (await service.succeed('GET', `${path}?page=1&page_size=1&total_required=true`)).items;
    await service.succeed('GET', `${PAYMENTS}/payouts-item/${item.payout_item_id}`);
    await service.succeed('POST', `${PAYMENTS}/payouts-item/${item.payout_item_id}/cancel`);
    expect(service.faults).toEqual([]);
  });

  it('are as described for errors, of every call that can refuse', async () => {
    for (const { method, path } of describedCalls) {
      const unknown = path.replaceAll(/\{\w+\}/g, 'PAY0XL713371A312273');
      const body = method === 'GET' || method === 'DELETE' ? undefined : { unknown_field: 'x'.repeat(10) };
      await service.call(method, unknown, body);
      await service.call(method, `${unknown}?page_size=none&count=none&start_time=none`, body);
    }
    expect(service.faults).toEqual([]);
  });

  it('were checked for every described call, succeeding and refused, with no unused exception', () => {
    expect(service.missing('success')).toEqual([]);
    expect(service.missing('error')).toEqual([
      // It has nothing to refuse but a missing token.
      `GET ${NOTIFICATIONS}/webhooks-event-types`,
    ]);
    expect([...service.exceptions].toSorted()).toEqual(EXCEPTIONS.map(({ reason }) => reason).toSorted());
  });
});

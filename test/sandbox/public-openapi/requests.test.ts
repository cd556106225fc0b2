import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { SandboxFixture } from '../sandbox-fixture.js';
import { WebhookReceiver } from '../webhook-receiver.js';
import { describedCalls } from './descriptions.js';
import { JudgedService } from './judged-service.js';

/** A payer that the examples of the public API name. */
const PAYER_ID = 'CR87QHB7JTRSC';
const NOTIFICATIONS = '/v1/notifications';

type Body = Record<string, unknown>;

describe('example requests of the public descriptions', () => {
  let service: JudgedService;
  const sandbox = forAllTests(() => SandboxFixture.start());
  const receiver = forAllTests(() => WebhookReceiver.start());
  beforeAll(async () => {
    service = new JudgedService(sandbox);
    const payer = { id: PAYER_ID, email: 'example-payer@shop.example', kind: 'personal' };
    expect((await sandbox.request('POST', '/admin/accounts', payer)).status).toBe(201);
  });
  afterAll(async () => {
    expect(await sandbox.violations()).toEqual([]);
  });

  const create = (intent: string, total = '120.00', currency = 'USD') =>
    service.succeed('POST', '/v1/payments/payment', {
      intent,
      payer: { payment_method: 'paypal' },
      redirect_urls: { return_url: 'http://127.0.0.1:9/r', cancel_url: 'http://127.0.0.1:9/c' },
      transactions: [
        {
          amount: { total, currency },
          item_list: { items: [{ name: 'Thing', quantity: '1', price: total, currency }] },
        },
      ],
    });

  async function executed(intent: string) {
    const created = await create(intent);
    await service.approve(created, PAYER_ID);
    const path = `/v1/payments/payment/${created.id}/execute`;
    const payment = await service.succeed('POST', path, { payer_id: PAYER_ID });
    return payment.transactions[0].related_resources[0];
  }

  async function newWebhook(): Promise<string> {
    const request = { url: `${receiver.url}?${crypto.randomUUID()}`, event_types: [{ name: '*' }] };
    return (await service.succeed('POST', `${NOTIFICATIONS}/webhooks`, request)).id;
  }

  /** Sends the example of a call in the state that it is meant for. */
  const senders: Record<string, (example: Body) => Promise<unknown>> = {
    'POST /v1/payments/payment': (example) => service.succeed('POST', '/v1/payments/payment', example),
    'PATCH /v1/payments/payment/{payment_id}': async (example) => {
      const { id } = await create('sale', '13.37', 'EUR');
      return service.succeed('PATCH', `/v1/payments/payment/${id}`, example);
    },
    'POST /v1/payments/payment/{payment_id}/execute': async (example) => {
      const created = await create('sale');
      await service.approve(created, PAYER_ID);
      return service.succeed('POST', `/v1/payments/payment/${created.id}/execute`, example);
    },
    'POST /v1/payments/sale/{sale_id}/refund': async (example) => {
      const { sale } = await executed('sale');
      return service.succeed('POST', `/v1/payments/sale/${sale.id}/refund`, example);
    },
    'POST /v1/payments/authorization/{authorization_id}/capture': async (example) => {
      const { authorization } = await executed('authorize');
      return service.succeed('POST', `/v1/payments/authorization/${authorization.id}/capture`, example);
    },
    [`POST ${NOTIFICATIONS}/webhooks`]: async (example) => {
      const { id } = await service.succeed('POST', `${NOTIFICATIONS}/webhooks`, example);
      // Before anything happens that would be told to the example’s address.
      return service.succeed('DELETE', `${NOTIFICATIONS}/webhooks/${id}`);
    },
    [`POST ${NOTIFICATIONS}/simulate-event`]: (example) =>
      // With a receiver on this machine: nothing is sent to the example’s address.
      service.succeed('POST', `${NOTIFICATIONS}/simulate-event`, { ...example, url: receiver.url }),
    [`POST ${NOTIFICATIONS}/verify-webhook-signature`]: async (example) => {
      // The example’s certificate address is the word "cert_url", which its own schema does not allow.
      const own = { webhook_id: await newWebhook(), cert_url: 'http://127.0.0.1:9/certificate' };
      const answer = await service.succeed('POST', `${NOTIFICATIONS}/verify-webhook-signature`, {
        ...example,
        ...own,
      });
      expect(answer).toEqual({ verification_status: 'FAILURE' });
    },
    'POST /v1/payments/payouts': (example) => service.succeed('POST', '/v1/payments/payouts', example),
  };

  const examples = describedCalls.flatMap(({ method, path, examples }) =>
    Object.entries(examples).map(([name, body]): [string, string, Body] => [
      `${method} ${path}`,
      name,
      body as Body,
    ]),
  );

  it.each(examples)('%s is accepted with the example “%s”', async (call, _, example) => {
    expect(Object.keys(senders)).toContain(call);
    await senders[call]!(example);
    expect(service.faults).toEqual([]);
  });

  it('are all sent, and nothing else is', () => {
    expect(Object.keys(senders).toSorted()).toEqual([...new Set(examples.map(([call]) => call))].toSorted());
  });
});

import { afterAll, expect } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { CLIENT_ID, CLIENT_SECRET, eventually, SandboxFixture, type Answer } from '../sandbox-fixture.js';
import { WebhookReceiver } from '../webhook-receiver.js';
import { describeSection } from './describe-section.js';
import { identifier, relsOf } from './formats.js';
import { approvalAddress } from './payer.js';

const PAYMENT = '/v1/payments/payment';
const AUTHORIZATION = '/v1/payments/authorization';
const WEBHOOKS = '/v1/notifications/webhooks';
const EVENTS = '/v1/notfications/webhooks-events';
const VOIDED = { name: 'PAYMENT.AUTHORIZATION.VOIDED' };

const sandbox = forAllTests(() => SandboxFixture.start({ approval: 'immediate' }));
const receiver = forAllTests(() => WebhookReceiver.start());
afterAll(async () => {
  expect(await sandbox.violations()).toEqual([]);
});

const createWebhook = async (event_types: object[] = [VOIDED]): Promise<Answer['body']> => {
  const url = `${receiver.url}?${crypto.randomUUID()}`;
  const { status, body } = await sandbox.call('POST', WEBHOOKS, { url, event_types });
  expect(status).toBe(201);
  return body;
};

/** The event that tells of a voided authorization, delivered to a webhook of this test. */
async function voidedEvent(): Promise<Answer['body']> {
  const { authorizationId } = await sandbox.authorized();
  await sandbox.void(authorizationId);
  const path = `${EVENTS}?transaction_id=${authorizationId}&event_type=${VOIDED.name}`;
  const { body } = await sandbox.call('GET', path);
  return body.events[0];
}

describeSection('3', {
  '(none) create payment with intent authorize': async () => {
    const { status, body } = await sandbox.createPayment({ intent: 'authorize', total: '25.00' });
    expect(status).toBe(201);
    expect(body.state).toBe('approved');
    expect(await sandbox.booksOf(body.id)).toEqual(['hold 2500']);
    expect(relsOf(body.transactions[0].links)).toEqual(
      expect.arrayContaining(['self GET', 'capture POST', 'void POST', 'parent_payment GET']),
    );
  },
  '(none) authorization created': async () => {
    const webhook = await createWebhook([{ name: 'PAYMENT.AUTHORIZATION.CREATED' }]);
    const { authorizationId } = await sandbox.authorized();
    expect((await sandbox.authorization(authorizationId)).state).toBe('authorized');
    await eventually(() => receiver.typesOf(authorizationId)).toEqual(['PAYMENT.AUTHORIZATION.CREATED']);
    await sandbox.call('DELETE', `${WEBHOOKS}/${webhook.id}`);
  },
});

describeSection('4', {
  'POST /v1/oauth2/token': async () => {
    const { status, body } = await sandbox.request(
      'POST',
      '/v1/oauth2/token',
      'grant_type=client_credentials',
      {
        accept: 'application/json',
        'accept-language': 'en_US',
        authorization: `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
    );
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(
      expect.arrayContaining(['access_token', 'app_id', 'expires_in', 'scope', 'token_type']),
    );
  },
  'POST /v1/payments/payment': async () => {
    for (const [intent, kind] of [
      ['sale', 'sale'],
      ['authorize', 'authorization'],
    ] as const) {
      const { status, body } = await sandbox.createPayment({ intent });
      expect(status).toBe(201);
      expect(Object.keys(body.transactions[0].related_resources[0])).toEqual([kind]);
    }
  },
  'GET /v1/payments/payment/<payment_id>': async () => {
    const { body } = await sandbox.createPayment();
    expect(await sandbox.call('GET', `${PAYMENT}/${body.id}`)).toMatchObject({ status: 200, body });
  },
  'GET /v1/payments/authorization/<authorization_id>': async () => {
    const { authorizationId } = await sandbox.authorized();
    const { status, body } = await sandbox.call('GET', `${AUTHORIZATION}/${authorizationId}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: authorizationId, state: 'authorized' });
  },
  'POST /v1/payments/authorization/<authorization_id>/capture': async () => {
    const { paymentId, authorizationId } = await sandbox.authorized({ total: '9.00' });
    const { status, body } = await sandbox.capture(authorizationId, '9.00', { is_final_capture: true });
    expect(status).toBe(201);
    expect(body).toMatchObject({ id: identifier, state: 'completed', parent_payment: paymentId });
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 900', 'capture 900']);
  },
  'POST /v1/payments/authorization/<authorization_id>/void': async () => {
    const { paymentId, authorizationId } = await sandbox.authorized({ total: '9.00' });
    const { status, body } = await sandbox.void(authorizationId);
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: authorizationId, state: 'voided' });
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 900', 'release 900']);
  },
  'POST /v1/payments/billing-plans': async () => {
    const { status, body } = await createPlan();
    expect(status, JSON.stringify(body)).toBe(201);
    expect(body.id).toEqual(identifier);
  },
  'POST /v1/payments/billing-agreements': async () => {
    const { body: plan } = await createPlan();
    const activation = [{ op: 'replace', path: '/', value: { state: 'ACTIVE' } }];
    await sandbox.call('PATCH', `/v1/payments/billing-plans/${plan.id}`, activation);
    const { status, body } = await sandbox.call('POST', '/v1/payments/billing-agreements', {
      name: 'Tea',
      description: 'Monthly tea',
      start_date: new Date(Date.now() + 3_600_000).toISOString(),
      plan: { id: plan.id },
      payer: { payment_method: 'wallet' },
    });
    expect(status, JSON.stringify(body)).toBe(201);
    expect((await fetch(approvalAddress(body))).status).toBe(200);
  },
  'POST /v1/notifications/webhooks': async () => {
    const webhook = await createWebhook();
    expect(webhook).toMatchObject({ id: identifier, event_types: [{ description: expect.any(String) }] });
    // The three of section 2.3 in both spellings (provider-facts, rule 3).
    expect(webhook.links).toHaveLength(6);
  },
  'GET /v1/notifications/webhooks/<webhook_id>': async () => {
    const [webhook] = (await sandbox.call('GET', WEBHOOKS)).body.webhooks;
    const { status, body } = await sandbox.call('GET', `${WEBHOOKS}/${webhook.id}`);
    expect([status, body]).toEqual([200, webhook]);
  },
  'PATCH /v1/notifications/webhooks/<webhook_id>': async () => {
    const { id } = await createWebhook();
    const value = `${receiver.url}/moved`;
    const change = [{ op: 'replace', path: '/url', value }];
    expect(await sandbox.call('PATCH', `${WEBHOOKS}/${id}`, change)).toMatchObject({
      status: 200,
      body: { id, url: value },
    });
  },
  'DELETE /v1/notifications/webhooks/<webhook_id>': async () => {
    const { id } = await createWebhook();
    expect((await sandbox.call('DELETE', `${WEBHOOKS}/${id}`)).status).toBe(204);
    expect((await sandbox.call('GET', `${WEBHOOKS}/${id}`)).status).toBe(404);
  },
  'GET /v1/notfications/webhooks-events/<event_id>': async () => {
    const event = await voidedEvent();
    const { status, body } = await sandbox.call('GET', `${EVENTS}/${event.id}`);
    expect([status, body]).toEqual([200, event]);
  },
  'POST /v1/notfications/webhooks-events/<event_id>/resend': async () => {
    const webhook = await createWebhook();
    const event = await voidedEvent();
    const received = () => receiver.deliveries.filter((delivery) => delivery.event.id === event.id).length;
    await eventually(received).toBeGreaterThan(0);
    const before = received();
    const resent = await sandbox.call('POST', `${EVENTS}/${event.id}/resend`);
    expect(resent).toMatchObject({ status: 202, body: { id: event.id } });
    await eventually(received).toBeGreaterThan(before);
    await sandbox.call('DELETE', `${WEBHOOKS}/${webhook.id}`);
  },
  'rule 1': async () => {
    const [sale, authorize] = await Promise.all(
      ['sale', 'authorize'].map((intent) => sandbox.createPayment({ intent, total: '3.00' })),
    );
    expect(await sandbox.booksOf(sale!.body.id)).toEqual(['sale 300']);
    expect(await sandbox.booksOf(authorize!.body.id)).toEqual(['hold 300']);
  },
  'rule 2': async () => {
    const { authorizationId } = await sandbox.authorized({ total: '8.00' });
    const { links } = await sandbox.authorization(authorizationId);
    const path = (rel: string) => {
      const found = links.find((each: { rel: string }) => each.rel === rel);
      return new URL(found.href).pathname;
    };
    expect(path('capture')).toBe(`${AUTHORIZATION}/${authorizationId}/capture`);
    const half = { amount: { total: '4.00', currency: 'USD' } };
    expect((await sandbox.call('POST', path('capture'), half)).status).toBe(201);
    expect((await sandbox.capture(authorizationId, '4.00')).status).toBe(201);
    expect((await sandbox.authorization(authorizationId)).state).toBe('captured');
  },
  'rule 3': async () => {
    const names = [{ name: 'PAYMENT.SALE.DENIED' }, { name: 'PAYMENT.SALE.PENDING' }];
    const { id } = await createWebhook(names);
    const listed = (await sandbox.call('GET', WEBHOOKS)).body.webhooks;
    expect(listed.map((webhook: { id: string }) => webhook.id)).toContain(id);
    const subscribed = (await sandbox.call('GET', `${WEBHOOKS}/${id}/event-types`)).body.event_types;
    expect(subscribed).toMatchObject(names);
    const found = await sandbox.call('GET', `${WEBHOOKS}?event_type=PAYMENT.SALE.DENIED`);
    expect(found.body.webhooks.map((webhook: { id: string }) => webhook.id)).toEqual([id]);
    const event = await voidedEvent();
    const search = await sandbox.call('GET', `${EVENTS}?event_type=${VOIDED.name}&page_size=300`);
    expect(search.body.events).toContainEqual(event);
    expect((await sandbox.call('DELETE', `${WEBHOOKS}/${id}`)).status).toBe(204);
  },
});

/** The smallest plan of section 2.5. */
function createPlan(): Promise<Answer> {
  return sandbox.call('POST', '/v1/payments/billing-plans', {
    name: 'Tea',
    description: 'Monthly tea',
    type: 'fixed',
    payment_definitions: [
      {
        name: 'Regular',
        type: 'REGULAR',
        frequency: 'MONTH',
        frequency_interval: '1',
        amount: { value: '10.00', currency: 'USD' },
        cycles: '12',
      },
    ],
    merchant_preferences: {
      return_url: 'https://shop.example/yes',
      cancel_url: 'https://shop.example/no',
      autobill_amount: 'YES',
      initial_amount_fail_action: 'CONTINUE',
      max_fail_attempts: '0',
    },
  });
}

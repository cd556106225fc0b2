import { afterAll, beforeAll, expect } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { eventually, SandboxFixture, type Answer } from '../sandbox-fixture.js';
import { WebhookReceiver } from '../webhook-receiver.js';
import { describeSection } from './describe-section.js';
import { DOCUMENTED_EVENTS } from './documented-events.js';
import { expectRefusalOf, identifier, link, relsOf, someText, timestamp } from './formats.js';

const WEBHOOKS = '/v1/notifications/webhooks';
/** The segment as the specification’s section 4 spells it. */
const EVENTS = '/v1/notfications/webhooks-events';

let webhook: Answer;
let authorizationId: string;

const sandbox = forAllTests(() => SandboxFixture.start());
const receiver = forAllTests(() => WebhookReceiver.start());

beforeAll(async () => {
  webhook = await sandbox.call('POST', WEBHOOKS, { url: receiver.url, event_types: [{ name: '*' }] });
  ({ authorizationId } = await sandbox.authorized());
});
afterAll(async () => {
  expect(await sandbox.violations()).toEqual([]);
});

/** Awaits the delivery of an event of a type, about a resource when one is named. */
async function delivered(type: string, resourceId?: string): Promise<Answer['body']> {
  const find = () =>
    receiver.deliveries.find(
      ({ event }) =>
        event.trigger_event === type && (resourceId === undefined || event.resource.id === resourceId),
    );
  await eventually(() => find() !== undefined).toBe(true);
  return find()!.event;
}

/** The delivered event of the authorization that this file begins with. */
const firstEvent = () => delivered('PAYMENT.AUTHORIZATION.CREATED', authorizationId);

async function newWebhook(event_types: string[], port = 9) {
  const names = event_types.map((name) => ({ name }));
  const url = `http://127.0.0.1:${port}/${crypto.randomUUID()}`;
  return (await sandbox.call('POST', WEBHOOKS, { url, event_types: names })).body;
}

describeSection('2.7', {
  id: async () => {
    expect(webhook.body.id).toEqual(identifier);
    expect((await sandbox.call('GET', `${WEBHOOKS}/${webhook.body.id}`)).body).toEqual(webhook.body);
  },
  url: async () => {
    expect(webhook.body.url).toBe(receiver.url);
    const wrong = { url: 'nowhere', event_types: [{ name: 'PAYMENT.SALE.REFUNDED' }] };
    expectRefusalOf('url', await sandbox.call('POST', WEBHOOKS, wrong));
  },
  event_types: async () => {
    const names = ['PAYMENT.SALE.REFUNDED', 'PAYMENT.AUTHORIZATION.VOIDED'];
    const { event_types, id } = await newWebhook(names);
    expect(event_types).toEqual(
      names.map((name) => expect.objectContaining({ name, description: someText })),
    );
    await sandbox.call('DELETE', `${WEBHOOKS}/${id}`);
    const wrong = { url: 'http://127.0.0.1:9/wrong', event_types: [{ name: 'PAYMENT.NEVER.HEARD' }] };
    expectRefusalOf('event_types', await sandbox.call('POST', WEBHOOKS, wrong));
  },
  links: () => {
    expect(webhook.body.links).toEqual(webhook.body.links.map(() => link));
    expect(relsOf(webhook.body.links)).toEqual(
      expect.arrayContaining(['SELF GET', 'UPDATE PATCH', 'DELETE DELETE']),
    );
  },
});

describeSection('2.8', {
  id: async () => {
    const event = await firstEvent();
    expect(event.id).toEqual(identifier);
    const { status, body } = await sandbox.call('GET', `${EVENTS}/${event.id}`);
    expect(status).toBe(200);
    expect(body).toEqual(event);
  },
  create_time: async () => expect((await firstEvent()).create_time).toEqual(timestamp),
  resource_type: async () => expect((await firstEvent()).resource_type).toBe('authorization'),
  trigger_event: async () => {
    const event = await firstEvent();
    expect(event.trigger_event).toBe('PAYMENT.AUTHORIZATION.CREATED');
    expect(event.event_type).toBe(event.trigger_event);
  },
  summary: async () => expect((await firstEvent()).summary).toEqual(someText),
  resource: async () => {
    expect((await firstEvent()).resource).toEqual(await sandbox.authorization(authorizationId));
  },
  links: async () => {
    const event = await firstEvent();
    expect(event.links).toEqual(event.links.map(() => link));
    expect(relsOf(event.links)).toEqual(['self GET', 'resend POST']);
    for (const { href } of event.links) expect(href).toContain(`${EVENTS}/${event.id}`);
  },
});

/** A batch of one item. */
const payout = (receiverEmail: string) =>
  sandbox.call('POST', '/v1/payments/payouts', {
    sender_batch_header: { sender_batch_id: crypto.randomUUID(), email_subject: 'Your share' },
    items: [
      {
        recipient_type: 'EMAIL',
        amount: { value: '5.00', currency: 'USD' },
        receiver: receiverEmail,
        note: 'Thank you',
        sender_item_id: 'share-1',
      },
    ],
  });

async function expectPayoutEvent(type: string, batchId: string): Promise<void> {
  const isReported = ({ event }: { event: Answer['body'] }) =>
    event.trigger_event === type && event.resource.batch_header?.payout_batch_id === batchId;
  await eventually(() => receiver.deliveries.some(isReported)).toBe(true);
}

describeSection('6', {
  'PAYMENT.AUTHORIZATION.CREATED': async () => {
    const event = await firstEvent();
    expect(event.resource).toMatchObject({ id: authorizationId, state: 'authorized' });
  },
  'PAYMENT.SALE.REFUNDED': async () => {
    const { body: created } = await sandbox.createPayment({ intent: 'sale', total: '12.00' });
    await sandbox.approve(created.id);
    const { body: paid } = await sandbox.execute(created.id);
    const { sale } = paid.transactions[0].related_resources[0];
    const refund = await sandbox.call('POST', `/v1/payments/sale/${sale.id}/refund`, {});
    expect(refund.status).toBe(201);
    const reported = await delivered('PAYMENT.SALE.REFUNDED', refund.body.id);
    expect(reported.resource).toMatchObject({ sale_id: sale.id, parent_payment: created.id });
  },
  'PAYMENT.CAPTURE.REFUNDED': async () => {
    const held = await sandbox.authorized({ total: '30.00' });
    const { body: capture } = await sandbox.capture(held.authorizationId, '30.00');
    const refund = await sandbox.call('POST', `/v1/payments/capture/${capture.id}/refund`, {});
    expect(refund.status).toBe(201);
    const reported = await delivered('PAYMENT.CAPTURE.REFUNDED', refund.body.id);
    expect(reported.resource).toMatchObject({ capture_id: capture.id, parent_payment: held.paymentId });
  },
  'payout batch processing': async () => {
    const { body } = await payout('processing@shop.example');
    await expectPayoutEvent('PAYMENT.PAYOUTSBATCH.PROCESSING', body.batch_header.payout_batch_id);
  },
  'payout batch success': async () => {
    const { body } = await payout('success@shop.example');
    await expectPayoutEvent('PAYMENT.PAYOUTSBATCH.SUCCESS', body.batch_header.payout_batch_id);
  },
  'payout batch denied': async () => {
    await sandbox.configure({ payoutOutcome: 'denied' });
    const { body } = await payout('denied@shop.example');
    await expectPayoutEvent('PAYMENT.PAYOUTSBATCH.DENIED', body.batch_header.payout_batch_id);
  },
  'rule 1': async () => {
    const subscribed = await WebhookReceiver.start();
    try {
      const names = [{ name: 'PAYMENT.AUTHORIZATION.VOIDED' }];
      const { body } = await sandbox.call('POST', WEBHOOKS, { url: subscribed.url, event_types: names });
      const held = await sandbox.authorized();
      await sandbox.void(held.authorizationId);
      await delivered('PAYMENT.AUTHORIZATION.CREATED', held.authorizationId);
      await eventually(() => subscribed.typesOf(held.authorizationId)).toEqual([
        'PAYMENT.AUTHORIZATION.VOIDED',
      ]);
      await sandbox.call('DELETE', `${WEBHOOKS}/${body.id}`);
    } finally {
      await subscribed.stop();
    }
  },
  'rule 2': async () => {
    const sets = [
      ['PAYMENT.AUTHORIZATION.CREATED'],
      ['PAYMENT.AUTHORIZATION.VOIDED'],
      ['PAYMENT.SALE.REFUNDED'],
    ];
    const made = await Promise.all(sets.map((names) => newWebhook(names)));
    for (const [index, { id }] of made.entries()) {
      const { body } = await sandbox.call('GET', `${WEBHOOKS}/${id}/event-types`);
      expect(body.event_types.map(({ name }: { name: string }) => name)).toEqual(sets[index]);
      await sandbox.call('DELETE', `${WEBHOOKS}/${id}`);
    }
  },
  'rule 3': async () => {
    const before = (await sandbox.call('GET', WEBHOOKS)).body.webhooks.length;
    const more = await Promise.all(
      Array.from({ length: 11 - before }, (_, n) =>
        sandbox.call('POST', WEBHOOKS, {
          url: `http://127.0.0.1:9/eleventh/${n}`,
          event_types: [{ name: 'PAYMENT.SALE.DENIED' }],
        }),
      ),
    );
    const refused = more.filter(({ status }) => status !== 201);
    expect(refused.map(({ body }) => body.name)).toEqual(['WEBHOOK_NUMBER_LIMIT_EXCEEDED']);
    expect((await sandbox.call('GET', WEBHOOKS)).body.webhooks).toHaveLength(10);
    for (const { status, body } of more) {
      if (status === 201) await sandbox.call('DELETE', `${WEBHOOKS}/${body.id}`);
    }
  },
  'rule 4': async () => {
    const event = await firstEvent();
    const before = receiver.deliveries.length;
    const resend = event.links.find(({ rel }: { rel: string }) => rel === 'resend');
    expect((await sandbox.call('POST', new URL(resend.href).pathname)).status).toBe(202);
    const again = () => receiver.deliveries.slice(before).map((delivery) => delivery.event.id);
    await eventually(again).toContain(event.id);
    expect((await sandbox.call('GET', `${EVENTS}/${event.id}`)).body).toEqual(event);
  },
  'rule 5': async () => {
    // A day is 24 hours in this file: what waited for the clock would not come while the test runs.
    const held = await sandbox.authorized();
    await delivered('PAYMENT.AUTHORIZATION.CREATED', held.authorizationId);
  },
  'rule 6': async () => {
    const { body } = await sandbox.call('GET', '/v1/notifications/webhooks-event-types');
    const names = body.event_types.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(DOCUMENTED_EVENTS));
  },
  'rule 7': async () => {
    receiver.answer = ({ event }) => (event.trigger_event === 'PAYMENT.AUTHORIZATION.VOIDED' ? 500 : 200);
    await sandbox.configure({ dayLengthMs: 2_000 });
    const held = await sandbox.authorized();
    await sandbox.void(held.authorizationId);
    const attempts = () =>
      receiver.deliveries.filter(
        ({ event }) =>
          event.resource.id === held.authorizationId &&
          event.trigger_event === 'PAYMENT.AUTHORIZATION.VOIDED',
      );
    await eventually(() => attempts().length).toBeGreaterThan(1);
    receiver.answer = () => 200;
    await sandbox.configure({});
    for (const name of [
      'transmission-id',
      'transmission-time',
      'transmission-sig',
      'cert-url',
      'auth-algo',
    ]) {
      expect(attempts()[0]!.headers[`paypal-${name}`]).toEqual(someText);
    }
  },
});

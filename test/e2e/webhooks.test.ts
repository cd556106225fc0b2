import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PaymentsClient } from '#payments-client';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { approvalOf, approvedPayment, deliver, inboxRow, startEngineToPostTo } from './inbox.js';
import { paymentRow } from './payment-rows.js';

const engine = forAllTests(() => startEngineToPostTo({ sweeps: 'often' }));

describe('case 9: the same webhook', () => {
  it('fifty times at once on two APIs wakes the run once and executes once', async () => {
    const { id, providerPaymentId } = await approvedPayment(engine);
    const event = approvalOf(providerPaymentId);
    const statuses = await Promise.all(
      Array.from({ length: 50 }, (_, n) => deliver(engine, event, n % 2 === 0 ? 0 : 1)),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    await engine.orders.reaches(id, 'authorized');
    await until(
      () => inboxRow(engine, event.id),
      ({ deliveries, status }) => deliveries === 50 && status === 'applied',
      'all deliveries to be counted, and the event to be marked',
    );
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000']);

    const { events } = await engine.temporal.workflow.getHandle(`payment/sandbox/shop/${id}`).fetchHistory();
    const signals = events?.filter((each) => each.workflowExecutionSignaledEventAttributes) ?? [];
    expect(signals).toHaveLength(1);
  });

  it('after the run has closed is acknowledged and changes nothing', async () => {
    const { id, providerPaymentId } = await approvedPayment(engine);
    const event = approvalOf(providerPaymentId);
    await deliver(engine, event);
    await engine.orders.reaches(id, 'authorized');
    await engine.orders.capture(id);
    expect(await deliver(engine, event)).toBe(200);
    const late = approvalOf(providerPaymentId);
    expect(await deliver(engine, late, 1)).toBe(200);
    await until(
      () => inboxRow(engine, late.id),
      ({ status }) => status !== 'received' && status !== 'dispatching',
      'the late event to be distinguished',
    );
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000']);
  });
});

describe('case 18: an event that its dispatcher left behind', () => {
  it('is dispatched by the Schedule', async () => {
    const { id, providerPaymentId } = await approvedPayment(engine);
    const event = approvalOf(providerPaymentId);
    const fields = { id: providerPaymentId, kind: 'payment', state: 'created' };
    // As a process leaves it that dies right after the commit.
    await engine.db
      .insertInto('webhook_events')
      .values({
        environment: 'sandbox',
        application: 'shop',
        event_id: event.id,
        event_type: event.event_type,
        resource: JSON.stringify(fields),
        resource_ids: [providerPaymentId],
        payload: JSON.stringify(event),
        status: 'received',
        detail: null,
        subject_id: null,
      })
      .execute();
    await engine.orders.reaches(id, 'authorized');
    // Its run is signalled first.
    await until(
      () => inboxRow(engine, event.id),
      ({ status, subject_id }) => status === 'applied' && subject_id === id,
      'the event to be marked',
    );
  });
});

describe('case 10: events out of order', () => {
  it('waits parked when it names a resource that no run knows yet', async () => {
    const event = approvalOf('PAY-NOBODYKNOWSTHISONE00000');
    expect(await deliver(engine, event)).toBe(200);
    await until(
      () => inboxRow(engine, event.id),
      ({ status }) => status === 'parked',
      'the event to be parked',
    );
  });

  it('follows the provider and not the event when they differ', async () => {
    const { id, providerPaymentId } = await approvedPayment(engine);
    await deliver(engine, approvalOf(providerPaymentId));
    await engine.orders.reaches(id, 'authorized');
    const { state } = await paymentRow(engine, id);
    const forged = {
      id: randomUUID(),
      resource_type: 'authorization',
      event_type: 'PAYMENT.AUTHORIZATION.VOIDED',
      resource: {
        id: state.authorization?.authorizationId,
        state: 'voided',
        parent_payment: providerPaymentId,
        amount: { total: '100.00', currency: 'USD' },
      },
    };
    await deliver(engine, forged);
    await until(
      () => inboxRow(engine, forged.id),
      ({ status }) => status === 'applied',
      'the forged event to be taken',
    );
    const capture = await engine.orders.capture(id);
    expect(capture).toMatchObject({ status: 201, body: { payment: { state: 'captured' } } });
  });
});

describe('the engine’s own webhook', () => {
  it('is created again by the next run of the Schedule after somebody deleted it at the provider', async () => {
    const { url: baseUrl, clientId, clientSecret } = engine.sandbox;
    const client = new PaymentsClient({ baseUrl, clientId, clientSecret });
    const { webhooks } = client;
    const ours = async () => (await webhooks.list()).filter(({ url }) => engine.webhookUrls.includes(url));
    const [registered] = await until(ours, ({ length }) => length === 1, 'the webhook to be registered');
    await webhooks.delete(registered?.id ?? '');
    await engine.temporal.schedule.getHandle(`webhook-repair/${engine.taskQueue}`).trigger();
    const [again] = await until(ours, ({ length }) => length === 1, 'the webhook to be registered again');
    expect(again?.id).not.toBe(registered?.id);
    await client.close();
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, startEngine } from '../helpers/engine.js';
import { until } from '../helpers/until.js';

/** By address secret, so that a test can post what a provider would; `webhooks-signed.test.ts` has the signatures. */
let engine: Engine;
beforeAll(async () => {
  engine = await startEngine({
    webhookAuthentication: 'addressSecret',
    patience: { firstPollMs: 60_000, longestPollMs: 60_000 },
  });
  await engine.sandbox.fault({
    clientId: engine.sandbox.clientId,
    operation: '*',
    kind: 'drop_delivery',
    times: null,
  });
});
afterAll(async () => {
  await engine.close();
});

async function providerStateOf(paymentId: string) {
  const row = await engine.db
    .selectFrom('payments')
    .select('state')
    .where('id', '=', paymentId)
    .executeTakeFirstOrThrow();
  return row.state;
}

async function deliver(event: Record<string, unknown>, which: 0 | 1 = 0): Promise<number> {
  const response = await fetch(engine.webhookUrls[which], {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ create_time: new Date().toISOString(), summary: 'a test', links: [], ...event }),
  });
  await response.arrayBuffer();
  return response.status;
}

const approvalOf = (providerPaymentId: string, id: string = randomUUID()) => ({
  id,
  resource_type: 'payment',
  event_type: 'PAYMENTS.PAYMENT.CREATED',
  resource: { id: providerPaymentId, state: 'created', intent: 'authorize' },
});

async function inboxRow(eventId: string) {
  return await engine.db
    .selectFrom('webhook_events')
    .selectAll()
    .where('event_id', '=', eventId)
    .executeTakeFirstOrThrow();
}

async function approvedPayment(): Promise<{ id: string; providerPaymentId: string }> {
  const { body } = await engine.orders.order();
  const providerPaymentId = (await providerStateOf(body.id)).providerPaymentId ?? '';
  await engine.sandbox.approve(providerPaymentId);
  return { id: body.id, providerPaymentId };
}

describe('case 9: the same webhook', () => {
  it('fifty times at once on two APIs wakes the run once and executes once', async () => {
    const { id, providerPaymentId } = await approvedPayment();
    const event = approvalOf(providerPaymentId);
    const statuses = await Promise.all(
      Array.from({ length: 50 }, (_, n) => deliver(event, n % 2 === 0 ? 0 : 1)),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
    await engine.orders.reaches(id, 'authorized');
    await until(
      () => inboxRow(event.id),
      ({ deliveries }) => deliveries === 50,
      'all deliveries to be counted',
    );
    expect(await inboxRow(event.id)).toMatchObject({ status: 'applied' });
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000']);

    const { events } = await engine.temporal.workflow.getHandle(`payment/sandbox/shop/${id}`).fetchHistory();
    const signals = events?.filter((each) => each.workflowExecutionSignaledEventAttributes) ?? [];
    expect(signals).toHaveLength(1);
  });

  it('after the run has closed is acknowledged and changes nothing', async () => {
    const { id, providerPaymentId } = await approvedPayment();
    const event = approvalOf(providerPaymentId);
    await deliver(event);
    await engine.orders.reaches(id, 'authorized');
    await engine.orders.capture(id);
    expect(await deliver(event)).toBe(200);
    const late = approvalOf(providerPaymentId);
    expect(await deliver(late, 1)).toBe(200);
    await until(
      () => inboxRow(late.id),
      ({ status }) => status !== 'received' && status !== 'dispatching',
      'the late event to be told apart',
    );
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000']);
  });
});

describe('case 18: an event that its dispatcher left behind', () => {
  it('is brought to its run by the Schedule', async () => {
    const { id, providerPaymentId } = await approvedPayment();
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
        payment_id: null,
      })
      .execute();
    await engine.orders.reaches(id, 'authorized');
    expect(await inboxRow(event.id)).toMatchObject({ status: 'applied', payment_id: id });
  });
});

describe('case 10: events out of order', () => {
  it('waits parked when it names a resource that no run knows yet', async () => {
    const event = approvalOf('PAY-NOBODYKNOWSTHISONE00000');
    expect(await deliver(event)).toBe(200);
    await until(
      () => inboxRow(event.id),
      ({ status }) => status === 'parked',
      'the event to be parked',
    );
  });

  it('believes the provider and not the event when they differ', async () => {
    const { id, providerPaymentId } = await approvedPayment();
    await deliver(approvalOf(providerPaymentId));
    await engine.orders.reaches(id, 'authorized');
    const { authorization } = await providerStateOf(id);
    const forged = {
      id: randomUUID(),
      resource_type: 'authorization',
      event_type: 'PAYMENT.AUTHORIZATION.VOIDED',
      resource: {
        id: authorization?.authorizationId,
        state: 'voided',
        parent_payment: providerPaymentId,
        amount: { total: '100.00', currency: 'USD' },
      },
    };
    await deliver(forged);
    await until(
      () => inboxRow(forged.id),
      ({ status }) => status === 'applied',
      'the forged event to be taken',
    );
    const capture = await engine.orders.capture(id);
    expect(capture).toMatchObject({ status: 201, body: { payment: { state: 'captured' } } });
  });
});

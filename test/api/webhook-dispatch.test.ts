import { randomUUID } from 'node:crypto';
import { WorkflowNotFoundError } from '@temporalio/client';
import { describe, expect, test } from 'vitest';
import { adoptedRefundId } from '#database/subjects';
import { refundWorkflowId } from '#workflows/contract';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture, authorizedState, useTemporal, runIdOf, newsOf, signalsOf } from './api-fixture.js';
import { deliver, event, journalOf, settled, sweep } from './deliveries.js';

const api = forAllTests(() => ApiFixture.start());
const temporal = useTemporal();

const shop = { environment: 'sandbox', application: 'shop' };
const refundRun = (providerRefundId: string) =>
  temporal.workflow.getHandle(
    refundWorkflowId({ ...shop, refundId: adoptedRefundId(shop, providerRefundId) }),
  );

const refundEvent = (refundId: string, resource: Record<string, unknown>) =>
  event(
    { id: refundId, state: 'completed', ...resource },
    { resource_type: 'refund', trigger_event: 'PAYMENT.CAPTURE.REFUNDED' },
  );

describe('an authentic event', () => {
  test('is journaled before it is acknowledged, without personal data', async () => {
    const body = event(
      {
        id: 'AUTH-UNKNOWN',
        amount: { total: '10.00', currency: 'USD' },
        payer: { payer_info: { email: 'payer@example.com' } },
        note: 'call payer@example.com',
        custom: 'a\0b\ud800',
        links: [{ rel: 'self', href: 'https://api.example/v1/x?token=EC-SECRET', method: 'GET' }],
      },
      { summary: 'From payer@example.com', '\0': 1 },
    );
    expect((await deliver(api, body)).status).toBe(200);
    const row = (await journalOf(api)).find(({ event_id }) => event_id === body.id);
    expect(row).toMatchObject({
      event_type: 'PAYMENT.AUTHORIZATION.VOIDED',
      resource: { kind: 'authorization', id: 'AUTH-UNKNOWN', state: 'voided' },
      resource_ids: ['AUTH-UNKNOWN'],
      deliveries: 1,
    });
    expect(row!.payload).toMatchObject({
      resource: { amount: { total: '10.00' }, custom: 'a\ufffdb\ufffd' },
    });
    expect(JSON.stringify(row)).not.toMatch(/payer@example|EC-SECRET/);
  });

  test('is parked while its resource belongs to no known payment, and dispatched once it does', async () => {
    const state = authorizedState();
    const body = event({ id: state.authorization!.authorizationId });
    await deliver(api, body);
    expect(await settled(api, body.id, 'parked')).toMatchObject({ subject_id: null });
    const id = await api.paymentWith(state);
    await sweep(api, temporal);
    expect(await settled(api, body.id, 'applied')).toMatchObject({ subject_id: id, detail: 'signalled' });
    expect(await signalsOf(temporal, id)).toEqual([newsOf(body.id)]);
  });

  test('that has no news starts nothing', async () => {
    const state = authorizedState();
    const id = await api.paymentWith(state);
    const body = event({ id: state.authorization!.authorizationId, state: 'authorized' });
    await deliver(api, body);
    expect(await settled(api, body.id, 'applied')).toMatchObject({ subject_id: id, detail: 'nothing new' });
    expect(await signalsOf(temporal, id)).toEqual([]);
  });

  test('is parked while a call to the provider is in flight', async () => {
    const state = authorizedState();
    await api.paymentWith({
      ...state,
      status: 'voiding',
      openStep: {
        number: 3,
        step: { type: 'voidAuthorization', commandId: 'c' },
        phase: 'running',
        attempts: 0,
        looks: 0,
        since: 0,
        horizonAt: 0,
        nextAt: 0,
      },
    });
    const body = event({ id: state.authorization!.authorizationId });
    await deliver(api, body);
    await settled(api, body.id, 'parked');
  });

  test('of a capture that was never made, after a void, is recorded and starts nothing', async () => {
    const state = authorizedState();
    const id = await api.paymentWith({ ...state, status: 'voided', released: true });
    const body = event(
      { id: `CAP-GHOST-${randomUUID()}`, state: 'completed', parent_payment: state.providerPaymentId },
      { resource_type: 'capture', trigger_event: 'PAYMENT.CAPTURE.COMPLETED' },
    );
    expect((await deliver(api, body)).status).toBe(200);
    expect(await settled(api, body.id, 'conflict')).toMatchObject({ subject_id: id });
    expect(await signalsOf(temporal, id)).toEqual([]);
  });

  test('of a refund of an unknown capture waits and starts nothing', async () => {
    const refundId = `REF-${randomUUID()}`;
    const body = refundEvent(refundId, {
      capture_id: 'CAP-NOT-OURS',
      parent_payment: 'PAY-NOT-OURS',
    });
    await deliver(api, body);
    await settled(api, body.id, 'parked');
    await expect(refundRun(refundId).describe()).rejects.toThrow(WorkflowNotFoundError);
  });

  test('is ignored when the run has closed in the meantime', async () => {
    const state = authorizedState();
    const id = await api.paymentWith(state);
    await temporal.workflow.getHandle(runIdOf(id)).terminate();
    const body = event({ id: state.authorization!.authorizationId });
    await deliver(api, body);
    expect(await settled(api, body.id, 'ignored')).toMatchObject({ detail: 'late: the run has ended' });
  });
});

describe('case 11: an event that gives a known hold another amount', () => {
  const amount = { total: '90.00', currency: 'USD' };

  test('is recorded as a conflict, and the run is signalled to read the provider', async () => {
    const state = authorizedState();
    const id = await api.paymentWith(state);
    const body = event({ id: state.authorization!.authorizationId, state: 'authorized', amount });
    await deliver(api, body);
    expect(await settled(api, body.id, 'conflict')).toMatchObject({
      subject_id: id,
      detail: expect.stringContaining('It says 90.00 USD'),
    });
    expect(await signalsOf(temporal, id)).toEqual([newsOf(body.id)]);
  });

  test('after the payment has ended is a conflict, and starts nothing', async () => {
    const state = authorizedState();
    const id = await api.paymentWith({ ...state, status: 'voided', released: true });
    const body = event({ id: state.authorization!.authorizationId, state: 'voided', amount });
    await deliver(api, body);
    await settled(api, body.id, 'conflict');
    expect(await signalsOf(temporal, id)).toEqual([]);
  });

  test('is no conflict when it spells the same amount differently', async () => {
    const state = authorizedState();
    await api.paymentWith(state);
    const same = { total: '100', currency: 'USD' };
    const body = event({ id: state.authorization!.authorizationId, state: 'authorized', amount: same });
    await deliver(api, body);
    expect(await settled(api, body.id, 'applied')).toMatchObject({ detail: 'nothing new' });
  });
});

describe('case 9: the same event', () => {
  test('fifty times at once on two API processes is one row and one signal, always answered 2xx', async () => {
    const second = await ApiFixture.start({ databaseUrl: api.databaseUrl });
    const state = authorizedState();
    const id = await api.paymentWith(state);
    const body = event({ id: state.authorization!.authorizationId });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => deliver(i % 2 === 0 ? api : second, body)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await settled(api, body.id, 'applied')).toMatchObject({ deliveries: 50 });
    await second.close();
    expect(await signalsOf(temporal, id)).toEqual([newsOf(body.id)]);
  });

  test('of a refund, fifty times at once and repeated by others, starts one run', async () => {
    const state = authorizedState();
    const id = await api.paymentWith({ ...state, status: 'voided', released: true });
    const refundId = `REF-${randomUUID()}`;
    const reported = { parent_payment: state.providerPaymentId };
    const body = refundEvent(refundId, reported);
    const others = Array.from({ length: 5 }, () => refundEvent(refundId, reported));
    await Promise.all(
      [...Array.from({ length: 50 }, () => body), ...others].map((each) => deliver(api, each)),
    );
    for (const each of [body, ...others]) {
      expect(await settled(api, each.id, 'applied')).toMatchObject({ subject_id: id });
    }
    const { events } = await refundRun(refundId).fetchHistory();
    const signals = events?.filter((each) => each.workflowExecutionSignaledEventAttributes) ?? [];
    expect(signals).toHaveLength(6);
    await refundRun(refundId).terminate();
    const late = refundEvent(refundId, reported);
    await deliver(api, late);
    // A run that was terminated has not ended: what is told makes up for it.
    expect(await settled(api, late.id, 'applied')).toMatchObject({ subject_id: id });
    expect((await refundRun(refundId).describe()).status.name).toBe('RUNNING');
  });

  test('again after it was applied changes nothing', async () => {
    const state = authorizedState();
    const id = await api.paymentWith(state);
    const body = event({ id: state.authorization!.authorizationId });
    await deliver(api, body);
    await settled(api, body.id, 'applied');
    expect((await deliver(api, body)).status).toBe(200);
    expect(await settled(api, body.id, 'applied')).toMatchObject({ deliveries: 2 });
    expect(await signalsOf(temporal, id)).toHaveLength(1);
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readWebhookEvent } from '#payments-client/webhooks';
import { newEventOf, takeDeliveries } from '#webhook-inbox';
import type { PaymentState } from '#workflows/lifecycle/payment';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { ApiFixture, authorizedState, closedAddress, temporalAt } from './api-fixture.js';
import { deliver, event, settled } from './deliveries.js';

const api = forAllTests(() => ApiFixture.start());

const captured = (status: 'partially_captured' | 'capturing'): Partial<PaymentState> => ({
  ...authorizedState(),
  status,
  captures: [{ captureId: `CAP-${randomUUID()}`, minor: 40_00, status: 'completed', final: false }],
});
const inFlight = {
  number: 3,
  step: { type: 'captureAuthorization', commandId: 'c', minor: 60_00, final: true },
  phase: 'running',
  attempts: 0,
  looks: 0,
  since: 0,
  horizonAt: 0,
  nextAt: 0,
} as const;
const chargeback = (captureId: string) =>
  event(
    { id: captureId, state: 'refunded' },
    { resource_type: 'capture', trigger_event: 'PAYMENT.CAPTURE.REVERSED' },
  );
const refunded = (captureId: string) =>
  event(
    { id: `REF-${randomUUID()}`, state: 'completed', capture_id: captureId },
    { resource_type: 'refund', trigger_event: 'PAYMENT.CAPTURE.REFUNDED' },
  );

interface Reported {
  readonly captureId: string;
  readonly otherId: string;
}

describe('case 35: a refund that the provider reports', () => {
  // No worker polls here: nobody reads what was told.
  test.each([
    ['charged back', chargeback, {}],
    ['refunded', refunded, {}],
    ['charged back while another capture is in flight', chargeback, { openStep: inFlight }],
    ['refunded while another capture is in flight', refunded, { openStep: inFlight }],
  ] as const)('counts at once: %s', async (_how, reported, step) => {
    const state = { ...captured('openStep' in step ? 'capturing' : 'partially_captured'), ...step };
    const id = await api.paymentWith(state);
    const before = (await api.call('GET', `/v1/payments/${id}`)).body;
    expect(before).toMatchObject({ amounts: { refundable: { value: '40.00' } } });
    const body = reported(state.captures![0]!.captureId);
    await deliver(api, body);
    await settled(api, body.id, 'applied');
    const after = (await api.call('GET', `/v1/payments/${id}`)).body;
    const reversed = reported === chargeback ? null : { value: '0.00' };
    expect(after).toMatchObject({ amounts: { refundable: null, reversed }, refunds: [{ amount: null }] });
    expect(after['allowedActions']).not.toContain('refund');
    expect(after['version']).toBeGreaterThan(before['version'] as number);
    const asked = { body: { amount: { value: '1.00', currency: 'USD' } }, idempotencyKey: randomUUID() };
    expect(await api.call('POST', `/v1/payments/${id}/refunds`, asked)).toMatchObject({
      status: 409,
      body: { code: 'refundable_amount_unknown' },
    });
  });

  test.each([
    ['charged back', chargeback],
    ['refunded', refunded],
  ])('counts before its delivery is acknowledged, and so before its dispatch: %s', async (_how, reported) => {
    const state = captured('partially_captured');
    const id = await api.paymentWith(state);
    const body = reported(state.captures![0]!.captureId);
    const delivered = {
      environment: 'sandbox',
      application: 'shop',
      ...newEventOf(readWebhookEvent(body), body),
    } as const;
    // As the intake journals it. Nobody dispatches; a delivery again changes nothing.
    for (const times of [1, 2]) {
      await takeDeliveries(api.db, [{ event: delivered }]);
      const { body: shown } = await api.call('GET', `/v1/payments/${id}`);
      expect(shown, `after ${times}`).toMatchObject({ amounts: { refundable: null }, refunds: [{}] });
      expect(shown['refunds']).toHaveLength(1);
    }
  });

  // No worker asks the provider which of the contents is true.
  test.each([
    [
      'says nothing new',
      (reported: Reported) =>
        event({ id: reported.captureId, state: 'completed' }, { resource_type: 'capture' }),
      1,
    ],
    ['charges another capture back', (reported: Reported) => chargeback(reported.otherId), 2],
  ])('counts also where another content came first under its id, which %s', async (_what, forged, claims) => {
    const [reported, other] = [captured('partially_captured'), `CAP-${randomUUID()}`];
    const captures = [reported.captures![0]!, { ...reported.captures![0]!, captureId: other, minor: 10_00 }];
    const id = await api.paymentWith({ ...reported, captures });
    const body = chargeback(reported.captures![0]!.captureId);
    const { trigger_event, resource_type, resource } = forged({
      captureId: reported.captures![0]!.captureId,
      otherId: other,
    });
    await deliver(api, { ...body, trigger_event, resource_type, resource });
    for (const _again of [1, 2]) await deliver(api, body);
    await settled(api, body.id, 'contested');
    const { body: shown } = await api.call('GET', `/v1/payments/${id}`);
    expect(shown).toMatchObject({ amounts: { refundable: null, reversed: null } });
    expect(shown['refunds']).toHaveLength(claims);
    const asked = {
      body: { captureId: captures[0]!.captureId, amount: { value: '1.00', currency: 'USD' } },
      idempotencyKey: randomUUID(),
    };
    expect(await api.call('POST', `/v1/payments/${id}/refunds`, asked)).toMatchObject({
      status: 409,
      body: { code: 'refundable_amount_unknown' },
    });
  });

  test('counts also while Temporal is down', async () => {
    const cutOff = await ApiFixture.start({
      databaseUrl: api.databaseUrl,
      temporal: { ...temporalAt(closedAddress), deadlineMs: 200 },
    });
    const state = captured('partially_captured');
    const id = await api.paymentWith(state);
    const body = chargeback(state.captures![0]!.captureId);
    expect((await deliver(cutOff, body)).status).toBe(200);
    const reported = await until(
      async () => (await api.call('GET', `/v1/payments/${id}`)).body as { refunds: unknown[] },
      ({ refunds }) => refunds.length === 1,
      'the chargeback to be known',
    );
    expect(reported).toMatchObject({ amounts: { refundable: null, reversed: null } });
    await cutOff.close();
  });
});

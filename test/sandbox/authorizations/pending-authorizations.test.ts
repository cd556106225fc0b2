import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { WebhookReceiver } from '../webhook-receiver.js';

const LATER_MS = 3_600_000;

describe('an authorization that is pending', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());
  const receiver = forAllTests(() => WebhookReceiver.start());
  beforeAll(async () => {
    const webhook = { url: receiver.url, event_types: [{ name: '*' }] };
    await sandbox.call('POST', '/v1/notifications/webhooks', webhook);
  });
  afterAll(async () => {
    expect(await sandbox.violations()).toEqual([]);
  });

  const finish = () =>
    sandbox.sql('UPDATE authorizations SET settles_at = now() WHERE settles_at IS NOT NULL');
  const payment = async (id: string) => (await sandbox.call('GET', `/v1/payments/payment/${id}`)).body;
  const pending = async (settings: object) => {
    await sandbox.configure({ authorizationSettleMs: LATER_MS, ...settings });
    const made = await sandbox.authorized();
    await sandbox.configure({});
    return made;
  };
  const statesReported = (id: string) =>
    receiver.deliveries
      .filter(({ event }) => event.resource.id === id)
      .map(({ event }) => `${event.event_type} ${event.resource.state}`);

  it('holds nothing, and can be neither captured, voided nor reauthorized', async () => {
    const { authorizationId, paymentId } = await pending({ authorizationOutcome: 'pending_then_authorized' });
    expect(await sandbox.authorization(authorizationId)).toMatchObject({
      state: 'pending',
      reason_code: 'AUTHORIZATION',
      links: [{ rel: 'self' }, { rel: 'parent_payment' }],
    });
    expect((await payment(paymentId)).state).toBe('approved');
    expect(await sandbox.booksOf(paymentId)).toEqual([]);
    expect(await sandbox.violations()).toEqual([]);
    const amount = { total: '1.00', currency: 'USD' };
    const path = `/v1/payments/authorization/${authorizationId}/reauthorize`;
    expect((await sandbox.capture(authorizationId, '1.00')).body.name).toBe('PAYMENT_STATE_INVALID');
    expect((await sandbox.void(authorizationId)).body.name).toBe('AUTHORIZATION_CANNOT_BE_VOIDED');
    expect((await sandbox.call('POST', path, { amount })).body.name).toBe('PAYMENT_STATE_INVALID');
  });

  it('becomes authorized, holds then and sends an event each time', async () => {
    const { authorizationId, paymentId } = await pending({ authorizationOutcome: 'pending_then_authorized' });
    await finish();
    await eventually(() => sandbox.authorization(authorizationId)).toMatchObject({ state: 'authorized' });
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000']);
    await eventually(() => statesReported(authorizationId)).toEqual([
      'PAYMENT.AUTHORIZATION.CREATED pending',
      'PAYMENT.AUTHORIZATION.CREATED authorized',
    ]);
    expect((await sandbox.capture(authorizationId, '100.00')).status).toBe(201);
  });

  it('becomes denied, moves nothing and stays so', async () => {
    const { authorizationId, paymentId } = await pending({ authorizationOutcome: 'pending_then_denied' });
    await finish();
    await eventually(() => sandbox.authorization(authorizationId)).toMatchObject({ state: 'denied' });
    await eventually(() => statesReported(authorizationId)).toEqual([
      'PAYMENT.AUTHORIZATION.CREATED pending',
      'PAYMENT.AUTHORIZATION.VOIDED denied',
    ]);
    expect((await sandbox.capture(authorizationId, '1.00')).body.name).toBe('PAYMENT_STATE_INVALID');
    expect((await sandbox.void(authorizationId)).body.name).toBe('AUTHORIZATION_CANNOT_BE_VOIDED');
    expect((await payment(paymentId)).state).toBe('approved');
    expect(await sandbox.booksOf(paymentId)).toEqual([]);
  });

  it('can leave its payment in progress until the outcome is known', async () => {
    const settings = { pendingPaymentState: 'in_progress' };
    const good = await pending({ ...settings, authorizationOutcome: 'pending_then_authorized' });
    const bad = await pending({ ...settings, authorizationOutcome: 'pending_then_denied' });
    for (const { paymentId } of [good, bad]) {
      const { state, links } = await payment(paymentId);
      expect([state, links]).toEqual(['in_progress', [expect.objectContaining({ rel: 'self' })]]);
      expect((await sandbox.execute(paymentId)).body.name).toBe('PAYMENT_STATE_INVALID');
    }
    await finish();
    await eventually(() => payment(good.paymentId)).toMatchObject({ state: 'approved' });
    await eventually(() => payment(bad.paymentId)).toMatchObject({
      state: 'failed',
      failure_reason: 'PAYER_CANNOT_PAY',
      transactions: [{ related_resources: [{ authorization: { state: 'denied' } }] }],
    });
  });

  it.each([
    ['completed', 'authorized', ['hold 10000']],
    ['denied', 'denied', []],
  ])('can be caused by a fault that ends as %s', async (settlesAs, state, books) => {
    await sandbox.switchOnFault({ kind: 'pending', operation: 'payment.execute', settlesAs, afterMs: 100 });
    const { authorizationId, paymentId } = await sandbox.authorized();
    await eventually(() => sandbox.authorization(authorizationId)).toMatchObject({ state });
    expect(await sandbox.booksOf(paymentId)).toEqual(books);
  });

  it('ends once, even if the service was down at that moment', async () => {
    const { authorizationId, paymentId } = await pending({ authorizationOutcome: 'pending_then_authorized' });
    await finish();
    await sandbox.restart();
    await eventually(() => sandbox.authorization(authorizationId)).toMatchObject({ state: 'authorized' });
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000']);
  });

  it('whose 29 days are over when it is authorized is held and given back', async () => {
    await sandbox.configure({
      dayLengthMs: 1,
      authorizationOutcome: 'pending_then_authorized',
      authorizationSettleMs: 200,
    });
    const { authorizationId, paymentId } = await sandbox.authorized();
    await sandbox.configure({});
    await eventually(() => sandbox.authorization(authorizationId)).toMatchObject({ state: 'expired' });
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'release 10000']);
  });
});

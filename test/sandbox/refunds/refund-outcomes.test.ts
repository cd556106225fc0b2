import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { WebhookReceiver } from '../webhook-receiver.js';
import { collect, dollars, read, readRefund, refund, returnsOf } from './collected-money.js';

describe.each(['capture', 'sale'] as const)('the outcome of refunds of a %s', (kind) => {
  const KIND = kind.toUpperCase();
  const sandbox = forAllTests(() => SandboxFixture.start());
  const receiver = forAllTests(() => WebhookReceiver.start());
  beforeAll(async () => {
    const event_types = ['REFUNDED', 'REVERSED'].map((what) => ({ name: `PAYMENT.${KIND}.${what}` }));
    await sandbox.call('POST', '/v1/notifications/webhooks', { url: receiver.url, event_types });
  });
  afterAll(async () => {
    expect(await sandbox.violations()).toEqual([]);
  });

  const admin = (id: string, action: string, body?: object) =>
    sandbox.request('POST', `/admin/${kind}s/${id}/${action}`, body);

  it('is sent with the refund as the resource, once the money was refunded', async () => {
    const money = await collect(sandbox, kind);
    const { body: made } = await refund(sandbox, money, dollars('10.00'));
    await eventually(() => receiver.typesOf(made.id)).toEqual([`PAYMENT.${KIND}.REFUNDED`]);
    const reported = receiver.deliveries.find(({ event }) => event.resource.id === made.id)!.event;
    expect(reported).toMatchObject({ resource_type: 'refund', trigger_event: `PAYMENT.${KIND}.REFUNDED` });
    expect(reported.resource).toEqual(made);
    expect(made).toMatchObject({ [`${kind}_id`]: money.id, parent_payment: money.paymentId });
  });

  it('reserves the amount while it is pending, and moves it when it completes, even across a restart', async () => {
    const money = await collect(sandbox, kind);
    await sandbox.configure({ refundOutcome: 'pending_then_completed', refundSettleMs: 3_600_000 });
    const { status, body: made } = await refund(sandbox, money, dollars('70.00'), `${kind}-pending`);
    await sandbox.configure({});
    expect([status, made.state]).toEqual([201, 'pending']);
    expect((await read(sandbox, money)).state).toBe('completed');
    expect(await returnsOf(sandbox, money)).toEqual([]);
    expect(await sandbox.violations()).toEqual([]);
    expect((await refund(sandbox, money, dollars('30.01'))).body.name).toBe(
      'REFUND_EXCEEDED_TRANSACTION_AMOUNT',
    );
    expect(receiver.typesOf(made.id)).toEqual([]);
    await sandbox.sql('UPDATE refunds SET settles_at = now()');
    await sandbox.restart();
    await eventually(() => readRefund(sandbox, made.id)).toMatchObject({ state: 'completed' });
    expect((await read(sandbox, money)).state).toBe('partially_refunded');
    expect(await returnsOf(sandbox, money)).toEqual(['refund 7000']);
    expect((await sandbox.movements(money.paymentId)).at(-1)).toMatchObject({ requestId: `${kind}-pending` });
    await eventually(() => receiver.typesOf(made.id)).toEqual([`PAYMENT.${KIND}.REFUNDED`]);
    expect((await refund(sandbox, money, {})).body.amount.total).toBe('30.00');
    expect((await read(sandbox, money)).state).toBe('refunded');
  });

  it.each(['failed', 'cancelled'] as const)('allows another refund once it is %s', async (outcome) => {
    const money = await collect(sandbox, kind);
    await sandbox.configure({ refundOutcome: `pending_then_${outcome}`, refundSettleMs: 3_600_000 });
    const { body: made } = await refund(sandbox, money, {});
    await sandbox.configure({});
    expect((await refund(sandbox, money, {})).body.name).toBe('TRANSACTION_ALREADY_REFUNDED');
    await sandbox.sql('UPDATE refunds SET settles_at = now()');
    await eventually(() => readRefund(sandbox, made.id)).toMatchObject({ state: outcome });
    expect((await read(sandbox, money)).state).toBe('completed');
    expect(await returnsOf(sandbox, money)).toEqual([]);
    expect((await refund(sandbox, money, {})).status).toBe(201);
    expect(await returnsOf(sandbox, money)).toEqual(['refund 10000']);
    expect(receiver.typesOf(made.id)).toEqual([]);
  });

  it('is what a fault says for one call: pending and then failed, or declined without effect', async () => {
    const money = await collect(sandbox, kind);
    const operation = `${kind}.refund`;
    await sandbox.switchOnFault({ kind: 'pending', operation, settlesAs: 'denied', afterMs: 1 });
    const { body: made } = await refund(sandbox, money, dollars('10.00'));
    expect(made.state).toBe('pending');
    await eventually(() => readRefund(sandbox, made.id)).toMatchObject({ state: 'failed' });
    await sandbox.switchOnFault({ kind: 'decline', operation });
    const declined = await refund(sandbox, money, dollars('10.00'));
    expect([declined.status, declined.body.name]).toEqual([400, 'TRANSACTION_REFUSED']);
    expect(await returnsOf(sandbox, money)).toEqual([]);
    expect((await refund(sandbox, money, dollars('10.00'))).body.state).toBe('completed');
  });

  it('is a refusal while the money itself is pending, and when it was denied', async () => {
    const outcome = { [`${kind}Outcome`]: 'pending_then_denied', [`${kind}SettleMs`]: 3_600_000 };
    await sandbox.configure(outcome);
    const money = await collect(sandbox, kind);
    await sandbox.configure({});
    expect((await refund(sandbox, money, {})).body.name).toBe('TRANSACTION_REFUSED');
    await sandbox.sql(`UPDATE ${kind}s SET settles_at = now() WHERE state = 'pending'`);
    await eventually(() => read(sandbox, money)).toMatchObject({ state: 'denied' });
    expect((await refund(sandbox, money, {})).body.name).toBe('TRANSACTION_REFUSED');
    const reversed = await sandbox.request('POST', `/admin/${kind}s/${money.id}/reverse`);
    expect(reversed.body.name).toBe('TRANSACTION_REFUSED');
    expect(await returnsOf(sandbox, money)).toEqual([]);
  });

  describe('a refund made without a call of the application', () => {
    it('sends the same event as any other', async () => {
      const money = await collect(sandbox, kind);
      const { status, body: made } = await admin(money.id, 'refund', dollars('40.00'));
      expect(status).toBe(201);
      expect(await readRefund(sandbox, made.id)).toEqual(made);
      await eventually(() => receiver.typesOf(made.id)).toEqual([`PAYMENT.${KIND}.REFUNDED`]);
      expect((await admin(money.id, 'refund')).body.amount.total).toBe('60.00');
      expect(await returnsOf(sandbox, money)).toEqual(['refund 4000', 'refund 6000']);
      expect((await admin('NONE', 'refund')).status).toBe(404);
    });

    it('takes all that is left in a chargeback, and sends the money as the resource', async () => {
      const money = await collect(sandbox, kind);
      await refund(sandbox, money, dollars('30.00'));
      const { status, body } = await admin(money.id, 'reverse');
      expect(status).toBe(200);
      expect(body).toMatchObject({ id: money.id, state: 'refunded', reason_code: 'CHARGEBACK' });
      expect(await read(sandbox, money)).toEqual(body);
      await eventually(() => receiver.typesOf(money.id)).toEqual([`PAYMENT.${KIND}.REVERSED`]);
      const reported = receiver.deliveries.find(({ event }) => event.resource.id === money.id)!.event;
      expect(reported).toMatchObject({ resource_type: kind, resource: body });
      expect(await returnsOf(sandbox, money)).toEqual(['refund 3000', 'reversal 7000']);
      expect((await refund(sandbox, money, {})).body.name).toBe('TRANSACTION_ALREADY_REFUNDED');
      expect((await admin(money.id, 'reverse')).body.name).toBe('TRANSACTION_ALREADY_REFUNDED');
    });

    it('leaves the rest after a chargeback to be refunded', async () => {
      const money = await collect(sandbox, kind);
      expect((await admin(money.id, 'reverse', dollars('25.00'))).body.state).toBe('partially_refunded');
      expect((await refund(sandbox, money, dollars('75.01'))).status).toBe(400);
      expect((await refund(sandbox, money, {})).body.amount.total).toBe('75.00');
      expect(await returnsOf(sandbox, money)).toEqual(['reversal 2500', 'refund 7500']);
      const wrong = await admin(money.id, 'reverse', { amount: { total: '1.00', currency: 'EUR' } });
      expect(wrong.body.name).toBe('CURRENCY_MISMATCH');
      expect((await admin(money.id, 'reverse', { unknown: 1 })).body.details).toHaveLength(1);
    });
  });
});

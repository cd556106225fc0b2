import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { endHonourPeriod, reauthorize } from '../authorizations/reauthorizing.js';
import { itemFor, Payouts } from '../payouts/payout-helpers.js';
import { eventually, SandboxFixture, type Answer } from '../sandbox-fixture.js';
import { WebhookReceiver } from '../webhook-receiver.js';

/*
 * The cases of docs/failure-cases.md that the provider causes, by their numbers: 1 to 16 here; 22 and 25 to 30 in
 * failures-around-payments.test.ts. The others are not the provider's: 17 to 20 (deaths: ../crash and the campaign of
 * faults), 21 (new workflow code), 23 and 24 (what others send to the engine).
 */
describe('the service can cause failure', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());
  const receiver = forAllTests(() => WebhookReceiver.start());
  beforeAll(async () => {
    const everything = { url: receiver.url, event_types: [{ name: '*' }] };
    await sandbox.call('POST', '/v1/notifications/webhooks', everything);
  });
  beforeEach(() => sandbox.configure({ captureOutcome: 'completed' }));
  afterEach(async () => {
    await sandbox.request('DELETE', '/admin/faults');
    expect(await sandbox.violations()).toEqual([]);
  });

  const capture = { operation: 'authorization.capture' };
  const both = ['hold 10000', 'capture 10000'];

  it('1: the reply of a capture, a refund and a payout is lost after the money moved', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    await sandbox.switchOnFault({ kind: 'drop_reply', ...capture });
    await expect(sandbox.capture(authorizationId, '100.00')).rejects.toThrow();
    const { captureId } = (await sandbox.movements(paymentId)).at(-1)!;
    await sandbox.switchOnFault({ kind: 'drop_reply', operation: 'capture.refund' });
    await expect(refund(captureId!)).rejects.toThrow();
    expect(await sandbox.booksOf(paymentId)).toEqual([...both, 'refund 10000']);
    await sandbox.switchOnFault({ kind: 'drop_reply', operation: 'payout.create' });
    const header = { sender_batch_id: 'lost-reply' };
    await expect(new Payouts(sandbox).create([itemFor('lost@example.com')], header)).rejects.toThrow();
    expect(
      await sandbox.sql("SELECT 1 FROM payout_batches WHERE sender_batch_id = 'lost-reply'"),
    ).toHaveLength(1);
  });

  it('1: a capture is refused in time, executed later, and reads do not show it yet', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    await sandbox.switchOnFault({ kind: 'late', executeAfterMs: 200, delayMs: 60_000, ...capture });
    await sandbox.switchOnFault({
      kind: 'stale_read',
      operation: 'authorization.get',
      lagMs: 30_000,
      times: null,
    });
    await sandbox.abandon(`/v1/payments/authorization/${authorizationId}/capture`, {
      amount: { total: '100.00', currency: 'USD' },
    });
    await eventually(() => sandbox.booksOf(paymentId)).toEqual(both);
    expect((await sandbox.authorization(authorizationId)).state).toBe('authorized');
  });

  it('2: a key is poisoned', async () => {
    const { authorizationId } = await sandbox.authorized();
    await sandbox.switchOnFault({ kind: 'poison', operation: 'authorization.void' });
    expect((await sandbox.void(authorizationId, key('2'))).status).toBe(500);
    expect((await sandbox.void(authorizationId, key('2'))).status).toBe(500);
    expect((await sandbox.void(authorizationId, key('2-anew'))).status).toBe(200);
  });

  it('3: two equal refunds with different keys are two, with the same key one', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    const { body } = await sandbox.capture(authorizationId, '100.00');
    const part = { amount: { total: '10.00', currency: 'USD' } };
    for (const id of ['3a', '3b', '3b'])
      expect((await refund(body.id, part, key(id))).status).toBeLessThan(300);
    expect(await sandbox.booksOf(paymentId)).toEqual([...both, 'refund 1000', 'refund 1000']);
  });

  it('4: a payment is created and nobody learns its id, but it carries our reference', async () => {
    await sandbox.switchOnFault({ kind: 'drop_reply', operation: 'payment.create' });
    const transaction = { invoice_number: 'ours-4' };
    await expect(sandbox.createPayment({ transaction })).rejects.toThrow();
    const { payments } = (await sandbox.call('GET', '/v1/payments/payment?count=20')).body;
    expect(payments[0].transactions[0].invoice_number).toBe('ours-4');
  });

  it.each([
    [{ kind: 'status', status: 429, retryAfter: 1 }, 'refused'],
    [{ kind: 'status', status: 500 }, 'refused'],
    [{ kind: 'status', status: 503 }, 'refused'],
    [{ kind: 'delay', delayMs: 50 }, 'done'],
    [{ kind: 'garbage', body: 'truncated' }, 'unreadable'],
    [{ kind: 'garbage', body: 'html', contentType: 'text/html' }, 'unreadable'],
    [{ kind: 'drip', everyMs: 1 }, 'done'],
    [{ kind: 'unknown_enum' }, 'strange'],
    [{ kind: 'reshape', add: { new_field: 1 } }, 'done'],
    [{ kind: 'reshape', remove: ['state'] }, 'strange'],
  ])('5: an answer is missing, late or strange: %j', async (fault, outcome) => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    await sandbox.switchOnFault({ ...fault, ...capture });
    const seen = await sandbox.capture(authorizationId, '100.00').then(lookOf, () => 'unreadable');
    expect(seen).toBe(outcome);
    expect(await sandbox.booksOf(paymentId)).toEqual(outcome === 'refused' ? ['hold 10000'] : both);
  });

  it('6: a token is revoked, and its renewal fails', async () => {
    const headers = { authorization: `Bearer ${await sandbox.newToken()}` };
    const list = () => sandbox.call('GET', '/v1/payments/payment', undefined, headers);
    expect((await list()).status).toBe(200);
    await sandbox.switchOnFault({ kind: 'status', status: 401, operation: 'payment.list' });
    expect((await list()).body.name).toBe('AUTHENTICATION_FAILURE');
    await sandbox.switchOnFault({ kind: 'status', status: 503, operation: 'token' });
    expect((await sandbox.exchange('shop', 'shop-secret')).status).toBe(503);
    expect((await sandbox.exchange('shop', 'shop-secret')).status).toBe(200);
  });

  it('7: three executions at once hold the money once', async () => {
    const { body } = await sandbox.createPayment();
    await sandbox.approve(body.id);
    const answers = await Promise.all([1, 2, 3].map(() => sandbox.execute(body.id, key('7'))));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    expect(await sandbox.booksOf(body.id)).toEqual(['hold 10000']);
  });

  it('8: of a capture and a void at the same moment one wins', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    const answers = await Promise.all([
      sandbox.capture(authorizationId, '100.00'),
      sandbox.void(authorizationId),
    ]);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(await sandbox.booksOf(paymentId)).toHaveLength(2);
  });

  it('9: the same event arrives fifty times at once', async () => {
    const eventType = 'PAYMENT.AUTHORIZATION.CREATED';
    await sandbox.switchOnFault({ kind: 'duplicate_delivery', copies: 49, eventType });
    const { authorizationId } = await sandbox.authorized();
    await eventually(() => receiver.typesOf(authorizationId)).toHaveLength(50);
  });

  it('10: events arrive out of order, and before the call that caused them has answered', async () => {
    const eventType = 'PAYMENT.AUTHORIZATION.CREATED';
    await sandbox.switchOnFault({ kind: 'reorder_deliveries', holdMs: 600_000, eventType });
    const { authorizationId } = await sandbox.authorized();
    const deliveries = async () =>
      (await sandbox.request('GET', '/admin/deliveries?state=pending')).body.deliveries;
    await eventually(deliveries).toMatchObject([{ resourceId: authorizationId, attemptCount: 0 }]);
    await sandbox.switchOnFault({ kind: 'delay', delayMs: 60_000, operation: 'authorization.void' });
    const unanswered = sandbox.void(authorizationId).catch(() => undefined);
    await eventually(() => receiver.typesOf(authorizationId)).toEqual([
      'PAYMENT.AUTHORIZATION.VOIDED',
      eventType,
    ]);
    const { calls } = (await sandbox.request('GET', '/admin/calls?inflight=true')).body;
    expect(calls[0]).toMatchObject({ operation: 'authorization.void', status: null });
    await sandbox.restart();
    await unanswered;
  });

  it('11: a poll after the success shows an older state, and an event comes again later', async () => {
    const { authorizationId } = await sandbox.authorized();
    await sandbox.switchOnFault({ kind: 'stale_read', operation: 'authorization.get', lagMs: 30_000 });
    await sandbox.capture(authorizationId, '100.00');
    expect((await sandbox.authorization(authorizationId)).state).toBe('authorized');
    expect((await sandbox.authorization(authorizationId)).state).toBe('captured');
    const address = '/v1/notifications/webhooks-events';
    const { events } = (await sandbox.call('GET', `${address}?transaction_id=${authorizationId}`)).body;
    const before = receiver.typesOf(authorizationId).length;
    await sandbox.call('POST', `${address}/${events.at(-1).id}/resend`);
    await eventually(() => receiver.typesOf(authorizationId).length).toBeGreaterThan(before);
  });

  it('12: no webhook comes, although the payer has approved', async () => {
    await sandbox.switchOnFault({ kind: 'drop_delivery', times: null });
    const { paymentId, authorizationId } = await sandbox.authorized();
    const dropped = async () =>
      (await sandbox.request('GET', '/admin/deliveries?state=dropped&limit=2')).body.deliveries.map(
        ({ resourceId }: { resourceId: string }) => resourceId,
      );
    await eventually(dropped).toEqual([authorizationId, paymentId]);
    expect(receiver.typesOf(authorizationId)).toEqual([]);
  });

  it('13: day 29 passes without a capture', async () => {
    await sandbox.configure({ dayLengthMs: 10 });
    const { authorizationId, paymentId } = await sandbox.authorized();
    await eventually(() => sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'release 10000']);
    expect((await sandbox.capture(authorizationId, '1.00')).body.name).toBe('AUTHORIZATION_EXPIRED');
    await sandbox.configure({ dayLengthMs: null });
  });

  it('14: a reauthorization is too early, in time, and once too often; its id is a new one', async () => {
    await sandbox.configure({ reauthorizationId: 'new' });
    const { authorizationId } = await sandbox.authorized();
    expect((await reauthorize(sandbox, authorizationId)).body.name).toBe('REAUTHORIZATION_TOO_SOON');
    await endHonourPeriod(sandbox, authorizationId);
    const reauthorized = await reauthorize(sandbox, authorizationId);
    expect([reauthorized.status, reauthorized.body.id === authorizationId]).toEqual([201, false]);
    expect((await reauthorize(sandbox, authorizationId)).status).toBe(400);
  });

  it('15: captures are partial, and one ends it', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    await sandbox.capture(authorizationId, '40.00');
    await sandbox.capture(authorizationId, '30.00', { is_final_capture: true });
    expect(await sandbox.booksOf(paymentId)).toEqual([
      'hold 10000',
      'capture 4000',
      'capture 3000',
      'release 3000',
    ]);
  });

  it.each(['completed', 'denied'])('16: a capture is pending, then %s', async (settlesAs) => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    await sandbox.switchOnFault({ kind: 'pending', settlesAs, afterMs: 2_000, ...capture });
    const { body } = await sandbox.capture(authorizationId, '100.00');
    expect([body.state, await sandbox.booksOf(paymentId)]).toEqual(['pending', ['hold 10000']]);
    const state = async () => (await sandbox.call('GET', `/v1/payments/capture/${body.id}`)).body.state;
    await eventually(state).toBe(settlesAs);
  });

  function refund(captureId: string, body: object = {}, headers: Record<string, string> = {}) {
    return sandbox.call('POST', `/v1/payments/capture/${captureId}/refund`, body, headers);
  }
});

const key = (id: string) => ({ 'PayPal-Request-Id': id });

function lookOf({ status, body }: Answer): string {
  if (status > 201) return 'refused';
  if (body.state === 'completed') return 'done';
  return body.id === undefined ? 'unreadable' : 'strange';
}

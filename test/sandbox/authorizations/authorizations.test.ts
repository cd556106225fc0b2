import { afterAll, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';

describe('authorizations', () => {
  const sandbox = forAllTests(() => SandboxFixture.start());
  afterAll(async () => {
    expect(await sandbox.violations()).toEqual([]);
  });

  it('are valid for 29 days', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    const authorization = await sandbox.authorization(authorizationId);
    const days = (Date.parse(authorization.valid_until) - Date.parse(authorization.create_time)) / 86_400_000;
    expect(days).toBe(29);
    expect(authorization).toMatchObject({ state: 'authorized', parent_payment: paymentId });
    expect(relsOf(authorization)).toEqual(['self', 'capture', 'void', 'parent_payment']);
  });

  it('are captured in full', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    const { status, body } = await sandbox.capture(authorizationId, '100.00', {
      is_final_capture: true,
      invoice_number: 'capture-1',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      state: 'completed',
      amount: { total: '100.00', currency: 'USD' },
      is_final_capture: true,
      invoice_number: 'capture-1',
      parent_payment: paymentId,
    });
    expect(relsOf(body)).toEqual(['self', 'refund', 'authorization', 'parent_payment']);
    expect((await sandbox.call('GET', `/v1/payments/capture/${body.id}`)).body).toEqual(body);
    const payment = await sandbox.call('GET', `/v1/payments/payment/${paymentId}`);
    expect(payment.body.transactions[0].related_resources).toMatchObject([
      { authorization: { state: 'captured' } },
      { capture: { id: body.id, invoice_number: 'capture-1' } },
    ]);
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'capture 10000']);
  });

  it('15: are captured in parts, 40 and then 60', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    expect((await sandbox.capture(authorizationId, '40.00')).body.is_final_capture).toBe(false);
    expect((await sandbox.authorization(authorizationId)).state).toBe('partially_captured');
    await sandbox.capture(authorizationId, '60.00');
    expect((await sandbox.authorization(authorizationId)).state).toBe('captured');
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'capture 4000', 'capture 6000']);
  });

  it('15: keep 70 captured when the rest is released, by a final capture or by a void', async () => {
    const final = await sandbox.authorized();
    await sandbox.capture(final.authorizationId, '70.00', { is_final_capture: true });
    expect(await sandbox.booksOf(final.paymentId)).toEqual(['hold 10000', 'capture 7000', 'release 3000']);

    const voided = await sandbox.authorized();
    await sandbox.capture(voided.authorizationId, '70.00');
    expect((await sandbox.void(voided.authorizationId)).status).toBe(200);
    expect(await sandbox.booksOf(voided.paymentId)).toEqual(['hold 10000', 'capture 7000', 'release 3000']);
  });

  it('tell two equal captures apart in the books by their own references', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized({ transaction: { custom: 'ours' } });
    for (const reference of ['first', 'second']) {
      await sandbox.capture(
        authorizationId,
        '10.00',
        { invoice_number: reference },
        { 'paypal-request-id': reference },
      );
    }
    expect(await sandbox.movements(paymentId)).toMatchObject([
      { kind: 'hold' },
      { kind: 'capture', invoiceNumber: 'first', requestId: 'first', custom: 'ours' },
      { kind: 'capture', invoiceNumber: 'second', requestId: 'second', custom: 'ours' },
    ]);
  });

  it('are voided, and then show neither a deadline nor next steps', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    const { status, body } = await sandbox.void(authorizationId);
    expect(status).toBe(200);
    expect(body.state).toBe('voided');
    expect(body).not.toHaveProperty('valid_until');
    expect(relsOf(body)).toEqual(['self', 'parent_payment']);
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'release 10000']);
  });

  it('are voided by a call without any body', async () => {
    const { authorizationId } = await sandbox.authorized();
    const { status } = await sandbox.call('POST', `/v1/payments/authorization/${authorizationId}/void/`);
    expect(status).toBe(200);
  });

  it('refuse what their state excludes, with the documented name', async () => {
    const { authorizationId } = await sandbox.authorized();
    expect((await sandbox.capture(authorizationId, '100.01')).body).toMatchObject({
      name: 'CAPTURE_AMOUNT_LIMIT_EXCEEDED',
      details: [{ field: 'amount.total', issue: '100.00 USD can still be captured' }],
    });
    const euros = { amount: { total: '1.00', currency: 'EUR' } };
    const path = `/v1/payments/authorization/${authorizationId}/capture`;
    expect((await sandbox.call('POST', path, euros)).body).toMatchObject({
      name: 'CURRENCY_MISMATCH',
      details: [{ field: 'amount.currency', issue: 'The authorization is in USD' }],
    });
    expect((await sandbox.call('POST', path, {})).body.details).toEqual([
      { field: 'amount', issue: 'Required field is missing' },
    ]);
    await sandbox.capture(authorizationId, '100.00');
    expect((await sandbox.capture(authorizationId, '1.00')).body.name).toBe(
      'AUTHORIZATION_ALREADY_COMPLETED',
    );
    expect((await sandbox.void(authorizationId)).body.name).toBe('AUTHORIZATION_CANNOT_BE_VOIDED');

    const voided = await sandbox.authorized();
    await sandbox.void(voided.authorizationId);
    expect((await sandbox.capture(voided.authorizationId, '1.00')).body.name).toBe('AUTHORIZATION_VOIDED');
    expect((await sandbox.void(voided.authorizationId)).body.name).toBe('AUTHORIZATION_VOIDED');
    expect((await sandbox.capture('NONE', '1.00')).body.name).toBe('INVALID_RESOURCE_ID');
  });

  it('are not captured beyond their amount by concurrent captures', async () => {
    const { authorizationId, paymentId } = await sandbox.authorized();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => sandbox.capture(authorizationId, '30.00')),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(await sandbox.booksOf(paymentId)).toEqual([
      'hold 10000',
      'capture 3000',
      'capture 3000',
      'capture 3000',
    ]);
  });

  it('8: have one winner when captured and voided at the same moment', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { authorizationId, paymentId } = await sandbox.authorized();
      const both = [() => sandbox.capture(authorizationId, '100.00'), () => sandbox.void(authorizationId)];
      const answers = await Promise.all((round % 2 === 0 ? both : both.toReversed()).map((call) => call()));
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(1);
      expect(await sandbox.booksOf(paymentId)).toHaveLength(2);
    }
  });

  it('13: expire by the service’s clock, return the money, and then refuse a capture', async () => {
    await sandbox.configure({ dayLengthMs: 10 });
    const { authorizationId, paymentId } = await sandbox.authorized();
    await sandbox.configure({});
    await eventually(() => sandbox.authorization(authorizationId)).toMatchObject({ state: 'expired' });
    expect((await sandbox.capture(authorizationId, '1.00')).body.name).toBe('AUTHORIZATION_EXPIRED');
    expect((await sandbox.void(authorizationId)).body.name).toBe('AUTHORIZATION_EXPIRED');
    expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'release 10000']);
  });

  it('expire even if the service was down at that moment', async () => {
    await sandbox.configure({ dayLengthMs: 5 });
    const { authorizationId } = await sandbox.authorized();
    await sandbox.configure({});
    await sandbox.restart();
    await eventually(() => sandbox.authorization(authorizationId)).toMatchObject({ state: 'expired' });
  });

  describe('an authorization whose captures are pending', () => {
    it('16: is not captured before the capture completes', async () => {
      await sandbox.configure({ captureOutcome: 'pending_then_completed', captureSettleMs: 3_600_000 });
      const { authorizationId, paymentId } = await sandbox.authorized();
      const { status, body } = await sandbox.capture(authorizationId, '70.00', { is_final_capture: true });
      await sandbox.configure({});
      expect(status).toBe(201);
      expect(body).toMatchObject({ state: 'pending', reason_code: expect.any(String) });
      expect((await sandbox.authorization(authorizationId)).state).toBe('authorized');
      expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000']);
      expect((await sandbox.capture(authorizationId, '30.00')).body.name).toBe(
        'AUTHORIZATION_ALREADY_COMPLETED',
      );
      await sandbox.sql('UPDATE captures SET settles_at = now()');
      const capture = async () => (await sandbox.call('GET', `/v1/payments/capture/${body.id}`)).body;
      await eventually(capture).toMatchObject({ state: 'completed' });
      expect((await sandbox.authorization(authorizationId)).state).toBe('captured');
      expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'capture 7000', 'release 3000']);
    });

    it('16: can be captured again once the capture is denied', async () => {
      await sandbox.configure({ captureOutcome: 'pending_then_denied', captureSettleMs: 1 });
      const { authorizationId, paymentId } = await sandbox.authorized();
      const { body } = await sandbox.capture(authorizationId, '100.00');
      await sandbox.configure({});
      const capture = async () => (await sandbox.call('GET', `/v1/payments/capture/${body.id}`)).body;
      await eventually(capture).toMatchObject({ state: 'denied' });
      expect((await sandbox.capture(authorizationId, '100.00')).status).toBe(201);
      expect(await sandbox.booksOf(paymentId)).toEqual(['hold 10000', 'capture 10000']);
    });
  });
});

function relsOf(resource: { links: { rel: string }[] }): string[] {
  return resource.links.map(({ rel }) => rel);
}

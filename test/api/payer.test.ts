import { describe, expect, test } from 'vitest';
import type { PaymentState } from '#workflows/lifecycle/payment';
import { mostPayerReturns } from '#api/commands/bounded-waits.js';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture, closedAddress, useTemporal, runIdOf, signalsOf, temporalAt } from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start());
const temporal = useTemporal();

const awaiting: Partial<PaymentState> = {
  status: 'awaiting_approval',
  providerPaymentId: 'PAY-1',
  approvalUrl: 'https://pay.example/approve?token=EC-1',
  approvalToken: 'EC-1',
};
const returned = 'return?paymentId=PAY-1&token=EC-1&PayerID=PAYER-1';

async function visit(id: string, route: string, from = api) {
  return await from.call('GET', `/v1/payments/${id}/${route}`, {
    apiKey: null,
    headers: { accept: 'text/html,application/xhtml+xml' },
  });
}

describe('a payer who comes back', () => {
  test('from approving: the run is signalled, and the browser is redirected to the order’s own address', async () => {
    const id = await api.paymentWith(awaiting);
    const answer = await visit(id, returned);
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(
      `https://shop.example/thanks?basket=7&payment_id=${id}&state=awaiting_approval`,
    );
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(await signalsOf(temporal, id)).toEqual(['payerApproved payer-approved:PAYER-1:1']);
  });

  test('three times at once gets equal answers, and the run gets one message', async () => {
    const id = await api.paymentWith(awaiting);
    const answers = await Promise.all([visit(id, returned), visit(id, returned), visit(id, returned)]);
    expect(
      new Set(answers.map(({ status, headers }) => `${status} ${headers.get('location')}`)),
    ).toHaveLength(1);
    expect(new Set(await signalsOf(temporal, id))).toEqual(
      new Set(['payerApproved payer-approved:PAYER-1:1']),
    );
  });

  test('a hundred times with other parameters sends the run only a few messages', async () => {
    const id = await api.paymentWith(awaiting);
    const patient = await ApiFixture.start({ databaseUrl: api.databaseUrl, payerWaitMs: 240_000 });
    let answered = 0;
    const visits = Array.from({ length: 100 }, async (_, nth) => {
      const route = `return?paymentId=PAY-1&token=EC-1&PayerID=PAYER-${nth}`;
      const { status } = await visit(id, route, patient);
      answered += 1;
      return status;
    });
    await expect.poll(() => answered).toBe(100 - mostPayerReturns);
    expect(await signalsOf(temporal, id)).toHaveLength(mostPayerReturns);
    // He may cancel all the same.
    const cancelling = visit(id, 'cancel?token=EC-1', patient);
    await expect
      .poll(async () => await signalsOf(temporal, id))
      .toContain('payerCancelled payer-cancelled:1');
    await api.moveTo(id, { status: 'cancelled' });
    expect(new Set(await Promise.all(visits))).toEqual(new Set([303]));
    expect((await cancelling).headers.get('location')).toContain('state=cancelled');
    await patient.close();
  });

  test('with an id that the provider would not take is refused, and the run gets no signal', async () => {
    const id = await api.paymentWith(awaiting);
    const answer = await visit(id, `return?paymentId=PAY-1&token=EC-1&PayerID=${'X'.repeat(65)}`);
    expect(answer.status).toBe(422);
    expect(await signalsOf(temporal, id)).toEqual([]);
  });

  test('with HEAD, as link previews do, cancels nothing', async () => {
    const id = await api.paymentWith(awaiting);
    const answer = await fetch(`${api.url}/v1/payments/${id}/cancel?token=EC-1`, { method: 'HEAD' });
    // Without a key nothing is said about an address, not even its methods.
    expect(answer.status).toBe(401);
    expect(await signalsOf(temporal, id)).toEqual([]);
  });

  test('is only redirected when the payment is past its approval', async () => {
    const id = await api.paymentWith({ ...awaiting, status: 'captured' });
    const answer = await visit(id, returned);
    expect(answer.headers.get('location')).toContain('state=captured');
    expect(await signalsOf(temporal, id)).toEqual([]);
  });

  test('is redirected even when the run has closed', async () => {
    const id = await api.paymentWith(awaiting);
    await temporal.workflow.getHandle(runIdOf(id)).terminate();
    expect((await visit(id, returned)).status).toBe(303);
  });

  test('from cancelling: the run is signalled, and the browser is redirected to the cancel address', async () => {
    const id = await api.paymentWith(awaiting);
    const answer = await visit(id, 'cancel?token=EC-1');
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(
      `https://shop.example/cart?payment_id=${id}&state=awaiting_approval`,
    );
    expect(await signalsOf(temporal, id)).toEqual(['payerCancelled payer-cancelled:1']);
  });

  test('from cancelling again, after another approval: the run is signalled again', async () => {
    const id = await api.paymentWith(awaiting);
    await Promise.all([visit(id, 'cancel?token=EC-1'), visit(id, 'cancel?token=EC-1')]);
    await api.moveTo(id, { status: 'authorizing' });
    await api.moveTo(id, { status: 'awaiting_approval' });
    await visit(id, 'cancel?token=EC-1');
    expect(new Set(await signalsOf(temporal, id))).toEqual(
      new Set(['payerCancelled payer-cancelled:1', 'payerCancelled payer-cancelled:3']),
    );
  });
});

describe('a visitor who cannot prove to be the payer', () => {
  test.each([
    ['another token', 'return?paymentId=PAY-1&token=EC-2&PayerID=PAYER-1', 404],
    ['another payment', 'return?paymentId=PAY-2&token=EC-1&PayerID=PAYER-1', 404],
    ['no token', 'return?paymentId=PAY-1&PayerID=PAYER-1', 422],
    ['no payer', 'return?paymentId=PAY-1&token=EC-1', 422],
    ['two tokens', 'return?paymentId=PAY-1&token=EC-2&token=EC-1&PayerID=PAYER-1', 422],
    ['a payer of control characters', 'return?paymentId=PAY-1&token=EC-1&PayerID=%00', 422],
    ['another token to cancel with', 'cancel?token=EC-2', 404],
    ['no token to cancel with', 'cancel', 422],
  ])('%s: is redirected nowhere and moves nothing', async (_case, route, status) => {
    const id = await api.paymentWith(awaiting);
    const answer = await visit(id, route);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('location')).toBeNull();
    expect(await signalsOf(temporal, id)).toEqual([]);
  });

  test('has no way to prove it when the payment has no token on record', async () => {
    const { approvalToken: _none, ...tokenless } = awaiting;
    const id = await api.paymentWith(tokenless);
    expect((await visit(id, 'return?paymentId=PAY-1&token=undefined&PayerID=P')).status).toBe(404);
    expect((await visit(id, 'cancel?token=undefined')).status).toBe(404);
  });

  test('is never redirected to an address of their own choice', async () => {
    const id = await api.paymentWith(awaiting);
    const answer = await visit(
      id,
      `${returned}&returnUrl=https://evil.example&return_url=https://evil.example`,
    );
    expect(answer.headers.get('location')).toMatch(/^https:\/\/shop\.example\//);
  });
});

test('while Temporal is down the payer sees a page that asks him to reload', async () => {
  const cutOff = await ApiFixture.start({
    databaseUrl: api.databaseUrl,
    temporal: temporalAt(closedAddress),
  });
  const id = await api.paymentWith(awaiting);
  const answer = await visit(id, returned, cutOff);
  await cutOff.close();
  expect(answer.status).toBe(503);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answer.headers.get('content-type')).toContain('text/html');
  expect(answer.text).toContain('reload');
});

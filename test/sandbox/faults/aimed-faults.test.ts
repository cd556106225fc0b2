import { afterEach, describe, expect, it } from 'vitest';
import { forAllTests } from '../../helpers/shared.js';
import { eventually, SandboxFixture } from '../sandbox-fixture.js';
import { WebhookReceiver } from '../webhook-receiver.js';

const sandbox = forAllTests(() => SandboxFixture.start());
const receiver = forAllTests(() => WebhookReceiver.start());

afterEach(async () => {
  expect(await sandbox.violations()).toEqual([]);
  await sandbox.request('DELETE', '/admin/faults');
});

const faultsOn = async () => (await sandbox.request('GET', '/admin/faults')).body.faults;

describe('a fault that is aimed at one payment', () => {
  it('declines the captures of that payment only, and is shown as used up', async () => {
    const [aimed, other] = [await sandbox.authorized(), await sandbox.authorized()];
    const target = { paymentId: aimed.paymentId, operation: 'authorization.capture' };
    await sandbox.switchOnFault({ kind: 'decline', ...target, times: 2 });
    expect((await sandbox.capture(other.authorizationId, '100.00')).status).toBe(201);
    expect(await faultsOn()).toMatchObject([{ ...target, matches: 0, remaining: 2, isUsedUp: false }]);
    expect((await sandbox.capture(aimed.authorizationId, '40.00')).body.name).toBe('INSTRUMENT_DECLINED');
    expect((await sandbox.capture(aimed.authorizationId, '40.00')).body.name).toBe('INSTRUMENT_DECLINED');
    expect(await faultsOn()).toMatchObject([{ ...target, matches: 2, remaining: 0, isUsedUp: true }]);
    expect(await sandbox.booksOf(aimed.paymentId)).toEqual(['hold 10000']);
    expect(await sandbox.booksOf(other.paymentId)).toEqual(['hold 10000', 'capture 10000']);
    expect((await sandbox.capture(aimed.authorizationId, '40.00')).status).toBe(201);
    expect(await sandbox.booksOf(aimed.paymentId)).toEqual(['hold 10000', 'capture 4000']);
  });

  it('strikes the calls that name it or a part of it, whatever their operation', async () => {
    const [aimed, other] = [await refunded(), await refunded()];
    await sandbox.switchOnFault({ kind: 'status', status: 503, paymentId: aimed.paymentId, times: null });
    for (const path of aimed.paths) expect((await sandbox.call('GET', path)).status, path).toBe(503);
    for (const path of other.paths) expect((await sandbox.call('GET', path)).status, path).toBe(200);
    expect((await sandbox.void(aimed.authorizationId)).status).toBe(503);
    expect((await sandbox.execute(aimed.paymentId)).status).toBe(503);
    expect((await sandbox.call('POST', `${aimed.capture}/refund`, {})).status).toBe(503);
    expect(await sandbox.booksOf(aimed.paymentId)).toEqual(['hold 10000', 'capture 4000', 'refund 1000']);
    expect((await sandbox.call('POST', `${other.capture}/refund`, {})).status).toBe(201);
  });

  it('leaves calls alone that name no payment, the wrong one, or are another application’s', async () => {
    const { paymentId, authorizationId } = await sandbox.authorized();
    await sandbox.switchOnFault({ kind: 'status', status: 503, paymentId, times: null });
    expect((await sandbox.createPayment()).status).toBe(201);
    expect((await sandbox.call('GET', '/v1/payments/payment')).status).toBe(200);
    expect((await sandbox.exchange('shop', 'shop-secret')).status).toBe(200);
    for (const id of [authorizationId, 'NOBODY', '%00', "'"])
      expect((await sandbox.call('GET', `/v1/payments/capture/${id}`)).status, id).toBe(404);
    await sandbox.request('PUT', '/admin/applications/other', { clientSecret: 'other' });
    const foreign = { authorization: `Bearer ${await sandbox.newToken('other', 'other')}` };
    const path = `/v1/payments/payment/${paymentId}`;
    expect((await sandbox.call('GET', path, undefined, foreign)).status).toBe(404);
    expect(await faultsOn()).toMatchObject([{ matches: 0 }]);
    expect((await sandbox.call('GET', path)).status).toBe(503);
  });

  it('strikes a sale, and still does after a restart', async () => {
    const sold = async () => {
      const { body } = await sandbox.createPayment({ intent: 'sale' });
      await sandbox.approve(body.id);
      return { paymentId: body.id as string, sale: (await sandbox.execute(body.id)).body.transactions[0] };
    };
    const [aimed, other] = [await sold(), await sold()];
    await sandbox.switchOnFault({ kind: 'decline', operation: 'sale.refund', paymentId: aimed.paymentId });
    await sandbox.restart();
    const refund = async ({ sale }: typeof aimed) =>
      (await sandbox.call('POST', `/v1/payments/sale/${sale.related_resources[0].sale.id}/refund`, {}))
        .status;
    expect(await refund(other)).toBe(201);
    expect(await refund(aimed)).toBe(400);
    expect(await sandbox.booksOf(aimed.paymentId)).toEqual(['sale 10000']);
    expect(await sandbox.booksOf(other.paymentId)).toEqual(['sale 10000', 'refund 10000']);
  });

  it('drops the deliveries of its events and no others', async () => {
    await sandbox.call('POST', '/v1/notifications/webhooks', {
      url: receiver.url,
      event_types: [{ name: 'PAYMENT.CAPTURE.COMPLETED' }],
    });
    const [aimed, other] = [await sandbox.authorized(), await sandbox.authorized()];
    await sandbox.switchOnFault({ kind: 'drop_delivery', paymentId: aimed.paymentId, times: null });
    const [lost, told] = [
      await sandbox.capture(aimed.authorizationId, '10.00'),
      await sandbox.capture(other.authorizationId, '10.00'),
    ];
    const stateOf = async (resource: string) =>
      (await sandbox.request('GET', '/admin/deliveries')).body.deliveries.find(
        ({ resourceId }: { resourceId: string }) => resourceId === resource,
      )?.state;
    await eventually(() => stateOf(lost.body.id)).toBe('dropped');
    await eventually(() => stateOf(told.body.id)).toBe('delivered');
    expect(receiver.typesOf(lost.body.id)).toEqual([]);
    expect(receiver.typesOf(told.body.id)).toEqual(['PAYMENT.CAPTURE.COMPLETED']);
  });

  it.each([
    [{ paymentId: 'PAY-NOBODY' }, 'paymentId'],
    [{ paymentId: '' }, 'paymentId'],
    [{ paymentId: 'a b' }, 'paymentId'],
    [{ paymentId: 7 }, 'paymentId'],
    [{ clientId: 'somebody-else' }, 'paymentId'],
    [{ operation: 'payment.create' }, 'operation'],
    [{ operation: 'payment.list' }, 'operation'],
    [{ operation: 'token' }, 'operation'],
    [{ operation: 'plan.get' }, 'operation'],
  ])('is refused, naming the field, when it could never strike: %j', async (wrong, field) => {
    const { paymentId } = await sandbox.authorized();
    const fault = { kind: 'drop_reply', paymentId, ...wrong };
    const { status, body } = await sandbox.request('POST', '/admin/faults', fault);
    expect([status, body.name, body.details[0].field]).toEqual([400, 'VALIDATION_ERROR', field]);
    expect(await faultsOn()).toEqual([]);
  });
});

/** A payment with one of each part, and where they are read. */
async function refunded() {
  const { paymentId, authorizationId } = await sandbox.authorized();
  const { body: captured } = await sandbox.capture(authorizationId, '40.00');
  const capture = `/v1/payments/capture/${captured.id}`;
  const { body: refund } = await sandbox.call('POST', `${capture}/refund`, {
    amount: { total: '10.00', currency: 'USD' },
  });
  const paths = [
    `/v1/payments/payment/${paymentId}`,
    `/v1/payments/authorization/${authorizationId}`,
    capture,
    `/v1/payments/refund/${refund.id}`,
  ];
  return { paymentId, authorizationId, capture, paths };
}

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { subscriptionSubject, workflowIdOf } from '#workflows/contract';
import { forAllTests } from '../helpers/shared.js';
import { PayoutService, item } from '../payouts/payout-service.js';
import { DoubtStage } from './doubt-stage.js';
import { usd } from '../helpers/usd.js';

const stage = forAllTests(
  () => DoubtStage.start({ reviewAfterMs: 600_000 }),
  ({ engine }) => engine.close(),
);
beforeEach(() => stage.tellsNothing());
afterEach(() => stage.engine.sandbox.clearFaults());

const idIn = (address: string) => address.replace(/.*\//, '');

describe('a check asks the provider at once', () => {
  it('and finds a capture whose answer was lost, which is not sent again', async () => {
    const address = await stage.lostCapture();
    expect(await stage.check(address)).toMatchObject({
      status: 200,
      body: { state: 'partially_captured', pendingOperation: null },
    });
    const books = await stage.engine.sandbox.booksOf(idIn(address));
    expect(books).toEqual(['hold 10000', 'capture 4000']);
  });

  it('and finds a refund whose answer was lost', async () => {
    const address = await stage.lostRefund();
    expect(await stage.check(address)).toMatchObject({
      status: 200,
      body: { state: 'completed', pendingOperation: null },
    });
  });

  it('and finds a batch whose answer was lost, which pays once', async () => {
    const payouts = new PayoutService(stage.engine);
    await stage.losesAnswers('payout.create');
    const { body } = await payouts.order([item('anna')]);
    const address = `/v1/payouts/${body.id}`;
    await stage.inDoubt(address);
    await stage.engine.sandbox.clearFaults();
    const checked = await stage.check(address);
    expect(checked).toMatchObject({ status: 200, body: { providerBatchId: expect.any(String) } });
    expect(await payouts.movementsOf(body.id)).toHaveLength(1);
  });

  it('and sees what was done elsewhere to a subscription and to a hold', async () => {
    const address = await stage.subscribed();
    await stage.subscriptions.changeElsewhere(idIn(address), 'suspend');
    expect(await stage.check(address)).toMatchObject({ status: 200, body: { state: 'suspended' } });

    const id = await stage.held();
    const { authorizations } = await stage.engine.orders.read<{ authorizations: string[] }>(
      `/v1/payments/${id}`,
    );
    await stage.engine.sandbox.postAsOwner(`/v1/payments/authorization/${authorizations[0]}/void`, {});
    expect(await stage.check(`/v1/payments/${id}`)).toMatchObject({ status: 200, body: { state: 'voided' } });
  });

  it('as often as requested, without delaying the next poll', async () => {
    await stage.paymentsLag();
    const address = await stage.lostCapture();
    const before = await stage.show(address);
    const reads = await stage.calls('payment.get');
    for (const _time of [1, 2, 3]) {
      expect(await stage.check(address)).toMatchObject({
        status: 200,
        body: { state: 'capturing', pendingOperation: before.pendingOperation },
      });
    }
    expect(await stage.calls('payment.get')).toBeGreaterThanOrEqual(reads + 3);
  });
});

describe('a check is not answered as done', () => {
  it('by a read that began before the request, and showed what was so before', async () => {
    const address = await stage.subscribed();
    await stage.fault('agreement.get', { kind: 'delay', delayMs: 2_500, times: 1 });
    const earlier = stage.check(address);
    await stage.isMet(1);
    await stage.subscriptions.changeElsewhere(idIn(address), 'suspend');
    expect(await stage.check(address)).toMatchObject({ status: 200, body: { state: 'suspended' } });
    await earlier;
  });

  it('by the call under way, whose answer is lost: what came of it is asked', async () => {
    const id = await stage.held();
    await stage.losesAnswers('authorization.capture');
    void stage.engine.orders.capture(id, { amount: usd('40.00') }).catch(() => undefined);
    const address = `/v1/payments/${id}`;
    await stage.stands(address, 'capturing');
    expect(await stage.check(address)).toMatchObject({
      status: 200,
      body: { state: 'partially_captured', pendingOperation: null },
    });
  });
});

describe('a check does not ask', () => {
  it('again before the time that the provider has requested', async () => {
    const id = await stage.held();
    await stage.fault('authorization.capture', { kind: 'status', status: 429, retryAfter: 30, times: null });
    void stage.engine.orders.capture(id, { amount: usd('40.00') }).catch(() => undefined);
    const address = `/v1/payments/${id}`;
    const putOff = await stage.until(
      address,
      ({ pendingOperation }) => typeof pendingOperation?.nextCheckAt === 'string',
      'to be put off',
    );
    const sent = await stage.calls('authorization.capture');
    expect(await stage.check(address)).toMatchObject({
      status: 200,
      body: { state: 'capturing', pendingOperation: putOff.pendingOperation },
    });
    expect(await stage.calls('authorization.capture')).toBe(sent);
  });

  it('about a payment that has ended, and answers with its row', async () => {
    const id = await stage.held();
    await stage.engine.orders.void(id);
    const reads = await stage.calls('payment.get');
    expect(await stage.check(`/v1/payments/${id}`)).toMatchObject({ status: 200, body: { state: 'voided' } });
    expect(await stage.calls('payment.get')).toBe(reads);
  });

  it('about a missing subject, or about one without a run: it answers with that error', async () => {
    expect(await stage.check('/v1/payments/pay_nobody')).toMatchObject({ status: 404 });
    const address = await stage.subscribed();
    const subject = subscriptionSubject({
      environment: 'sandbox',
      application: 'shop',
      subscriptionId: idIn(address),
    });
    await stage.engine.temporal.workflow.getHandle(workflowIdOf(subject)).terminate('a test');
    expect(await stage.check(address)).toMatchObject({ status: 503 });
  });
});

describe('the version', () => {
  it('grows with what is seen, and not with reads that show nothing', async () => {
    await stage.paymentsLag();
    const address = await stage.lostCapture();
    const { version } = await stage.show(address);
    for (const _time of [1, 2, 3]) expect((await stage.check(address)).body.version).toBe(version);
    expect((await stage.show(`${address}?wait=1&since=${version}`)).version).toBe(version);

    await stage.engine.sandbox.clearFaults();
    const waiting = stage.show(`${address}?wait=30&since=${version}`);
    await stage.check(address);
    const found = await waiting;
    expect(found).toMatchObject({ state: 'partially_captured' });
    const { data: entries } = await stage.engine.orders.read<{ data: { version: number }[] }>(
      `${address}/timeline`,
    );
    expect(entries.at(-1)?.version).toBe(found.version);
  });
});

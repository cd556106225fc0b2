import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { paymentWorkflowId } from '#workflows/contract';
import type { Engine } from '../helpers/engine.js';
import { until } from '../helpers/until.js';
import { providerIdOf } from './payment-rows.js';
import { SaleStage } from './sale-stage.js';
import { usd } from '../helpers/usd.js';

let engine: Engine;
let stage: SaleStage;
beforeAll(async () => {
  stage = await SaleStage.start();
  ({ engine } = stage);
});
afterEach(async () => {
  await engine.sandbox.clearFaults();
  await engine.sandbox.configure({});
});
afterAll(async () => {
  await engine.close();
});

describe('a sale', () => {
  it('takes the money once the payer has approved, in one movement and few events', async () => {
    const { id } = await stage.order();
    const back = await engine.orders.comeBack(await engine.sandbox.approve(await providerIdOf(engine, id)));
    expect(back.location).toMatch(/^https:\/\/shop\.example\/thanks\?.*state=completed/);
    expect(await engine.orders.reaches(id, 'completed')).toMatchObject({
      intent: 'sale',
      sale: { id: expect.any(String), amount: usd('100.00'), state: 'completed' },
      amounts: { authorized: usd('0.00'), captured: usd('100.00'), pending: usd('0.00') },
      captures: [],
      allowedActions: ['refund'],
      capturePolicy: null,
    });
    expect(await engine.sandbox.booksOf(id)).toEqual(['sale 10000']);
    expect(await engine.sandbox.booksAreSound()).toBe(true);
    const run = engine.temporal.workflow.getHandle(
      paymentWorkflowId({ environment: 'sandbox', application: 'shop', paymentId: id }),
    );
    expect(await run.result()).toMatchObject({ status: 'completed', captured: 10_000, authorized: 0 });
    // The event of the approval may come before its payer does: then the run reads.
    const reads = await engine.db
      .selectFrom('api_calls')
      .select('id')
      .where('subject_id', '=', id)
      .where('operation', '=', 'payment.get')
      .execute();
    expect((await run.describe()).historyLength).toBeLessThanOrEqual(20 + 7 * reads.length);
  });

  it('is taken at once when the provider asks no payer', async () => {
    await engine.sandbox.configure({ approval: 'immediate' });
    const ordered = await engine.orders.order({ intent: 'sale' });
    expect(ordered).toMatchObject({ status: 201, body: { state: 'completed', approvalUrl: null } });
    expect(await engine.sandbox.booksOf(ordered.body.id)).toEqual(['sale 10000']);
  });

  it('that is declined at its execution moves no money', async () => {
    const { clientId } = engine.sandbox;
    await engine.sandbox.fault({ clientId, kind: 'decline', operation: 'payment.execute' });
    const { id, state } = await stage.executed();
    expect(state).toBe('declined');
    expect(await engine.sandbox.booksOf(id)).toEqual([]);
  });

  it('refuses a capture and a void, and makes no call', async () => {
    const { id } = await stage.executed();
    expect(await engine.orders.capture(id)).toMatchObject({ status: 409 });
    expect(await engine.orders.void(id)).toMatchObject({ status: 409 });
    expect(await engine.sandbox.booksOf(id)).toEqual(['sale 10000']);
  });

  it.each([
    ['JPY', '1060', 1060],
    ['KWD', '10.600', 10_600],
    ['USD', '10.6', 1060],
  ])('case 30: of %s %s is taken exactly', async (currency, value, minor) => {
    const { id } = await stage.executed({ amount: { value, currency } });
    expect(await engine.sandbox.booksOf(id)).toEqual([`sale ${minor}`]);
  });
});

describe('case 16: a sale that the provider leaves pending', () => {
  it('is completed by the event that says so, and by no earlier one', async () => {
    await stage.leavePending('completed', 8_000);
    const pending = await stage.executed();
    expect(pending).toMatchObject({
      state: 'pending',
      sale: { state: 'pending' },
      amounts: { captured: usd('0.00'), pending: usd('100.00') },
    });
    const completed = await engine.orders.reaches(pending.id, 'completed');
    expect(completed).toMatchObject({ sale: { state: 'completed' }, amounts: { captured: usd('100.00') } });
    expect(await engine.sandbox.booksOf(pending.id)).toEqual(['sale 10000']);
    expect(await stage.timelineOf(pending.id)).toEqual(
      expect.arrayContaining(['saleAnswered pending', 'providerObserved completed']),
    );
  });

  it('case 12: is completed by a poll when every delivery is dropped', async () => {
    await stage.dropDeliveries();
    await stage.leavePending('completed', 1_500);
    const { id } = await stage.executed();
    await engine.orders.reaches(id, 'completed');
    expect(await stage.timelineOf(id)).toContain('saleAnswered pending');
    expect(await engine.sandbox.booksOf(id)).toEqual(['sale 10000']);
    expect(await stage.eventsOf(id)).toEqual([]);
  });

  it('and then denies is declined, and nothing has moved', async () => {
    await stage.leavePending('denied', 1_000);
    const { id } = await stage.executed();
    expect(await engine.orders.reaches(id, 'declined')).toMatchObject({
      sale: { state: 'denied' },
      amounts: { captured: usd('0.00'), pending: usd('0.00') },
      reason: 'The provider denied the sale.',
    });
    expect(await engine.sandbox.booksOf(id)).toEqual([]);
  });

  it('is ended by the sale’s status while its payment is shown as in progress', async () => {
    await engine.sandbox.configure({
      saleOutcome: 'pending_then_denied',
      saleSettleMs: 1_000,
      pendingPaymentState: 'in_progress',
    });
    const { id } = await stage.executed();
    expect(await engine.orders.reaches(id, 'declined')).toMatchObject({ sale: { state: 'denied' } });
  });
});

describe('case 1: the reply to a sale is lost', () => {
  it.each(['payment.create', 'payment.execute'])('at %s: the money is taken once', async (operation) => {
    const { clientId } = engine.sandbox;
    await engine.sandbox.fault({ clientId, operation, kind: 'drop_reply', times: 1 });
    const { id } = await stage.executed();
    await engine.orders.reaches(id, 'completed');
    expect(await engine.sandbox.booksOf(id)).toEqual(['sale 10000']);
  });

  it('when no payer was asked: the sale is found by our reference', async () => {
    await engine.sandbox.configure({ approval: 'immediate' });
    const { clientId } = engine.sandbox;
    await engine.sandbox.fault({ clientId, operation: 'payment.create', kind: 'drop_reply', times: 1 });
    const { body } = await engine.orders.order({ intent: 'sale' });
    await engine.orders.reaches(body.id, 'completed');
    expect(await engine.sandbox.booksOf(body.id)).toEqual(['sale 10000']);
  });
});

describe('case 12: a payer of a sale', () => {
  it('who approves and closes the tab is found by polling, with every delivery dropped', async () => {
    await stage.dropDeliveries();
    const { id } = await stage.order();
    await engine.sandbox.approve(await providerIdOf(engine, id));
    await engine.orders.reaches(id, 'completed');
    expect(await engine.sandbox.booksOf(id)).toEqual(['sale 10000']);
  });

  it('who never approves lets it expire', async () => {
    const { body } = await engine.orders.order({ intent: 'sale', approvalTimeoutSeconds: 1 });
    await engine.orders.reaches(body.id, 'expired');
    expect(await engine.sandbox.booksOf(body.id)).toEqual([]);
  });
});

describe('cases 10 and 11: a chargeback', () => {
  it('of a sale is shown with its payment, and no later event undoes it', async () => {
    const { id, sale } = await stage.executed();
    await engine.sandbox.chargeBackSale(sale?.id ?? '');
    const reversed = await until(
      () => engine.orders.get(id),
      ({ refunds }) => refunds.some(({ state }) => state === 'completed'),
      'the chargeback to be shown',
    );
    expect(reversed).toMatchObject({
      state: 'completed',
      amounts: { captured: usd('100.00'), reversed: usd('100.00'), refunded: usd('0.00') },
      refunds: [{ kind: 'reversal', amount: usd('100.00'), saleId: sale?.id, captureId: null }],
    });
    const reported = await until(
      () => stage.eventsOf(id),
      (rows) => rows.some(({ event_type }) => event_type === 'PAYMENT.SALE.COMPLETED'),
      'the event of the sale to be taken',
    );
    await Promise.all(reported.map(({ event_id }) => engine.sandbox.resendEvent(event_id)));
    // Others may come meanwhile.
    const before = new Map(reported.map(({ event_id, deliveries }) => [event_id, deliveries]));
    await until(
      async () => (await stage.eventsOf(id)).filter(({ event_id }) => before.has(event_id)),
      (rows) =>
        rows.every(
          ({ event_id, deliveries, status }) =>
            deliveries > (before.get(event_id) ?? 0) && (status === 'applied' || status === 'ignored'),
        ),
      'every event to be delivered once more',
    );
    expect(await engine.orders.get(id)).toMatchObject({
      state: 'completed',
      amounts: { captured: usd('100.00'), reversed: usd('100.00') },
      refunds: [{ kind: 'reversal', state: 'completed' }],
    });
    expect(await engine.sandbox.booksOf(id)).toEqual(['sale 10000', 'reversal 10000']);
  });

  it('after a refund takes only the rest, in whatever order they are reported', async () => {
    await stage.dropDeliveries();
    const { id, sale } = await stage.executed();
    await engine.sandbox.refundSaleElsewhere(sale?.id ?? '', '30.00');
    await engine.sandbox.clearFaults();
    await engine.sandbox.chargeBackSale(sale?.id ?? '');
    const shown = await until(
      () => engine.orders.get(id),
      ({ refunds }) => refunds.some(({ kind, state }) => kind === 'reversal' && state === 'completed'),
      'the chargeback to be shown',
    );
    expect(shown).toMatchObject({ state: 'completed', amounts: { reversed: usd('70.00') } });
    expect(await engine.sandbox.booksOf(id)).toEqual(['sale 10000', 'refund 3000', 'reversal 7000']);
  });
});

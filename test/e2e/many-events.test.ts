import { describe, expect, it } from 'vitest';
import { paymentSignals, snapshotQuery } from '#workflows/contract/payment.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { approvalOf, approvedPayment, deliver, startEngineToPostTo } from './inbox.js';

const engine = forAllTests(startEngineToPostTo);

/** Thousands of deliveries and signals, on a machine that has other things to do. */
const longEnough = 500_000;

/** How often the run of a payment has read it back. */
async function readsOf(paymentId: string): Promise<number> {
  const { count } = await engine.db
    .selectFrom('api_calls')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('subject_id', '=', paymentId)
    .where('operation', '=', 'payment.get')
    .executeTakeFirstOrThrow();
  return count;
}

describe('case 9: more than a thousand events to one run', () => {
  it('are each applied once, even if delivered twice, and the history stays short', async () => {
    const { id, providerPaymentId } = await approvedPayment(engine);
    await deliver(engine, approvalOf(providerPaymentId));
    await engine.orders.reaches(id, 'authorized');
    const handle = engine.temporal.workflow.getHandle(`payment/sandbox/shop/${id}`);
    const first = await handle.describe();

    // Of a kind that nobody knows, so that each of them is news.
    const events = Array.from({ length: 1_500 }, (_, n) => ({
      id: `${id}-${n}`,
      resource_type: 'unheard_of',
      event_type: 'PAYMENT.SOMETHING.HAPPENED',
      resource: { id: `X-${n}`, parent_payment: providerPaymentId },
    }));
    const deliveries = events.flatMap((event, n) => (n % 3 === 0 ? [event, event] : [event]));
    const statuses = new Set<number>();
    const work = async (which: 0 | 1) => {
      for (let event = deliveries.pop(); event; event = deliveries.pop())
        statuses.add(await deliver(engine, event, which));
    };
    await Promise.all(Array.from({ length: 16 }, (_, n) => work(n % 2 === 0 ? 0 : 1)));
    expect(statuses).toEqual(new Set([200]));

    const countOf = async (status: string) =>
      await engine.db
        .selectFrom('webhook_events')
        .select((select) => select.fn.countAll<number>().as('count'))
        .where('event_id', 'like', `${id}-%`)
        .where('status', '=', status as 'applied')
        .executeTakeFirstOrThrow();
    await until(
      () => countOf('applied'),
      ({ count }) => count === 1_500,
      'every event to be applied',
      longEnough,
    );
    // Those that waited together were answered by one read.
    expect(await readsOf(id)).toBeLessThan(1_000);

    const later = await until(
      () => handle.describe(),
      ({ runId }) => runId !== first.runId,
      'the run to have continued as new',
      longEnough,
    );
    expect(later.historyLength).toBeLessThan(4_096);
    const { historyLength } = await engine.temporal.workflow
      .getHandle(first.workflowId, first.runId)
      .describe();
    expect(historyLength).toBeLessThan(8_192);
  }, 1_200_000);
});

describe('case 9: across continue-as-new', () => {
  it('ignores an event that came before', async () => {
    const { id, providerPaymentId } = await approvedPayment(engine);
    await deliver(engine, approvalOf(providerPaymentId));
    await engine.orders.reaches(id, 'authorized');
    const handle = engine.temporal.workflow.getHandle(`payment/sandbox/shop/${id}`);
    const { runId } = await handle.describe();
    const hint = async (eventId: string) =>
      await handle.signal(paymentSignals.providerNotified, {
        id: eventId,
        event: { type: 'providerNotified', eventType: 'TEST' },
      });
    await Promise.all(Array.from({ length: 1_000 }, (_, n) => hint(`${id}-${n}`)));
    await until(
      () => handle.describe(),
      (current) => current.runId !== runId,
      'the run to have continued as new',
      longEnough,
    );
    const taken = async () =>
      await until(
        () => handle.query(snapshotQuery),
        ({ waitingMessages }) => waitingMessages === 0,
        'the run to have taken its messages',
      );
    await taken();
    const before = await readsOf(id);
    // One by one: those that wait together share a read anyway.
    for (let n = 0; n < 20; n += 1) {
      await hint(`${id}-${n}`);
      await taken();
    }
    // One may have been under way.
    expect(await readsOf(id)).toBeLessThanOrEqual(before + 1);
    await hint(`${id}-new`);
    await until(
      () => readsOf(id),
      (count) => count > before,
      'a read for the new one',
    );
    expect(await engine.orders.capture(id)).toMatchObject({ status: 201 });
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000']);
  }, 1_200_000);
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { workflowIdOf } from '#workflows/contract';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { forgetRun } from '../helpers/forget-run.js';
import { until } from '../helpers/until.js';
import { PayoutService, type ShownPayout, item } from '../payouts/payout-service.js';

let service: PayoutService;
const engine = forAllTests(() => startEngine({ reconciles: 'often' }));
beforeAll(() => {
  service = new PayoutService(engine);
});
afterEach(async () => {
  await engine.sandbox.clearFaults();
  await engine.sandbox.configure({});
});
afterAll(async () => {
  expect(await engine.sandbox.booksAreSound()).toBe(true);
});

const refunded = 'PAYMENT.PAYOUTS-ITEM.REFUNDED';

async function completed(...itemIds: string[]): Promise<ShownPayout> {
  const { body } = await service.order(itemIds.map((itemId) => item(itemId)));
  await service.reaches(body.id, 'completed');
  await runHasClosed(body.id);
  return await service.get(body.id);
}

const runOf = (id: string) =>
  engine.temporal.workflow.getHandle(workflowIdOf({ environment: 'sandbox', application: 'shop', id }));

async function runHasClosed(id: string): Promise<void> {
  await until(
    () => runOf(id).describe(),
    ({ status }) => status.name === 'COMPLETED',
    `the run of ${id} to be closed`,
  );
}

async function change(id: string, itemId: string, what: string): Promise<void> {
  const shown = (await service.items(id)).find((each) => each.itemId === itemId);
  await service.change(shown?.providerItemId ?? '', what);
}

const eventsOf = async (id: string) =>
  await engine.db
    .selectFrom('webhook_events')
    .select(['status', 'detail'])
    .where('subject_id', '=', id)
    .where('event_type', '=', refunded)
    .execute();

const timelineOf = async (id: string) =>
  await engine.db
    .selectFrom('timeline')
    .select(['version', 'event', 'from_status', 'to_status', 'detail'])
    .where('subject_id', '=', id)
    .orderBy('version')
    .execute();

describe('an item that its receiver returns after the end of the payout', () => {
  it('shows in totals, timeline and version, and its payout stays ended', async () => {
    const before = await completed('back-1', 'back-2');
    await change(before.id, 'back-1', 'refund');
    await until(
      () => timelineOf(before.id),
      (entries) =>
        entries.some(({ version, event }) => version > before.version && event === 'payoutObserved'),
      'the return to be read',
    );

    const after = await service.totalReaches(before.id, 'refunded', 1);
    expect([after.state, after.totals['success']?.count, after.totals['refunded']?.amount.value]).toEqual([
      'completed',
      1,
      '7.50',
    ]);
    // A comparison may have come before the event: then the timeline shows it, too.
    const news = (await timelineOf(before.id)).filter(({ version }) => version > before.version);
    expect(news.find(({ detail }) => detail === refunded)).toMatchObject({ event: 'providerNotified' });
    expect(news.map(({ event }) => event)).toContain('payoutObserved');
    expect(new Set(news.map(({ to_status }) => to_status))).toEqual(new Set(['completed']));
    expect(await service.booksOf(before.id)).toEqual([
      'payout back-1 750',
      'payout back-2 750',
      'payout_return back-1 750',
    ]);

    // Told while that run waits for reads to have caught up, and once it has closed as well.
    await change(before.id, 'back-2', 'refund');
    await service.itemReaches(before.id, 'back-2', 'refunded');
    await runHasClosed(before.id);
    expect((await service.get(before.id)).totals['refunded']?.count).toBe(2);
    // Each is marked after its run was told.
    const events = await until(
      () => eventsOf(before.id),
      (rows) => rows.length === 2 && rows.every(({ status }) => status === 'applied'),
      'both events to be marked',
    );
    expect(new Set(events.map(({ detail }) => detail))).toEqual(
      new Set(['signalled to a run that reads it']),
    );
  });

  it('shows there even if reads lag, then fail, and the run that paid it is lost', async () => {
    const { id, version: ended } = await completed('lag-1');
    await forgetRun(engine.temporal, runOf(id).workflowId);
    await engine.sandbox.fault({ kind: 'stale_read', operation: 'payout.get', lagMs: 2_000, times: null });
    await change(id, 'lag-1', 'refund');
    await until(
      () => timelineOf(id),
      (entries) => entries.some(({ version, event }) => version > ended && event === 'providerNotified'),
      'the event to be taken',
    );
    await engine.sandbox.clearFaults();
    await engine.sandbox.fault({ kind: 'status', operation: 'payout.get', status: 503, times: 3 });
    await service.itemReaches(id, 'lag-1', 'refunded');
    await runHasClosed(id);
    expect((await service.get(id)).totals['refunded']?.count).toBe(1);
  });

  it('shows there even if its event was never delivered', async () => {
    await engine.sandbox.fault({ kind: 'drop_delivery', eventType: refunded, times: null });
    const { id } = await completed('missed-1');
    await change(id, 'missed-1', 'refund');
    await service.itemReaches(id, 'missed-1', 'refunded');
    await runHasClosed(id);
    const { state, totals } = await service.get(id);
    expect([state, totals['refunded']?.count, totals['success']?.count]).toEqual(['completed', 1, 0]);
  });

  it('shows there when it is compared, for a reversal of which the provider sends no event', async () => {
    const { id } = await completed('taken-1');
    await change(id, 'taken-1', 'reverse');
    await service.itemReaches(id, 'taken-1', 'reversed');
    expect((await service.totalReaches(id, 'reversed', 1)).state).toBe('completed');
  });
});

it('an unclaimed item returns automatically, and its payout ends', async () => {
  await engine.sandbox.configure({ dayLengthMs: 150 });
  const { body } = await service.order([item('kept-1'), item('left-1', 'unclaimed', '2.00')]);
  const { totals } = await service.reaches(body.id, 'completed');
  expect([totals['success']?.count, totals['returned']?.count]).toEqual([1, 1]);
  expect((await service.items(body.id)).map(({ state }) => state)).toEqual(['success', 'returned']);
  expect(await service.booksOf(body.id)).toEqual([
    'payout kept-1 750',
    'payout left-1 200',
    'payout_return left-1 200',
  ]);
  const cancelled = await engine.db
    .selectFrom('commands')
    .select('id')
    .where('subject_id', '=', body.id)
    .where('kind', '=', 'cancelItem')
    .execute();
  expect(cancelled).toEqual([]);
});

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';

const engine = forAllTests(startEngine);

async function unapproved(order: Record<string, unknown> = {}) {
  const { id } = (await engine.orders.order(order)).body;
  const { state } = await engine.db
    .selectFrom('payments')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { id, providerId: state.providerPaymentId ?? '' };
}

/** What the provider was asked of a payment, oldest first. */
async function callsAbout(providerId: string): Promise<string[]> {
  const calls = await engine.sandbox.calls(`text=${providerId}&limit=1000`);
  return calls.map(({ operation }) => operation).toReversed();
}

describe('a payment that the payer has not approved', () => {
  it.each(['authorize', 'sale'])(
    'is cancelled on request, and a late approval moves no money: %s',
    async (intent) => {
      const { orders, sandbox } = engine;
      const { id, providerId } = await unapproved({ intent });
      expect((await orders.get(id)).allowedActions).toEqual(['cancel']);
      const key = randomUUID();
      const cancelled = await orders.cancel(id, key);
      expect(cancelled).toMatchObject({
        status: 200,
        body: {
          state: 'cancelled',
          reason: 'It was cancelled before its payer had approved.',
          allowedActions: [],
        },
      });
      const back = await orders.comeBack(await sandbox.approve(providerId));
      expect(back.location).toContain('state=cancelled');
      expect(await orders.cancel(id, key)).toMatchObject({ status: 200, body: { state: 'cancelled' } });
      expect(await orders.cancel(id)).toMatchObject({ status: 409, body: { code: 'not_allowed_in_state' } });
      // The event of the approval has come, and is no reason for anything.
      await until(
        () => engine.db.selectFrom('webhook_events').selectAll().where('subject_id', '=', id).execute(),
        (events) => events.every(({ status }) => status !== 'received' && status !== 'dispatching'),
        'all events to be dispatched',
      );
      expect(await orders.get(id)).toMatchObject({ state: 'cancelled' });
      expect(await callsAbout(providerId)).not.toContain('payment.execute');
      expect(await sandbox.booksOf(id)).toEqual([]);
      const { data: entries } = await orders.read<{ data: { event: string; to: string }[] }>(
        `/v1/payments/${id}/timeline`,
      );
      expect(entries.at(-1)).toMatchObject({ event: 'cancelRequested', to: 'cancelled' });
    },
  );

  it('has one winner when its payer approves at the same moment, and 409 for a request that lost', async () => {
    const { orders, sandbox } = engine;
    const race = async (delayMs: number) => {
      const { id, providerId } = await unapproved();
      const redirect = await sandbox.approve(providerId);
      const [cancelled] = await Promise.all([
        new Promise((go) => setTimeout(go, delayMs)).then(() => orders.cancel(id)),
        orders.comeBack(redirect),
      ]);
      const { state } = await orders.reaches(id, 'cancelled', 'authorized');
      const executions = (await callsAbout(providerId)).filter(
        (operation) => operation === 'payment.execute',
      );
      const books = await sandbox.booksOf(id);
      return { state, status: cancelled.status, executions: executions.length, books };
    };
    for (const outcome of await Promise.all([0, 0, 0, 10, 20, 30, 40, 60].map(race))) {
      expect([
        { state: 'cancelled', status: 200, executions: 0, books: [] },
        { state: 'authorized', status: 409, executions: 1, books: ['hold 10000'] },
      ]).toContainEqual(outcome);
    }
  });
});

describe('a payment that is approved', () => {
  it('is not cancelled, even while the answer to its execution is lost', async () => {
    const { orders, sandbox } = engine;
    const { id, providerId } = await unapproved();
    await sandbox.fault({ kind: 'drop_reply', operation: 'payment.execute', times: 1 });
    await sandbox.fault({ kind: 'status', operation: 'payment.get', status: 503, times: 2 });
    const returned = orders.comeBack(await sandbox.approve(providerId));
    await orders.reaches(id, 'authorizing', 'authorized');
    expect((await orders.cancel(id)).status).toBe(409);
    await returned;
    await orders.reaches(id, 'authorized');
    expect(await orders.cancel(id)).toMatchObject({
      status: 409,
      body: { currentState: 'authorized', allowedActions: ['capture', 'void'] },
    });
    expect(await sandbox.booksOf(id)).toEqual(['hold 10000']);
  });
});

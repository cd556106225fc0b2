import { afterEach, expect, it } from 'vitest';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { providerIdOf } from './payment-rows.js';
import { SubscriptionStage } from './subscription-stage.js';

const engine = forAllTests(() =>
  startEngine({
    // No execution is tried before the payer comes back, and an operator is asked at once.
    patience: {
      outcomeHorizonMs: 4_000,
      reviewAfterMs: 1,
      firstPollMs: 60_000,
      longestPollMs: 60_000,
      firstLookMs: 200,
    },
  }),
);
afterEach(() => engine.sandbox.clearFaults());

async function fail(operation: string, status: 500 | 503): Promise<void> {
  const { clientId } = engine.sandbox;
  await engine.sandbox.fault({ clientId, operation, kind: 'status', status, times: null });
}

it.each(['authorize', 'sale'])(
  'a payment whose payer cancels during the review of its execution is not executed again: %s',
  async (intent) => {
    const { orders, sandbox } = engine;
    const { body } = await orders.order({ intent });
    await orders.reaches(body.id, 'awaiting_approval');
    await fail('payment.execute', 500);
    // However late the cancellation comes, nobody can see before it that it was not carried out.
    await fail('payment.get', 503);
    const approval = await sandbox.approve(await providerIdOf(engine, body.id));
    void orders.comeBack(approval).catch(() => undefined);
    await orders.reaches(body.id, 'needs_review');
    const cancelled = await orders.comeBack(approval.replace('/return?', '/cancel?'));
    expect(cancelled.location).toMatch(/state=needs_review$/);
    await sandbox.clearFaults();
    await orders.reaches(body.id, 'cancelled');
    expect(await sandbox.booksOf(body.id)).toEqual([]);
  },
);

it('a subscription whose payer cancels during the review of its execution is not executed again', async () => {
  const stage = new SubscriptionStage(engine);
  const { body: plan } = await stage.plan();
  const startDate = new Date(Date.now() + 10 * 86_400_000).toISOString();
  const { body: ordered } = await stage.order(plan.id, { startDate });
  await fail('agreement.execute', 500);
  await fail('event.list', 503);
  void fetch(await stage.approve(ordered), { redirect: 'manual' }).catch(() => undefined);
  await stage.reaches(ordered.id, 'needs_review');
  const token = new URL(ordered.approvalUrl ?? '').searchParams.get('token') ?? '';
  const address = `${engine.apiUrl}/v1/subscriptions/${ordered.id}/cancelled?token=${token}`;
  await fetch(address, { redirect: 'manual' });
  await engine.sandbox.clearFaults();
  await stage.reaches(ordered.id, 'cancelled');
  const calls = await engine.sandbox.calls('limit=1000');
  const executed = calls.filter(({ operation }) => operation === 'agreement.execute');
  expect(new Set(executed.map(({ status }) => status))).toEqual(new Set([500]));
});

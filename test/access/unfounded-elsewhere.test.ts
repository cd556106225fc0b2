import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  decideReviewUpdate,
  workflowIdOf,
  paymentWorkflowType,
  refundWorkflowType,
} from '#workflows/contract';
import { SubscriptionStage } from '../e2e/subscription-stage.js';
import { type Engine, startEngine } from '../helpers/engine.js';
import { until } from '../helpers/until.js';
import { testWaitPolicy } from '../helpers/worker.js';
import { PayoutService, item } from '../payouts/payout-service.js';

let engine: Engine;
let stage: SubscriptionStage;
let payouts: PayoutService;
beforeAll(async () => {
  // No execution is tried before the payer comes back.
  engine = await startEngine({ patience: { firstPollMs: 60_000, longestPollMs: 60_000 } });
  stage = new SubscriptionStage(engine);
  payouts = new PayoutService(engine);
});
afterAll(() => engine.close());

const handleOf = (id: string) =>
  engine.temporal.workflow.getHandle(workflowIdOf({ environment: 'sandbox', application: 'shop', id }));

async function forge(id: string, event: { readonly type: string; readonly [field: string]: unknown }) {
  await handleOf(id).signal(event.type, { id: randomUUID(), event });
  await until(
    () => engine.db.selectFrom('timeline').selectAll().where('subject_id', '=', id).execute(),
    (lines) => lines.some((line) => line.kind === 'conflict' && line.event === event.type),
    `a line that reports ${event.type}`,
  );
}

const commandsOf = async (id: string) =>
  (await engine.db.selectFrom('commands').selectAll().where('subject_id', '=', id).execute()).map(
    ({ kind }) => kind,
  );

describe('failure 33: nothing moves without an accepted row', () => {
  it('of a subscription: it is neither suspended nor cancelled, before or after its approval', async () => {
    const { body: plan } = await stage.plan();
    const waiting = (await stage.order(plan.id)).body;
    await forge(waiting.id, { type: 'cancelRequested', commandId: 'cmd_forged', note: 'no' });
    await forge(waiting.id, { type: 'payerCancelled' });
    expect((await stage.get(waiting.id)).state).toBe('awaiting_approval');
    const { id } = await stage.subscribed(plan.id);
    await stage.reaches(id, 'active');
    for (const type of ['suspendRequested', 'cancelRequested']) {
      await forge(id, { type, commandId: 'cmd_forged', note: 'no' });
      expect((await stage.get(id)).state).toBe('active');
    }
    expect(await commandsOf(id)).toEqual(['create']);
    const calls = await engine.sandbox.calls('');
    expect(calls.filter(({ operation }) => /agreement\.(suspend|cancel)/.test(operation))).toEqual([]);
  });

  it('of a payout: an unclaimed item is not taken back', async () => {
    const { body } = await payouts.order([item('kept', 'unclaimed')]);
    await payouts.itemReaches(body.id, 'kept', 'unclaimed');
    const [kept] = await payouts.items(body.id);
    const { providerItemId } = kept ?? {};
    await forge(body.id, {
      type: 'itemCancelRequested',
      commandId: 'cmd_forged',
      itemId: 'kept',
      providerItemId,
    });
    expect((await payouts.items(body.id)).map(({ state }) => state)).toEqual(['unclaimed']);
    expect(await commandsOf(body.id)).toEqual(['create']);
    await payouts.change(providerItemId ?? '', 'claim');
    await payouts.reaches(body.id, 'completed');
  });

  it('of a review: a decision that was not accepted is refused', async () => {
    await engine.sandbox.configure({ approval: 'immediate' });
    await engine.sandbox.fault({
      operation: 'payment.create',
      kind: 'reshape',
      add: { 'transactions[0].related_resources[0].authorization.amount.total': '90.00' },
    });
    const { body } = await engine.orders.order();
    await engine.orders.reaches(body.id, 'needs_review');
    for (const decision of ['keep', 'void'] as const) {
      const event = { type: 'reviewDecided', commandId: `cmd_${decision}`, decision, reason: 'no' } as const;
      await handleOf(body.id).executeUpdate(decideReviewUpdate, { args: [{ id: event.commandId, event }] });
      await until(
        () => engine.db.selectFrom('timeline').selectAll().where('subject_id', '=', body.id).execute(),
        (lines) =>
          lines.some(({ kind, command_id }) => kind === 'conflict' && command_id === event.commandId),
        `a line that reports ${decision}`,
      );
      expect((await engine.orders.get(body.id)).state).toBe('needs_review');
    }
    expect(await engine.sandbox.booksOf(body.id)).toEqual(['hold 10000']);
    expect(await engine.orders.decide(body.id, { decision: 'void', reason: 'yes' })).toMatchObject({
      status: 200,
    });
    await engine.orders.reaches(body.id, 'voided');
  });

  it('of a start: a run without an accepted order makes no call', async () => {
    await engine.sandbox.configure({ approval: 'immediate' });
    const { body: paid } = await engine.orders.order({ capturePolicy: { mode: 'automatic' } });
    const { captures } = await engine.orders.reaches(paid.id, 'captured', 'authorized');
    const { taskQueue } = engine;
    const names = { environment: 'sandbox', application: 'shop' };
    const paymentId = `pay_${randomUUID().replaceAll('-', '')}`;
    const refundId = `re_${randomUUID().replaceAll('-', '')}`;
    const urls = { returnUrl: 'https://shop.example/thanks', cancelUrl: 'https://shop.example/cart' };
    const order = {
      paymentId,
      amount: { minor: 10_000, currency: 'USD' },
      capturePolicy: { mode: 'automatic' },
      expiryPolicy: { action: 'void' },
      approvalBy: Date.now() + 60_000,
      patience: testWaitPolicy,
    };
    const claim = {
      kind: 'request',
      collected: { kind: 'capture', id: captures[0]?.id ?? 'CAPTURE' },
      amount: { minor: 10_00, currency: 'USD' },
      providerPaymentId: 'PAY',
    };
    const runs = [
      [
        paymentWorkflowType,
        paymentId,
        {
          identity: { ...names, paymentId },
          order,
          purchase: { orderId: 'o', ...urls },
          messagesPerRun: 100,
        },
      ],
      [
        refundWorkflowType,
        refundId,
        {
          identity: { ...names, refundId },
          claim,
          paymentId: paid.id,
          patience: testWaitPolicy,
          looksPerRun: 100,
        },
      ],
    ] as const;
    for (const [type, id, input] of runs) {
      const workflowId = workflowIdOf({ ...names, id });
      const run = await engine.temporal.workflow.start(type, { workflowId, taskQueue, args: [input] });
      await expect(run.result()).rejects.toThrow();
    }
    expect(await engine.sandbox.booksOf(paymentId)).toEqual([]);
    expect(await engine.sandbox.booksOf(paid.id)).not.toContainEqual(expect.stringContaining('refund'));
  });
});

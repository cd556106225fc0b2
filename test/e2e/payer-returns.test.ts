import { describe, expect, it } from 'vitest';
import { paymentWorkflowId } from '#workflows/contract';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';

const engine = forAllTests(() => startEngine({ withSecondApi: true }));

describe('case 7: the payer returns three times while the approval webhook arrives', () => {
  it('is executed once by the provider’s own count, in one run, with equal answers on two APIs', async () => {
    const { orders, sandbox, webhookUrls, db } = engine;
    await until(
      () => db.selectFrom('provider_webhooks').selectAll().execute(),
      (webhooks) => webhooks.length === 1,
      'the webhook to be registered',
    );
    const { id } = (await orders.order()).body;
    const { state } = await db
      .selectFrom('payments')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const providerId = state.providerPaymentId ?? '';
    // Long enough for all of them to come while the execution is on its way.
    await sandbox.fault({ kind: 'delay', operation: 'payment.execute', delayMs: 1_500, times: 1 });
    const redirect = new URL(await sandbox.approve(providerId));
    const elsewhere = new URL(redirect.pathname + redirect.search, webhookUrls[1]).href;
    const answers = await Promise.all(
      [redirect.href, elsewhere, redirect.href].map((to) => orders.comeBack(to)),
    );
    expect(answers).toEqual(Array(3).fill(answers[0]));
    expect(answers[0]).toMatchObject({ status: 303, location: expect.stringContaining('state=authorized') });
    const [approval] = await until(
      () =>
        db
          .selectFrom('webhook_events')
          .selectAll()
          .where('event_type', '=', 'PAYMENTS.PAYMENT.CREATED')
          .where('subject_id', '=', id)
          .execute(),
      ([event]) => event?.status === 'applied',
      'the approval webhook to be taken',
    );
    expect(approval?.resource).toMatchObject({ kind: 'payment', id: providerId });
    const calls = await sandbox.calls(`text=${providerId}&limit=1000`);
    expect(calls.filter(({ operation }) => operation === 'payment.execute')).toHaveLength(1);
    const workflowId = paymentWorkflowId({ environment: 'sandbox', application: 'shop', paymentId: id });
    const query = `WorkflowId="${workflowId}"`;
    const runs = await until(
      async () => {
        const listed: string[] = [];
        for await (const { runId } of engine.temporal.workflow.list({ query })) listed.push(runId);
        return listed;
      },
      ({ length }) => length > 0,
      'the run to be listed',
    );
    expect(runs).toHaveLength(1);
    expect(await sandbox.booksOf(id)).toEqual(['hold 10000']);
  });
});

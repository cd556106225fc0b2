import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { findPayment } from '#database/subjects';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { startRunFixture } from './payment-run.js';

const fixture = forAllTests(startRunFixture);

const fullCapture = (commandId: string = randomUUID()) => ({ type: 'captureRequested', commandId }) as const;

describe("a payment's run", () => {
  it('goes from order to captured in few events, none of them readable without the key', async () => {
    const run = await fixture.start();
    // Asks its row, not the run: a query costs the run a workflow task.
    const stands = async (status: string) =>
      await until(
        () => findPayment(fixture.db, run.identity),
        (row) => row?.status === status,
        `the payment to be ${status}`,
      );
    await stands('awaiting_approval');
    await run.approve();
    await stands('authorized');
    await run.send(fullCapture());
    await stands('captured');
    expect(await fixture.sandbox.booksOf(run.identity.paymentId)).toEqual(['hold 10000', 'capture 10000']);

    const { events } = await fixture.temporal.workflow.getHandle(run.workflowId).fetchHistory();
    expect(events?.length).toBeLessThanOrEqual(28);
    expect(JSON.stringify(events)).not.toContain('shop.example');
  });

  it('refuses a command without a call to the provider', async () => {
    const run = await fixture.start();
    const commandId = randomUUID();
    await run.send({ type: 'voidRequested', commandId });
    await run.reaches('awaiting_approval');
    await run.approve();
    await run.reaches('authorized');
    const command = await fixture.db
      .selectFrom('commands')
      .selectAll()
      .where('id', '=', commandId)
      .executeTakeFirst();
    expect(command).toMatchObject({ status: 'refused', kind: 'void' });
    expect(await fixture.sandbox.booksOf(run.identity.paymentId)).toEqual(['hold 10000']);
  });

  it('watches its hold even after the run was cancelled', async () => {
    const run = await fixture.start();
    await run.approve();
    await run.reaches('authorized');
    await fixture.temporal.workflow.getHandle(run.workflowId).cancel();
    await run.send(fullCapture());
    await run.reaches('captured');
    expect(await fixture.sandbox.booksOf(run.identity.paymentId)).toEqual(['hold 10000', 'capture 10000']);
  });

  it('expires when its payer never approves, and holds nothing', async () => {
    const run = await fixture.start({ approvalBy: Date.now() + 1_000 });
    await run.reaches('expired');
    expect(await fixture.sandbox.booksOf(run.identity.paymentId)).toEqual([]);
  });

  it('acts once on one command however often it is signalled, even across continue-as-new', async () => {
    const run = await fixture.start({}, { messagesPerRun: 2 });
    await run.approve();
    await run.reaches('authorized');
    const commandId = randomUUID();
    const capture = { type: 'captureRequested', commandId, minor: 4_000, final: false } as const;
    for (let times = 0; times < 5; times += 1) await run.send(capture, commandId);
    await run.reaches('partially_captured');
    // Messages enough for the run to continue as new more than once, the old command among them.
    for (let times = 0; times < 4; times += 1) {
      await run.send({ type: 'providerNotified', eventType: 'TEST' });
      await run.send(capture, commandId);
    }
    await run.send({ type: 'voidRequested', commandId: randomUUID() });
    await run.reaches('captured');
    expect(await fixture.sandbox.booksOf(run.identity.paymentId)).toEqual([
      'hold 10000',
      'capture 4000',
      'release 6000',
    ]);
    const history = await fixture.temporal.workflow.getHandle(run.workflowId).fetchHistory();
    const [started] = history.events ?? [];
    expect(started?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId).not.toBe('');
  });
});

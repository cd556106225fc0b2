import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { PaymentOrder } from '#workflows/lifecycle/payment';
import { activityOf } from '../helpers/event-names.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { type StartedRun, startRunFixture } from '../workflows/payment-run.js';

/** A step that moves money, and the workflow tasks in which it and the reads before it became part of the history. */
describe('a step that moves money', () => {
  const fixture = forAllTests(startRunFixture);
  // If a task is lost because the machine is slow, the run takes its end from the rows, and the step has no marker.
  const start = (order?: Partial<PaymentOrder>) =>
    fixture.start(order, {}, { workflowTaskTimeout: '2 minutes' });
  const hint = { type: 'providerNotified', eventType: 'PAYMENT.AUTHORIZATION.CREATED' } as const;
  let worker: Awaited<ReturnType<typeof fixture.startWorker>> | undefined;

  it('is begun only when the history has the read that shows the approval', async () => {
    const run = await start({ capturePolicy: { mode: 'automatic' } });
    const { state } = await run.reaches('awaiting_approval');
    await fixture.sandbox.approve(state.providerPaymentId ?? '');
    await run.reaches('captured');
    const tasks = await tasksOfActivities(run, 'executePayment');
    expect(tasks.get('executePayment')).toBeGreaterThan(tasks.get('takeEvent') ?? Infinity);
    expect(await fixture.sandbox.booksOf(run.identity.paymentId)).toEqual(['hold 10000', 'capture 10000']);
  });

  it('is begun only when the history has a read that was made for another message', async () => {
    const run = await start();
    await run.approve();
    await run.reaches('authorized');
    await sendTogether(run, hint, hint, { type: 'voidRequested', commandId: 'cmd_1' });
    await run.reaches('voided');
    const tasks = await tasksOfActivities(run, 'voidAuthorization');
    expect(tasks.get('voidAuthorization')).toBeGreaterThan(tasks.get('takeEvent') ?? Infinity);
  });

  it('is begun only when the history has the read that was repeated because a newer task had written', async () => {
    const run = await start();
    await run.approve();
    await run.reaches('authorized');
    const { paymentId } = run.identity;
    await sql`update payments set task_started_at = now() + interval '5 seconds' where id = ${paymentId}`.execute(
      fixture.db,
    );
    await sendTogether(run, hint, { type: 'voidRequested', commandId: 'cmd_2' });
    await run.reaches('voided');
    const tasks = await tasksOfActivities(run, 'voidAuthorization');
    expect(tasks.get('voidAuthorization')).toBeGreaterThan(tasks.get('takeEvent') ?? Infinity);
  });

  /** All of them reach the run in one task: its worker is away while they are sent. */
  async function sendTogether(
    run: StartedRun,
    ...events: Parameters<StartedRun['send']>[0][]
  ): Promise<void> {
    await (worker ?? fixture.worker).close();
    for (const event of events) await run.send(event);
    worker = await fixture.startWorker();
  }

  /**
   * The event that completed the task in which each kind of local activity last left its marker. The rows show a step
   * before its task is completed, so that its marker is awaited.
   */
  async function tasksOfActivities(run: StartedRun, step: string): Promise<Map<string, number>> {
    return await until(
      async () => await tasksInHistory(run),
      (tasks) => tasks.has(step),
      `the marker of ${step}`,
    );
  }

  async function tasksInHistory({ workflowId }: StartedRun): Promise<Map<string, number>> {
    const { events } = await fixture.temporal.workflow.getHandle(workflowId).fetchHistory();
    const tasks = new Map<string, number>();
    for (const event of events ?? []) {
      const activity = activityOf(event);
      if (activity === undefined) continue;
      tasks.set(activity, Number(event.markerRecordedEventAttributes?.workflowTaskCompletedEventId));
    }
    return tasks;
  }
});

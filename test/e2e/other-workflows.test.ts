import { randomBytes, randomUUID } from 'node:crypto';
import proto from '@temporalio/proto';
import { beforeEach, describe, expect, it } from 'vitest';
import { openMaintenance } from '#worker/maintenance-context.js';
import { reconcileRuns } from '#worker/reconciliation/reconcile-runs.js';
import { countUrgent } from '#database/console';
import { paymentWorkflowId, refundWorkflowType } from '#workflows/contract';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { configOfWorker } from '../helpers/worker.js';
import { authorizedPayment, paymentRow } from './payment-rows.js';

const codecKeys = { current: 'test', keys: new Map([['test', randomBytes(32)]]) };
const owner = { environment: 'sandbox', application: 'shop' };
const engine = forAllTests(() => startEngine({ codecKeys, reconciles: 'never' }));

/** A queue that no worker of the engine polls. */
const taskQueue = `of-somebody-else-${randomUUID()}`;
let id: string;
beforeEach(async () => {
  ({ id } = await authorizedPayment(engine));
  await handle().terminate('somebody');
});

const workflowId = () => paymentWorkflowId({ ...owner, paymentId: id });
const handle = () => engine.temporal.workflow.getHandle(workflowId());

async function startOther(type: string): Promise<void> {
  await engine.temporal.workflow.start(type, { workflowId: workflowId(), taskQueue });
}

/** @returns how many runs operators are told of. */
async function reconcile(): Promise<number> {
  // A subject that has just changed is looked at, too.
  const { databaseUrl, taskQueue: ours, application, apiUrl: publicUrl } = engine;
  const config = {
    ...configOfWorker({
      databaseUrl,
      taskQueue: ours,
      application,
      publicUrl,
      codecKeys,
      reconciles: 'never',
    }),
    RECONCILE_LOST_AFTER_MS: 1,
  };
  const { context, close } = openMaintenance(config, { workflowsPath: '' });
  try {
    await reconcileRuns(context, owner);
  } finally {
    await close();
  }
  return (await countUrgent(engine.db, [owner], { holdsWithinMs: 0 })).blocked.count;
}

async function isCapturedByItsRun(): Promise<void> {
  await engine.orders.reaches(id, 'captured');
  expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000']);
}

describe('a workflow that somebody has started under the id of a payment', () => {
  it('is told and ended, and the run continues with what was asked meanwhile', async () => {
    await startOther('foo');
    const captured = engine.orders.capture(id);
    await until(
      () => engine.db.selectFrom('commands').select('status').where('subject_id', '=', id).execute(),
      (commands) => commands.some(({ status }) => status === 'accepted'),
      'the accepted capture',
    );
    expect(await reconcile()).toBe(1);
    expect((await handle().describe()).status.name).toBe('TERMINATED');
    await reconcile();
    await captured;
    await isCapturedByItsRun();
    expect(await reconcile()).toBe(0);
  });

  it('does not pass for the end of the run if it has completed', async () => {
    await startOther('foo');
    await complete();
    expect(await reconcile()).toBe(0);
    await engine.orders.capture(id);
    await isCapturedByItsRun();
  });

  it('does not hide that the run itself has completed, and its row is from before', async () => {
    await reconcile();
    const { status, state } = await paymentRow(engine, id);
    await engine.orders.capture(id);
    await isCapturedByItsRun();
    await until(
      () =>
        engine.temporal.workflow.count(`WorkflowId = '${workflowId()}' AND ExecutionStatus = 'Completed'`),
      ({ count }) => count > 0,
      'the completed run',
    );
    await startOther('foo');
    await handle().terminate('somebody');
    // As a restore leaves it.
    const restored = { status, state: JSON.stringify(state) };
    await engine.db.updateTable('payments').set(restored).where('id', '=', id).execute();
    expect(await reconcile()).toBe(1);
    expect((await handle().describe()).type).toBe('foo');
    await engine.db.updateTable('payments').set({ status: 'captured' }).where('id', '=', id).execute();
  });

  it('is told and left if it is one of the engine’s', async () => {
    await startOther(refundWorkflowType);
    expect(await reconcile()).toBe(1);
    const { status, type } = await handle().describe();
    expect([status.name, type]).toEqual(['RUNNING', refundWorkflowType]);
    await handle().terminate('an operator');
    await reconcile();
    await engine.orders.capture(id);
    await isCapturedByItsRun();
  });
});

/** As a worker of somebody else. */
async function complete(): Promise<void> {
  const { workflowService } = engine.temporal;
  const { taskToken } = await engine.temporal.connection.withDeadline(Date.now() + 60_000, () =>
    workflowService.pollWorkflowTaskQueue({
      namespace: 'default',
      taskQueue: { name: taskQueue },
      identity: 'somebody',
    }),
  );
  await workflowService.respondWorkflowTaskCompleted({
    taskToken,
    identity: 'somebody',
    commands: [
      {
        commandType: proto.temporal.api.enums.v1.CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION,
        completeWorkflowExecutionCommandAttributes: {},
      },
    ],
  });
}

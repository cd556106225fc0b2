import { randomUUID } from 'node:crypto';
import { ScheduleNotFoundError } from '@temporalio/client';
import { expect, it } from 'vitest';
import { journalWebhookEvent } from '#database/events';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';

const engine = forAllTests(() => startEngine({ sweeps: 'often' }));

const sweep = () => engine.temporal.schedule.getHandle(`webhook-sweep/${engine.taskQueue}`);

const standing = async () => {
  try {
    return await sweep().describe();
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return undefined;
    throw error;
  }
};

/** As an API process leaves it that dies after its commit. */
async function leftBehind(): Promise<number> {
  const { id } = await journalWebhookEvent(engine.db, {
    environment: 'sandbox',
    application: 'shop',
    eventId: `WH-${randomUUID()}`,
    eventType: 'PAYMENT.AUTHORIZATION.VOIDED',
    resource: { kind: 'authorization', id: 'NOBODYS', state: 'voided' },
    resourceIds: ['NOBODYS'],
    payload: {},
  });
  return id;
}

async function isSwept(id: number, timeoutMs?: number): Promise<void> {
  await until(
    () =>
      engine.db.selectFrom('webhook_events').select('status').where('id', '=', id).executeTakeFirstOrThrow(),
    ({ status }) => status === 'parked',
    'the event to be swept up',
    timeoutMs,
  );
}

/** Takes the next sweep from Temporal, and is never heard of again. */
async function dieInTheMidstOfASweep(): Promise<void> {
  for (;;) {
    const { activityType } = await engine.temporal.withDeadline(Date.now() + 120_000, () =>
      engine.temporal.workflowService.pollActivityTaskQueue({
        namespace: 'default',
        taskQueue: { name: engine.taskQueue },
        identity: 'a worker that dies',
      }),
    );
    if (activityType?.name === 'sweepWebhooks') return;
  }
}

it('a sweep is repeated soon after its worker has died', async () => {
  await until(standing, (schedule) => schedule !== undefined, 'the schedule to stand');
  await dieInTheMidstOfASweep();
  await isSwept(await leftBehind(), 110_000);
});

it('a missing Schedule is created again while the worker runs', async () => {
  const gone = await until(standing, (schedule) => schedule !== undefined, 'the schedule to stand');
  await sweep().delete();
  const again = await until(
    standing,
    (schedule) => schedule !== undefined && schedule.info.createdAt > (gone?.info.createdAt ?? 0),
    'the schedule to stand again',
  );
  expect(again?.spec.intervals).toEqual(gone?.spec.intervals);
  await isSwept(await leftBehind());
});

it('a schedule that an operator has paused stays paused', async () => {
  await sweep().pause('being looked into');
  const before = (await standing())?.info.lastUpdatedAt;
  await engine.startWorker();
  const after = await until(
    standing,
    (schedule) => schedule?.info.lastUpdatedAt?.getTime() !== before?.getTime(),
    'the new worker to have seen to the schedule',
  );
  expect(after?.state).toMatchObject({ paused: true, note: 'being looked into' });
});

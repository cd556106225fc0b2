import { sql } from 'kysely';
import { until } from '../helpers/until.js';
import type { RunFixture, StartedRun } from './payment-run.js';
import { tasksOf } from './workflow-tasks.js';

/**
 * A payment one of whose polls took so long, for its rows could not be read, that the worker had to keep the workflow task
 * alive: the next poll was due before it ended. A replay takes that task for one that began with the last sign of life.
 */
export async function keptAlive(fixture: RunFixture): Promise<StartedRun> {
  const run = await fixture.start();
  await run.reaches('awaiting_approval');
  const handle = fixture.temporal.workflow.getHandle(run.workflowId);
  // A workflow task that leaves nothing, before the one that is kept alive: else no replay takes it for a later one.
  const hint = { type: 'providerNotified', eventType: 'TEST' } as const;
  for (const expected of [1, 2]) {
    const tasks = await tasksOf(handle);
    await run.forge(hint, 'hint');
    await until(
      () => tasksOf(handle),
      (seen) => seen > tasks,
      `hint ${expected} to be taken`,
    );
  }
  const { polls } = (await run.snapshot()).state;
  await fixture.db.transaction().execute(async (transaction) => {
    await sql`lock table payments in access exclusive mode`.execute(transaction);
    await until(
      () => signsOfLife(fixture, run),
      (seen) => seen > 0,
      'a workflow task to be kept alive',
    );
  });
  await until(
    () => run.snapshot(),
    ({ state }) => state.polls > polls + 1,
    'the polls after it',
  );
  return run;
}

/** Workflow tasks that have left nothing in the history, and are followed by another one. */
async function signsOfLife({ temporal }: RunFixture, { workflowId }: StartedRun): Promise<number> {
  const { events = [] } = await temporal.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).filter(
    (event, index) =>
      event.workflowTaskCompletedEventAttributes && events?.[index + 1]?.workflowTaskScheduledEventAttributes,
  ).length;
}

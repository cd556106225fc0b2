import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import proto from '@temporalio/proto';
import { afterAll, expect, inject, it } from 'vitest';
import { bundleWith } from '#proof/releases/generated-bundle.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { type StartedRun, startRunFixture } from './payment-run.js';

const fixture = forAllTests(startRunFixture);
const folder = mkdtempSync(join(tmpdir(), 'worker-versions-'));
afterAll(() => rmSync(folder, { recursive: true }));

const id = 'of a later release';
const { TASK_QUEUE_TYPE_WORKFLOW: taskQueueType } = proto.temporal.api.enums.v1.TaskQueueType;

type Route = (shown: proto.temporal.api.taskqueue.v1.ITaskQueueVersioningInfo) => boolean;

/** A deployment of Temporal, whose versions are today's release and one with a patch, which follows or begins it. */
function newDeployment() {
  const deploymentName = `payments-${randomBytes(6).toString('hex')}`;
  const workflowBundle = join(folder, `${deploymentName}.js`);
  const code = readFileSync(inject('workflowBundle'), 'utf8');
  writeFileSync(workflowBundle, bundleWith(code, [{ id, place: 'with each event' }]));
  const { workflowService } = fixture.temporal.connection;
  const at = { namespace: 'default', deploymentName, identity: 'test' };
  /**
   * Refused until the version's worker has polled; then it takes its time to reach the task queue. The deployment itself
   * may say for minutes that the change is in progress.
   */
  const route = async (change: () => Promise<unknown>, shown: Route): Promise<void> => {
    const refusal = (): Promise<unknown> =>
      change().then(
        () => undefined,
        (error: unknown) => String(error),
      );
    await until(refusal, (seen) => seen === undefined, 'a version that may be routed to');
    const { taskQueue } = fixture;
    await until(
      () =>
        workflowService.describeTaskQueue({
          namespace: 'default',
          taskQueue: { name: taskQueue },
          taskQueueType,
        }),
      ({ versioningInfo }) => shown(versioningInfo ?? {}),
      'a task queue that knows its route',
    );
  };
  return {
    startToday: () => fixture.startWorker({ version: { deploymentName, buildId: 'today' } }),
    startFollowing: () =>
      fixture.startWorker({
        version: { deploymentName, buildId: 'following' },
        workflowBundle,
        inactivePatches: [id],
      }),
    startBeginning: () =>
      fixture.startWorker({ version: { deploymentName, buildId: 'beginning' }, workflowBundle }),
    makeCurrent: (buildId: string) =>
      route(
        () => workflowService.setWorkerDeploymentCurrentVersion({ ...at, buildId }),
        ({ currentDeploymentVersion: current }) => current?.buildId === buildId,
      ),
    ramp: (buildId: string, percentage: number) =>
      route(
        () => workflowService.setWorkerDeploymentRampingVersion({ ...at, buildId, percentage }),
        ({ rampingVersionPercentage }) => rampingVersionPercentage === percentage,
      ),
  };
}

async function seenIn({ workflowId, identity }: StartedRun) {
  const { events } = await fixture.temporal.workflow.getHandle(workflowId).fetchHistory();
  const all = events ?? [];
  const tasks = all.flatMap((event) => event.workflowTaskCompletedEventAttributes ?? []);
  const failed = all.filter((event) => event.workflowTaskFailedEventAttributes).length;
  const scheduled = all.filter((event) => event.workflowTaskScheduledEventAttributes).length;
  const versions = tasks.map(({ deploymentVersion }) => deploymentVersion?.buildId ?? 'none');
  const { state } = await fixture.db
    .selectFrom('payments')
    .select('state')
    .where('id', '=', identity.paymentId)
    .executeTakeFirstOrThrow();
  return {
    /** Whose workers have carried out its tasks, one after the other. */
    versions: versions.filter((version, place) => version !== versions[place - 1]),
    begun: all.filter((event) => event.workflowPropertiesModifiedEventAttributes).length,
    failed,
    captures: state.captures.filter(({ status }) => status === 'completed').length,
    isIdle: scheduled === tasks.length + failed,
  };
}

/** Resolves when the run has taken the request in a task, which ends after the row is written. */
async function capturePart(run: StartedRun, id: string = randomUUID()): Promise<void> {
  const before = await seenIn(run);
  await run.send({ type: 'captureRequested', commandId: id, minor: 1_000, final: false }, id);
  await until(
    () => seenIn(run),
    ({ captures, isIdle }) => captures === before.captures + 1 && isIdle,
    'one capture more',
  );
}

/**
 * Resolves when a worker of that version has taken the run's last task. The root of the task queue, which `route` asks,
 * tells the other partitions and the queues of single workers later. A message that comes again is a task without effect.
 */
async function goesOnWith(version: string, run: StartedRun): Promise<void> {
  const id = randomUUID();
  await capturePart(run, id);
  await until(
    async () => {
      await run.forge({ type: 'captureRequested', commandId: id, minor: 1_000, final: false }, id);
      return await until(
        () => seenIn(run),
        ({ isIdle }) => isIdle,
        'a run without a task',
      );
    },
    ({ versions }) => versions.at(-1) === version,
    `a task taken by ${version}`,
  );
}

it('an open run goes on with the version that becomes current, and back, while the workers of all versions poll', async () => {
  const { startToday, startFollowing, startBeginning, makeCurrent, ramp } = newDeployment();
  const run = await fixture.start();
  await run.reaches('awaiting_approval');
  await Promise.all([startToday(), startFollowing(), startBeginning()]);
  await makeCurrent('today');
  await run.approve();
  await run.reaches('authorized');
  await goesOnWith('today', run);
  for (const version of ['following', 'today', 'following']) {
    await makeCurrent(version);
    await goesOnWith(version, run);
  }
  expect(await seenIn(run)).toMatchObject({
    versions: ['none', 'today', 'following', 'today', 'following'],
    begun: 0,
    failed: 0,
  });

  await ramp('beginning', 100);
  await goesOnWith('beginning', run);
  await ramp('beginning', 0);
  await goesOnWith('following', run);
  const { versions, begun, failed } = await seenIn(run);
  expect(versions.slice(4)).toEqual(['following', 'beginning', 'following']);
  expect(begun).toBe(1);
  // A worker that has the run in its cache remembers that it has not begun the patch. It replays the task once more.
  expect(failed).toBeLessThanOrEqual(1);
});

it('a release with a patch goes in one step, if the share of the new version only grows', async () => {
  const { startToday, startBeginning, makeCurrent, ramp } = newDeployment();
  await Promise.all([startToday(), startBeginning()]);
  await makeCurrent('today');
  const runs = await Promise.all(Array.from({ length: 6 }, () => fixture.start()));
  const all = (act: (run: StartedRun) => Promise<unknown>): Promise<unknown> => Promise.all(runs.map(act));
  await all((run) => run.approve());
  await all((run) => run.reaches('authorized'));
  for (const percentage of [50, 80, 100]) {
    await ramp('beginning', percentage);
    await all((run) => capturePart(run));
  }
  await all((run) => goesOnWith('beginning', run));
  for (const run of runs) {
    const { versions, ...seen } = await seenIn(run);
    expect(versions.filter((version) => version !== 'none')).toEqual(['today', 'beginning']);
    expect(seen).toMatchObject({ begun: 1, failed: 0 });
  }
});

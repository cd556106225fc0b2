import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { BlockedRuns } from '#worker/reconciliation/blocked-runs.js';
import { replayBy } from '#worker/reconciliation/replay.js';
import { Runs } from '#runs/runs.js';
import { paymentSubject } from '#workflows/contract/payment.js';
import { TcpProxy } from '../api/tcp-proxy.js';
import { until } from '../helpers/until.js';
import { type RunFixture, type StartedRun, startRunFixture } from './payment-run.js';

let proxy: TcpProxy;
let fixture: RunFixture;
let blocked: BlockedRuns;
let runs: Runs;
beforeAll(async () => {
  const [host, port] = inject('temporalAddress').split(':');
  proxy = await TcpProxy.to(host ?? '', Number(port));
  const codecKeys = { current: 'test', keys: new Map([['test', randomBytes(32)]]) };
  const temporalAddress = `127.0.0.1:${proxy.port}`;
  fixture = await startRunFixture({ approval: 'immediate', codecKeys, temporalAddress });
  const code = { workflowBundle: { codePath: inject('workflowBundle') } };
  blocked = new BlockedRuns(fixture.temporal, 60_000, replayBy(code, codecKeys));
  runs = new Runs(fixture.temporal, { taskQueue: '', deadlineMs: 60_000 });
});
afterAll(async () => {
  await fixture.close();
  proxy.close();
});

/**
 * A worker that gets a task late gives its sign of life late: the server hands the task out again, and to the same
 * worker, which goes on in the middle of a step (`Trying to send a new WFT for a run which already has one!`) with messages
 * that, by the history, came before that step.
 */
it('a run whose task timed out within a step, with messages since, is found blocked and goes on', async () => {
  const run = await fixture.start();
  await run.reaches('authorized');
  const hint = { type: 'providerNotified', eventType: 'TEST' } as const;
  await fixture.db.transaction().execute(async (transaction) => {
    await sql`lock table payments in access exclusive mode`.execute(transaction);
    proxy.holdAnswers();
    await run.forge(hint, 'one');
    await isHandedOut(run);
    // So late that the worker's sign of life, eight seconds from then, comes after the server's ten.
    await wait(7_000);
    proxy.letAnswersGo();
    await run.forge(hint, 'two');
    await run.forge(hint, 'three');
    await hasTimedOut(run, 1);
    await isHandedOut(run);
  });
  await until(
    () => run.snapshot(),
    ({ waitingMessages }) => waitingMessages === 0,
    'every message to be taken',
  );

  // The task that is handed out now times out with the worker that has it; another one finds it later.
  proxy.holdAnswers();
  await run.send({ type: 'captureRequested', commandId: 'cmd_1' });
  await isHandedOut(run);
  proxy.refuse();
  await hasTimedOut(run, 2);
  await fixture.startWorker();
  await until(
    () => runs.standingOf(paymentSubject(run.identity)),
    ({ kind }) => kind === 'failing',
    'failing tasks',
  );
  expect(await blocked.unblock(paymentSubject(run.identity))).toBe('takenBack');
  await run.reaches('captured');
  expect(await fixture.sandbox.booksOf(run.identity.paymentId)).toEqual(['hold 10000', 'capture 10000']);
});

const handleOf = ({ workflowId }: StartedRun) => fixture.temporal.workflow.getHandle(workflowId);

async function isHandedOut(run: StartedRun): Promise<void> {
  await until(
    async () => (await handleOf(run).describe()).raw.pendingWorkflowTask?.startedTime,
    (startedTime) => startedTime !== undefined && startedTime !== null,
    'the task to be handed out',
  );
}

async function hasTimedOut(run: StartedRun, times: number): Promise<void> {
  await until(
    async () => (await handleOf(run).fetchHistory()).events ?? [],
    (events) => events.filter((event) => event.workflowTaskTimedOutEventAttributes).length >= times,
    'the task to time out',
  );
}

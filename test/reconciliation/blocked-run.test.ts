import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { paymentSubject } from '#workflows/contract';
import type { RunningWorker } from '#worker/worker.js';
import { replayBy } from '#worker/blocked-runs/replay.js';
import { BlockedRuns } from '#worker/blocked-runs/blocked-runs.js';
import { Runs } from '#runs';
import { TcpProxy } from '../api/tcp-proxy.js';
import { until } from '../helpers/until.js';
import { taskIsHandedOut, taskTimesOut, tasksOf } from '../workflows/workflow-tasks.js';
import {
  type RunFixture,
  type StartedRun,
  randomCodecKeys,
  startRunFixture,
} from '../workflows/payment-run.js';

describe('a run whose last workflow task no worker can complete', () => {
  const folder = mkdtempSync(join(tmpdir(), 'blocked-run-'));
  let fixture: RunFixture;
  let runs: Runs;
  let blocked: BlockedRuns;
  let worker: RunningWorker;
  let proxy: TcpProxy;
  beforeAll(async () => {
    const codecKeys = randomCodecKeys();
    proxy = await TcpProxy.before(inject('temporalAddress'));
    fixture = await startRunFixture({ approval: 'immediate', codecKeys });
    ({ worker } = fixture);
    runs = new Runs(fixture.temporal, { taskQueue: '', deadlineMs: 60_000 });
    blocked = new BlockedRuns(
      fixture.temporal,
      60_000,
      replayBy({ workflowBundle: { codePath: inject('workflowBundle') } }, codecKeys),
    );
  });
  afterAll(async () => {
    await fixture.close();
    proxy.close();
    rmSync(folder, { recursive: true });
  });

  /** A worker that waits where a run takes an event. */
  function bundleThatWaits(): string {
    const code = readFileSync(inject('workflowBundle'), 'utf8');
    const waiting = code.replaceAll(
      'const expected = taken(',
      'await (0,_temporalio_workflow__WEBPACK_IMPORTED_MODULE_0__.sleep)(600000);const expected = taken(',
    );
    expect(waiting).not.toBe(code);
    const file = join(folder, 'bundle.js');
    writeFileSync(file, waiting);
    return file;
  }

  it('case 17: is reset to before that task and continues, with the signals that it got since', async () => {
    const run = await blockedRun();
    const request = { type: 'captureRequested', commandId: 'cmd_1' } as const;
    for (let sent = 0; sent < 220; sent += 1) await run.send(request);
    // As a caller who repeats the request: with each signal Temporal begins another task.
    await isFailing(run, () => run.send(request));
    expect(await blocked.unblock(paymentSubject(run.identity))).toBe('takenBack');
    await run.reaches('captured');
    expect(await fixture.sandbox.booksOf(run.identity.paymentId)).toEqual(['hold 10000', 'capture 10000']);
  });

  it('is found by a replay when its tasks time out: a disagreement is reported only once', async () => {
    const run = await blockedRun();
    await fixture.startWorker({ temporalAddress: `127.0.0.1:${proxy.port}` });
    // It polls.
    await (await fixture.start()).reaches('authorized');
    proxy.holdAnswers();
    await hint(run);
    await taskIsHandedOut(handleOf(run));
    proxy.refuse();
    await taskTimesOut(handleOf(run));
    await isFailing(run);
    expect(await blocked.unblock(paymentSubject(run.identity))).toBe('takenBack');
    await run.send({ type: 'captureRequested', commandId: 'cmd_2' });
    await run.reaches('captured');
    expect(await fixture.sandbox.booksOf(run.identity.paymentId)).toEqual(['hold 10000', 'capture 10000']);
  });

  it('is ended when the reset did not help, so that another run can continue from the rows', async () => {
    // To take back the last one of them is not enough.
    const run = await blockedRun({ tasks: 2 });
    const subject = paymentSubject(run.identity);
    await hint(run);
    await isFailing(run);
    expect(await blocked.unblock(subject)).toBe('takenBack');
    await isFailing(run);
    expect(await blocked.unblock(subject)).toBe('ended');
    expect(await runs.statusOf(subject)).toMatchObject({ kind: 'gone' });
  });

  it('is left alone while it makes progress', async () => {
    const run = await fixture.start();
    await run.reaches('authorized');
    expect(await runs.statusOf(paymentSubject(run.identity))).toEqual({ kind: 'alive' });
    expect(await blocked.unblock(paymentSubject(run.identity))).toBeUndefined();
  });

  /** @param tasks how many of its last ones the worker that has it now would make otherwise. */
  async function blockedRun({ tasks = 1 } = {}): Promise<StartedRun> {
    const run = await fixture.start();
    await run.reaches('authorized');
    await worker.close();
    const other = await fixture.startWorker({ workflowBundle: bundleThatWaits() });
    for (let task = 1; task <= tasks; task += 1) {
      const before = await tasksOf(handleOf(run));
      await hint(run);
      await until(
        () => tasksOf(handleOf(run)),
        (seen) => seen > before,
        `task ${task} that is not to be made again`,
      );
    }
    await other.close();
    return run;
  }

  const handleOf = ({ workflowId }: StartedRun) => fixture.temporal.workflow.getHandle(workflowId);

  /** Once a worker finds it so. */
  async function isFailing({ identity }: StartedRun, meanwhile = async () => {}): Promise<void> {
    worker = await fixture.startWorker();
    await until(
      () => meanwhile().then(() => runs.statusOf(paymentSubject(identity))),
      ({ kind }) => kind === 'failing',
      'failing tasks',
    );
  }
});

const hint = (run: StartedRun) => run.send({ type: 'providerNotified', eventType: 'TEST' });

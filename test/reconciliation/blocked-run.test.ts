import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { paymentSubject } from '#workflows/contract/payment.js';
import type { Subject } from '#workflows/contract/subject.js';
import { BlockedRuns } from '#runs/blocked-runs.js';
import { Runs } from '#runs/runs.js';
import { until } from '../helpers/until.js';
import { keptAlive } from '../workflows/kept-alive.js';
import { type RunFixture, startRunFixture } from '../workflows/payment-run.js';

describe('a run whose last workflow task no worker can make again', () => {
  const folder = mkdtempSync(join(tmpdir(), 'blocked-run-'));
  let fixture: RunFixture;
  let runs: Runs;
  let blocked: BlockedRuns;
  beforeAll(async () => {
    fixture = await startRunFixture({ approval: 'immediate' });
    runs = new Runs(fixture.temporal, { taskQueue: '', deadlineMs: 60_000 });
    blocked = new BlockedRuns(fixture.temporal, 60_000);
  });
  afterAll(async () => {
    await fixture.close();
    rmSync(folder, { recursive: true });
  });

  /** A worker that waits where the workflow reads the payment. */
  function bundleThatWaits(): string {
    const code = readFileSync(inject('workflowBundle'), 'utf8');
    const waiting = code.replaceAll(
      'activities.observePayment(step)',
      '(0,_temporalio_workflow__WEBPACK_IMPORTED_MODULE_0__.sleep)(600000)',
    );
    expect(waiting).not.toBe(code);
    const file = join(folder, 'bundle.js');
    writeFileSync(file, waiting);
    return file;
  }

  it('case 17: is taken back by that task and goes on, with what it was told since', async () => {
    const run = await fixture.start();
    await run.reaches('authorized');
    await fixture.worker.close();
    const other = await fixture.startWorker(bundleThatWaits());
    await run.send({ type: 'providerNotified', eventType: 'PAYMENT.AUTHORIZATION.CREATED' });
    await until(
      () => timersOf(run.workflowId),
      (timers) => timers > 1,
      'the task that is not to be made again',
    );
    await other.close();

    await run.send({ type: 'captureRequested', commandId: 'cmd_1' });
    await fixture.startWorker();
    await until(
      () => runs.standingOf(paymentSubject(run.identity)),
      ({ kind }) => kind === 'failing',
      'failing tasks',
    );
    expect(await blocked.takeBack(paymentSubject(run.identity))).toBe(true);
    await run.reaches('captured');
    expect(await fixture.sandbox.booksOf(run.identity.paymentId)).toEqual(['hold 10000', 'capture 10000']);
  });

  it('is left alone while it gets on', async () => {
    const run = await fixture.start();
    await run.reaches('authorized');
    expect(await runs.standingOf(paymentSubject(run.identity))).toEqual({ kind: 'alive' });
    expect(await blocked.takeBack(paymentSubject(run.identity))).toBe(false);
    expect(await blocked.giveUp(paymentSubject(run.identity))).toBe(false);
  });

  async function timersOf(workflowId: string): Promise<number> {
    const { events } = await fixture.temporal.workflow.getHandle(workflowId).fetchHistory();
    return (events ?? []).filter(({ timerStartedEventAttributes }) => timerStartedEventAttributes).length;
  }
});

describe('a run that was taken back in vain', () => {
  let fixture: RunFixture;
  let runs: Runs;
  let blocked: BlockedRuns;
  beforeAll(async () => {
    fixture = await startRunFixture({});
    runs = new Runs(fixture.temporal, { taskQueue: '', deadlineMs: 60_000 });
    blocked = new BlockedRuns(fixture.temporal, 60_000);
  });
  afterAll(() => fixture.close());

  it('is ended, so that another one can go on from the rows', async () => {
    const run = await keptAlive(fixture, false);
    const subject = paymentSubject(run.identity);
    // More tasks after it: to take back the last one is not enough.
    const { polls } = (await run.snapshot()).state;
    await until(
      () => run.snapshot(),
      ({ state }) => state.polls > polls + 1,
      'two more polls',
    );
    await fixture.worker.close();
    await fixture.startWorker();
    await run.forge({ type: 'providerNotified', eventType: 'TEST' });
    await isFailing(subject);
    expect(await blocked.giveUp(subject)).toBe(false);
    expect(await blocked.takeBack(subject)).toBe(true);
    await isFailing(subject);
    expect(await blocked.takeBack(subject)).toBe(false);
    expect(await blocked.giveUp(subject)).toBe(true);
    expect(await runs.standingOf(subject)).toMatchObject({ kind: 'gone' });
  });

  const isFailing = (subject: Subject) =>
    until(
      () => runs.standingOf(subject),
      ({ kind }) => kind === 'failing',
      'failing tasks',
    );
});

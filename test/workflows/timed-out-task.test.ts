import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { TcpProxy } from '../api/tcp-proxy.js';
import { until } from '../helpers/until.js';
import { taskIsHandedOut, taskTimesOut } from './workflow-tasks.js';
import { type RunFixture, type StartedRun, startRunFixture } from './payment-run.js';

let proxy: TcpProxy;
let fixture: RunFixture;
const open = async (approval: 'immediate' | 'payer') => {
  proxy = await TcpProxy.before(inject('temporalAddress'));
  fixture = await startRunFixture({ approval, temporalAddress: `127.0.0.1:${proxy.port}` });
};
const close = async () => {
  await fixture.close();
  proxy.close();
};

/**
 * A worker that gets a task late gives its sign of life late: the server hands the task out again, and to the same
 * worker, which goes on in the middle of a step (`Trying to send a new WFT for a run which already has one!`) with messages
 * that, by the history, came before that step.
 */
async function timesOutWithinStep(
  run: StartedRun,
  { cause, meanwhile }: Readonly<Record<'cause' | 'meanwhile', () => Promise<void>>>,
): Promise<void> {
  const handle = fixture.temporal.workflow.getHandle(run.workflowId);
  await fixture.db.transaction().execute(async (transaction) => {
    await sql`lock table payments in access exclusive mode`.execute(transaction);
    proxy.holdAnswers();
    await cause();
    await taskIsHandedOut(handle);
    // So late that the worker's sign of life, eight seconds from then, comes after the server's ten.
    await wait(7_000);
    proxy.letAnswersGo();
    await meanwhile();
    await taskTimesOut(handle);
    await taskIsHandedOut(handle);
  });
  await until(
    () => run.snapshot(),
    ({ waitingMessages }) => waitingMessages === 0,
    'every message to be taken',
  );
}

async function anotherWorker(): Promise<void> {
  await fixture.worker.close();
  await fixture.startWorker();
}

describe('a run whose task timed out while it read', () => {
  beforeAll(() => open('immediate'));
  afterAll(close);

  it('and that has received more messages, continues on another worker', async () => {
    const run = await fixture.start();
    await run.reaches('authorized');
    const hint = { type: 'providerNotified', eventType: 'TEST' } as const;
    await timesOutWithinStep(run, {
      cause: () => run.forge(hint),
      meanwhile: async () => {
        await run.forge(hint);
        await run.forge(hint);
      },
    });
    await anotherWorker();
    await run.send({ type: 'captureRequested', commandId: 'cmd_1' });
    await run.reaches('captured');
    expect(await fixture.sandbox.booksOf(run.identity.paymentId)).toEqual(['hold 10000', 'capture 10000']);
  });
});

describe('a run whose task timed out while it polled', () => {
  beforeAll(() => open('payer'));
  afterAll(close);

  it('and whose payer has returned in between, continues on another worker', async () => {
    const run = await fixture.start();
    await run.reaches('awaiting_approval');
    await timesOutWithinStep(run, {
      // The next poll.
      cause: async () => undefined,
      // Before the provider knows: to be taken as approved would be told otherwise by the poll.
      meanwhile: () => run.forge({ type: 'payerApproved', payerId: 'TOO-EARLY' }),
    });
    await anotherWorker();
    await run.approve();
    await run.reaches('authorized');
    expect(await fixture.sandbox.booksOf(run.identity.paymentId)).toEqual(['hold 10000']);
  });
});

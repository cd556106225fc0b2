import { sql } from 'kysely';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { findPayment } from '#database/subjects';
import { listTimeline } from '#database/transitions';
import type { Position } from '#workflows/lifecycle/payment/lifecycle.js';
import type { PaymentEvent } from '#workflows/lifecycle/payment';
import { openStage, type Stage, type StageWorker } from './dying-worker.js';

const patiently = { timeout: 300_000, interval: 50 };

describe('a worker whose task timed out during its call', () => {
  let stage: Stage;
  afterEach(() => {
    vi.useRealTimers();
    return stage.close();
  });

  const capture = { type: 'captureRequested', commandId: 'cmd_1' } as const;

  async function held(worker: StageWorker): Promise<Position> {
    const created = await worker.follow(stage.ordered, {
      type: 'perform',
      step: { type: 'createPayment' },
    });
    await stage.sandbox.approve(created.state.providerPaymentId ?? '');
    return await worker.take(created, { type: 'pollCameDue' });
  }

  const rows = async () => {
    const row = await findPayment(stage.db, stage.identity);
    return { status: row?.status, version: row?.version, openStep: row?.state.openStep };
  };

  /** Its attempt waits for a lock. */
  const isHeldUp = async () => {
    const waiting = await sql`select 1 from pg_locks join pg_stat_activity using (pid)
      where not granted and datname = current_database()`.execute(stage.db);
    return waiting.rows.length > 0;
  };

  it('answers for the payment, and the rows end where the run ends', async () => {
    stage = await openStage();
    const given = stage.hireWorker();
    const authorized = await held(given);
    await stage.sandbox.fault({
      operation: 'authorization.capture',
      kind: 'late',
      // Until then a starved machine has looked.
      executeAfterMs: 10_000,
      delayMs: 10_000,
    });
    const late = given.take(authorized, capture);
    await vi.waitUntil(async () => (await rows()).status === 'capturing', patiently);

    // The run goes on elsewhere: a look comes too early to show anything.
    const second = stage.hireWorker();
    const inDoubt = await second.take(authorized, capture);
    const looked = await second.take(inDoubt, { type: 'stepCameDue' });
    expect(looked.state.openStep).toMatchObject({ phase: 'doubt', looks: 1 });

    expect((await late).state.status).toBe('captured');
    const ended = await second.take(looked, { type: 'stepCameDue' });
    expect(ended.state.status).toBe('captured');
    expect(await rows()).toEqual({ status: 'captured', version: ended.version, openStep: undefined });
    const last = (await listTimeline(stage.db, stage.identity.paymentId)).at(-1);
    expect(last).toMatchObject({ to_status: 'captured' });
  });

  it('signals the run, which would otherwise look it up much later', async () => {
    stage = await openStage();
    const given = stage.hireWorker(Date.now());
    const authorized = await held(given);
    await stage.sandbox.fault({
      operation: 'authorization.capture',
      kind: 'late',
      executeAfterMs: 10_000,
      delayMs: 10_000,
    });
    const late = given.take(authorized, capture);
    await vi.waitUntil(async () => (await rows()).status === 'capturing', patiently);

    const second = stage.hireWorker(Date.now() + 60_000);
    const inDoubt = await second.take(authorized, capture);
    expect(inDoubt.state.openStep?.phase).toBe('doubt');
    expect(given.reported).toEqual([]);

    await late;
    expect((await rows()).openStep).toMatchObject({ phase: 'doubt' });
    expect(second.reported).toEqual([]);
    const [message] = given.reported;
    expect(given.reported).toMatchObject([{ event: { type: 'providerNotified', eventType: 'LATE_ANSWER' } }]);
    // Its answer needs no look at the provider, which cannot be read.
    await stage.sandbox.fault({ operation: 'payment.get', kind: 'status', status: 503, times: null });
    const ended = await second.take(inDoubt, message?.event as PaymentEvent);
    expect(ended.state.status).toBe('captured');
    expect((await rows()).status).toBe('captured');
  });

  it('does not undo in the rows an end that it has proved itself', async () => {
    stage = await openStage();
    const given = stage.hireWorker();
    const authorized = await held(given);
    await stage.sandbox.fault({ operation: 'authorization.capture', kind: 'drop_reply' });
    const inDoubt = await given.take(authorized, capture);
    expect(inDoubt.state.openStep?.phase).toBe('doubt');
    await given.take(inDoubt, { type: 'stepCameDue' });
    expect((await rows()).status).toBe('captured');

    // Whoever looks next from the older position cannot read, and needs not to.
    await stage.sandbox.fault({ operation: 'payment.get', kind: 'status', status: 503, times: null });
    const second = stage.hireWorker();
    const ended = await second.take(inDoubt, { type: 'stepCameDue' });
    expect(ended.state.status).toBe('captured');
    expect((await rows()).status).toBe('captured');
  });

  it('has priority over a lookup that was under way and found nothing', async () => {
    stage = await openStage();
    const given = stage.hireWorker();
    const authorized = await held(given);
    await stage.sandbox.fault({ operation: 'authorization.capture', kind: 'drop_reply' });
    const inDoubt = await given.take(authorized, capture);
    const event = {
      type: 'captureAnswered',
      capture: { captureId: 'CAP-1', minor: 10_000, status: 'completed', final: true, commandId: 'cmd_1' },
    };
    const answer = await stage.db.startTransaction().execute();
    await answer
      .updateTable('attempts')
      .set({ outcome: 'answered', event: JSON.stringify(event), settled_at: new Date() })
      .where('subject_id', '=', stage.identity.paymentId)
      .where('step_name', '=', 'cmd_1')
      .execute();
    // The look has found the attempt in doubt, and the answer comes in before what it has seen is written.
    await stage.sandbox.fault({ operation: 'payment.get', kind: 'status', status: 503, times: null });
    const looking = stage.hireWorker().take(inDoubt, { type: 'stepCameDue' });
    await vi.waitUntil(isHeldUp, patiently);
    await answer.commit().execute();
    expect((await looking).state).toMatchObject({ status: 'captured', captures: [{ captureId: 'CAP-1' }] });
  });

  it('sends nothing after the time in which it may send', async () => {
    stage = await openStage();
    const given = stage.hireWorker();
    const authorized = await held(given);
    const lock = await stage.db.startTransaction().execute();
    await lock
      .selectFrom('payments')
      .select('id')
      .where('id', '=', stage.identity.paymentId)
      .forUpdate()
      .execute();
    const late = given.take(authorized, capture);
    await vi.waitUntil(isHeldUp, patiently);
    // The process is stopped for an hour between the commit of its attempt and the call.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
    await lock.rollback().execute();
    const position = await late;
    expect(await stage.books()).toEqual(['hold 10000']);
    expect(position.state.openStep?.phase).not.toBe('running');
  });
});

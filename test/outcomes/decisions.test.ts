import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import type { Position } from '#workflows/lifecycle/payment/lifecycle.js';
import type { StepEvent } from '#workflows/lifecycle/step';
import { openStage, type Stage } from '../faults/dying-worker.js';
import { until } from '../helpers/until.js';
import {
  afterHorizon,
  blind,
  capture,
  commandOf,
  decided,
  failed,
  impatient,
  lost,
  referenceLost,
  underReview,
} from './decided-steps.js';
import { held, identitiesOf, liveUntil } from './live-on.js';

let stage: Stage;
afterEach(() => stage.close());

async function captureIdAtProvider(): Promise<string> {
  const movements = await stage.sandbox.movementsOf(stage.identity.paymentId);
  return movements.find(({ kind }) => kind === 'capture')?.captureId ?? '';
}

/** A late worker puts on record what has become of the step in doubt. */
async function settleElsewhere(outcome: 'undone' | 'deferred', event: StepEvent): Promise<void> {
  await stage.db
    .updateTable('attempts')
    .set({ outcome, event: JSON.stringify(event), settled_at: new Date() })
    .where('subject_id', '=', stage.identity.paymentId)
    .where('outcome', '=', 'unknown')
    .execute();
}

/** The decision has ended the capture, of which nothing but the first attempt was ever sent. */
async function expectGivenUp({ state }: Position, decision: { readonly commandId: string }): Promise<void> {
  expect(state).toMatchObject({ status: 'authorized' });
  expect(await commandOf(stage, 'cmd_1')).toMatchObject({
    status: 'failed',
    result: { code: 'decided_undone' },
  });
  expect(await commandOf(stage, decision.commandId)).toMatchObject({ status: 'succeeded' });
  expect(await identitiesOf(stage, 'captureAuthorization')).toHaveLength(1);
  expect(await stage.books()).toEqual(['hold 10000']);
}

/** Whoever waits for a lock. */
async function heldUp(): Promise<unknown[]> {
  const waiting = await sql`select 1 from pg_locks join pg_stat_activity using (pid)
    where not granted and datname = current_database()`.execute(stage.db);
  return waiting.rows;
}

describe('a decision that a step did not happen', () => {
  it('is refused while the provider may still carry it out, or cannot be asked, and changes nothing', async () => {
    stage = await openStage({
      patience: { ...impatient.patience, outcomeHorizonMs: 8_000, firstLookMs: 100 },
    });
    const worker = stage.hireWorker();
    const position = await underReview(stage, worker, capture, [failed, ...blind]);
    const early = decided({ decision: 'did_not_happen', isUnverified: true });
    expect((await worker.take(position, early)).state).toEqual(position.state);
    expect(await commandOf(stage, early.commandId)).toMatchObject({
      status: 'refused',
      result: { code: 'too_early' },
    });

    await afterHorizon(position);
    const unchecked = decided({ decision: 'did_not_happen' });
    expect((await worker.take(position, unchecked)).state).toEqual(position.state);
    expect(await commandOf(stage, unchecked.commandId)).toMatchObject({
      result: { code: 'cannot_be_verified' },
    });
  });

  it('stays refused if the worker that refused it loses its task, whatever the provider shows then', async () => {
    stage = await openStage(impatient);
    const worker = stage.hireWorker();
    const position = await underReview(stage, worker, capture, [failed, ...blind]);
    await afterHorizon(position);
    const unchecked = decided({ decision: 'did_not_happen' });
    await worker.take(position, unchecked);
    await stage.sandbox.clearFaults();
    expect((await stage.hireWorker().take(position, unchecked)).state).toEqual(position.state);
    expect(await commandOf(stage, unchecked.commandId)).toMatchObject({
      result: { code: 'cannot_be_verified' },
    });
  });

  it('gives the step up, and sends nothing, when an operator answers for a provider that cannot be read', async () => {
    stage = await openStage(impatient);
    const worker = stage.hireWorker();
    const position = await underReview(stage, worker, capture, [failed, ...blind]);
    await afterHorizon(position);
    const decision = decided({ decision: 'did_not_happen', isUnverified: true });
    await expectGivenUp(await worker.take(position, decision), decision);
  });

  it('ends a step that a late worker has recorded as not executed, and sends nothing', async () => {
    stage = await openStage(impatient);
    const worker = stage.hireWorker();
    const position = await underReview(stage, worker, capture, [failed, ...blind]);
    await settleElsewhere('undone', { type: 'stepProvedUndone' });
    const decision = decided({ decision: 'did_not_happen' });
    await expectGivenUp(await worker.take(position, decision), decision);
  });

  it('never overrules what the provider shows', async () => {
    stage = await openStage(impatient);
    const worker = stage.hireWorker();
    const unseenOnce = { operation: 'payment.get', kind: 'status', status: 404, times: 1 };
    const position = await underReview(stage, worker, capture, [lost, unseenOnce]);
    const decision = decided({ decision: 'did_not_happen', isUnverified: true });
    const contradicted = await worker.take(position, decision);
    expect(contradicted.state).toEqual(position.state);
    expect(await commandOf(stage, decision.commandId)).toMatchObject({
      status: 'refused',
      result: { code: 'contradicted_by_provider' },
    });
    expect((await liveUntil(worker, contradicted, 'partially_captured')).state.captures).toHaveLength(1);
    expect(await stage.books()).toEqual(['hold 10000', 'capture 4000']);
  });

  it('does not call a payment declined whose hold may exist, whatever an operator says', async () => {
    stage = await openStage(impatient);
    const worker = stage.hireWorker();
    await stage.sandbox.fault({ operation: 'payment.create', kind: 'drop_reply' });
    await stage.sandbox.fault({ operation: 'payment.list', kind: 'status', status: 503, times: null });
    const created = await worker.follow(stage.ordered, { type: 'perform', step: { type: 'createPayment' } });
    const position = await liveUntil(worker, created, 'needs_review');
    await afterHorizon(position);
    const decision = decided({ decision: 'did_not_happen', isUnverified: true });
    expect((await worker.take(position, decision)).state).toEqual(position.state);
    expect(await commandOf(stage, decision.commandId)).toMatchObject({
      result: { code: 'cannot_be_verified' },
    });
  });
});

describe('a decision that a step happened', () => {
  it('is taken with the capture that an operator names, once the provider shows that it is this one', async () => {
    stage = await openStage({ patience: { ...impatient.patience, outcomeHorizonMs: 60_000 } });
    const worker = stage.hireWorker();
    const position = await underReview(stage, worker, capture, [lost, referenceLost]);
    const captureId = await captureIdAtProvider();
    const wrong = decided({ resourceId: 'CAP-UNKNOWN' });
    expect((await worker.take(position, wrong)).state).toEqual(position.state);
    expect(await commandOf(stage, wrong.commandId)).toMatchObject({
      result: { code: 'contradicted_by_provider' },
    });

    const taken = await worker.take(position, decided({ resourceId: captureId }));
    expect(taken.state).toMatchObject({
      status: 'partially_captured',
      captures: [{ captureId, commandId: 'cmd_1', minor: 4_000, status: 'completed' }],
    });
    expect(await commandOf(stage, 'cmd_1')).toMatchObject({ status: 'succeeded', result: { captureId } });
    expect(await stage.books()).toEqual(['hold 10000', 'capture 4000']);
  });

  it('is refused for a capture that is recorded as another one, even if it cannot be checked', async () => {
    stage = await openStage(impatient);
    const worker = stage.hireWorker();
    const once = await worker.take(await held(stage, worker), capture);
    const another = { ...capture, commandId: 'cmd_2', minor: 5_000 };
    const position = await underReview(stage, worker, another, [lost, ...blind], once);
    const decision = decided({ resourceId: once.state.captures[0]?.captureId ?? '', isUnverified: true });
    expect((await worker.take(position, decision)).state).toEqual(position.state);
    expect(await commandOf(stage, decision.commandId)).toMatchObject({ status: 'refused' });
  });

  it('is corrected by the actual capture if an operator’s unverified id was wrong', async () => {
    stage = await openStage(impatient);
    const worker = stage.hireWorker();
    const position = await underReview(stage, worker, capture, [lost, ...blind]);
    const decision = decided({ resourceId: 'CAP-MISTYPED', isUnverified: true });
    const onWord = await worker.take(position, decision);
    expect(onWord.state).toMatchObject({ captures: [{ captureId: 'CAP-MISTYPED' }] });
    await stage.sandbox.clearFaults();
    const hint = { type: 'providerNotified', eventType: 'PAYMENT.CAPTURE.COMPLETED' } as const;
    const { state } = await worker.take(onWord, hint);
    const captureId = await captureIdAtProvider();
    expect(state.captures).toMatchObject([{ captureId, commandId: 'cmd_1', minor: 4_000 }]);
  });

  it('is refused when the step is proved undone while the decision is checked at the provider', async () => {
    stage = await openStage(impatient);
    const worker = stage.hireWorker();
    const position = await underReview(stage, worker, capture, [lost, ...blind]);
    const decision = decided({ resourceId: 'CAP-UNSEEN', isUnverified: true });
    // The decision is held against what was committed before: it waits where it would write.
    const settling = await stage.db.startTransaction().execute();
    await settling
      .updateTable('attempts')
      .set({
        outcome: 'deferred',
        event: JSON.stringify({ type: 'stepDeferred', retryAt: Date.now() + 60_000 }),
        settled_at: new Date(),
      })
      .where('subject_id', '=', stage.identity.paymentId)
      .where('outcome', '=', 'unknown')
      .execute();
    const taken = worker.take(position, decision);
    await until(heldUp, ({ length }) => length > 0, 'the decision to be written');
    await settling.commit().execute();
    await taken;
    expect(await commandOf(stage, decision.commandId)).toMatchObject({
      status: 'refused',
      result: { code: 'contradicted_by_provider' },
    });
  });

  it('is refused for a void that the provider shows as not done', async () => {
    stage = await openStage({ patience: { ...impatient.patience, outcomeHorizonMs: 60_000 } });
    const worker = stage.hireWorker();
    const failing = { operation: 'authorization.void', kind: 'status', status: 500, times: 4 };
    const position = await underReview(stage, worker, { type: 'voidRequested', commandId: 'cmd_1' }, [
      failing,
    ]);
    const decision = decided({ isUnverified: true });
    expect((await worker.take(position, decision)).state).toEqual(position.state);
    expect(await commandOf(stage, decision.commandId)).toMatchObject({
      result: { code: 'contradicted_by_provider' },
    });
  });
});

import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../faults/dying-worker.js';
import { testWaitPolicy } from '../helpers/worker.js';
import { held, liveOn } from './live-on.js';

let stage: Stage;
afterEach(() => stage.close());

describe('a hold that is reauthorized under its own id', () => {
  it('is not requested while the hold does not say when it was last changed, and is then found when its answer is lost', async () => {
    const { worker, authorized, sandbox } = await agedHold();
    await sandbox.fault({
      operation: 'payment.get',
      kind: 'reshape',
      remove: ['transactions[0].related_resources[0].authorization.update_time'],
      times: 1,
    });
    await sandbox.fault({ operation: 'authorization.reauthorize', kind: 'drop_reply', times: 1 });
    const asked = await worker.take(authorized, { type: 'reauthorizeRequested', commandId: 'cmd_1' });
    const ended = await liveOn(worker, asked, ({ state }) => !state.openStep);
    expect(await sandbox.booksOf(stage.identity.paymentId)).toEqual([
      'hold 10000',
      'release 10000',
      'hold 10000',
    ]);
    expect(ended.state).toMatchObject({
      status: 'authorized',
      authorization: { renewal: expect.anything() },
    });
    const attempts = await stage.db
      .selectFrom('attempts')
      .select('outcome')
      .where('subject_id', '=', stage.identity.paymentId)
      .where('step_name', '=', 'cmd_1')
      .orderBy('id')
      .execute();
    expect(attempts[0]?.outcome).toBe('deferred');
  });

  it('is not requested after a read that lags behind our own capture, which changed the hold as well', async () => {
    const { worker, authorized, sandbox } = await agedHold();
    const capture = { type: 'captureRequested', commandId: 'cmd_1', minor: 1_000, final: false } as const;
    const captured = await worker.take(authorized, capture);
    await sandbox.fault({ operation: 'payment.get', kind: 'stale_read', lagMs: 2_000, times: 1 });
    await sandbox.fault({ operation: 'authorization.reauthorize', kind: 'status', status: 500, times: 1 });
    const asked = await worker.take(captured, { type: 'reauthorizeRequested', commandId: 'cmd_2' });
    const ended = await liveOn(worker, asked, ({ state }) => !state.openStep);
    expect(ended.state.authorization).toMatchObject({ renewal: expect.anything() });
    const movements = await sandbox.booksOf(stage.identity.paymentId);
    expect(movements.filter((movement) => movement.startsWith('hold'))).toHaveLength(2);
  });
});

describe('a hold of which somebody else has captured a part that the run has not read', () => {
  it('is not reauthorized with an amount that does not count it, and then with what is left', async () => {
    const { worker, authorized, sandbox } = await agedHold();
    const hold = `/v1/payments/authorization/${authorized.state.authorization?.authorizationId}`;
    const amount = { total: '10.00', currency: 'USD' };
    await sandbox.postAsOwner(`${hold}/capture`, { amount, is_final_capture: false });
    const asked = await worker.take(authorized, { type: 'reauthorizeRequested', commandId: 'cmd_1' });
    expect(asked.state).toMatchObject({ status: 'partially_captured', captures: [{ minor: 1_000 }] });
    expect(await sandbox.booksOf(stage.identity.paymentId)).toEqual(['hold 10000', 'capture 1000']);
    const again = await worker.take(asked, { type: 'reauthorizeRequested', commandId: 'cmd_2' });
    expect(again.state.openStep).toBeUndefined();
    const attempts = await stage.db
      .selectFrom('attempts')
      .select('step')
      .where('subject_id', '=', stage.identity.paymentId)
      .where('step_name', '=', 'cmd_2')
      .execute();
    expect(attempts).toMatchObject([{ step: { minor: 9_000 } }]);
  });
});

describe('a hold whose reauthorization is answered with the hold of another payment', () => {
  it('keeps its own successor, which is captured', async () => {
    const { worker, authorized, sandbox } = await agedHold('new');
    await sandbox.fault({
      operation: 'authorization.reauthorize',
      kind: 'reshape',
      add: { id: 'AUTH-OF-ANOTHER', parent_payment: 'PAY-OF-ANOTHER' },
      times: 1,
    });
    const asked = await worker.take(authorized, { type: 'reauthorizeRequested', commandId: 'cmd_1' });
    const reauthorized = await liveOn(worker, asked, ({ state }) => !state.openStep);
    const { authorization, status } = reauthorized.state;
    expect(status).toBe('authorized');
    expect(authorization?.authorizationId).not.toBe(authorized.state.authorization?.authorizationId);
    expect(authorization?.authorizationId).not.toBe('AUTH-OF-ANOTHER');
    const capture = { type: 'captureRequested', commandId: 'cmd_2', minor: 4_000, final: false } as const;
    expect((await worker.take(reauthorized, capture)).state.status).toBe('partially_captured');
    expect(await sandbox.booksOf(stage.identity.paymentId)).toEqual([
      'hold 10000',
      'release 10000',
      'hold 10000',
      'capture 4000',
    ]);
  });
});

/** Its honour period of three days is over. */
async function agedHold(reauthorizationId: 'same' | 'new' = 'same') {
  stage = await openStage({
    patience: { ...testWaitPolicy, outcomeHorizonMs: 1 },
    expiryPolicy: { action: 'expire' },
  });
  const { sandbox } = stage;
  await sandbox.configure({
    dayLengthMs: 2_000,
    reauthorizationId,
    reauthorizationTimes: 'many',
  });
  const worker = stage.hireWorker();
  const authorized = await held(stage, worker);
  // The honour period of three days.
  await wait(6_200);
  return { worker, authorized, sandbox };
}

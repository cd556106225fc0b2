import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { adoptedRefundId, insertObservedRefund } from '#database/subjects';
import type { WaitPolicy } from '#workflows/lifecycle';
import {
  advanceRefund,
  type RefundClaim,
  type RefundState,
  isRefundTerminal,
  observedRefund,
  returnedAmounts,
} from '#workflows/lifecycle/refund';
import { openStage } from '../faults/dying-worker.js';
import { forEachTest } from '../helpers/shared.js';
import { testWaitPolicy } from '../helpers/worker.js';
import { capturedPayment, type RefundWorker, hireRefundWorker, shop } from './refund-worker.js';
import { outcomeOf } from '../helpers/outcome-of.js';

/** Every read of it begins when reads can lag no more. */
const pastHorizon = { ...testWaitPolicy, outcomeHorizonMs: 1 };

let worker: RefundWorker;
let activities: RefundWorker['activities'];
let captureId: string;
const stage = forEachTest(() => openStage({ capturePolicy: { mode: 'automatic' } }));
beforeEach(async () => {
  worker = hireRefundWorker(stage);
  ({ activities } = worker);
  ({ captureId } = await capturedPayment(stage));
});
afterEach(async () => {
  await worker.close();
});

/** What its run makes of so many reads. */
async function read(
  claim: Exclude<RefundClaim, { kind: 'request' }>,
  patience: WaitPolicy,
  reads: number,
  from?: RefundState,
  eventId = 'WH-1',
): Promise<RefundState> {
  const reported = claim.kind === 'refund' ? claim.providerRefundId : eventId;
  const identity = { ...shop, refundId: adoptedRefundId(shop, reported) };
  const state = from ?? observedRefund(claim, stage.identity.paymentId, patience, Date.now());
  let position = { state, version: 0 };
  for (let n = 0; n < reads && !isRefundTerminal(position.state.status); n += 1) {
    await wait(5);
    const { event, at } = await outcomeOf(activities.observeRefund({ identity, ...position, timeline: [] }));
    position = advanceRefund(position, event, at).position;
  }
  return position.state;
}

const reversal = () => ({ kind: 'reversal', collected: { kind: 'capture', id: captureId } }) as const;
const lacksReason = { kind: 'reshape', operation: 'capture.get', remove: ['reason_code'] };
const unknownState = { kind: 'unknown_enum', operation: 'capture.get', field: 'state' };

describe('a chargeback that an answer does not show', () => {
  it.each([
    ['calls the capture by a state that nobody knows', unknownState],
    ['leaves out why it was taken back', lacksReason],
  ])('is shown once a later one does, when one after the horizon %s', async (_, fault) => {
    await stage.sandbox.chargeBack(captureId);
    await stage.sandbox.fault({ ...fault, times: 1 });
    expect(await read(reversal(), pastHorizon, 3)).toMatchObject({
      status: 'completed',
      amount: { minor: 100_00 },
    });
  });

  it('of a part, after a refund, is not taken for that refund when the reason is left out', async () => {
    await stage.sandbox.refundElsewhere(captureId, '40.00');
    await stage.sandbox.chargeBack(captureId, '30.00');
    await stage.sandbox.fault({ ...lacksReason, times: 2 });
    expect((await read(reversal(), pastHorizon, 2)).status).toBe('observed');
    expect((await read(reversal(), pastHorizon, 1)).status).toBe('completed');
  });
});

describe('a chargeback whose amount no answer shows for longer than the horizon', () => {
  it.each([
    ['its state is a word that nobody knows', unknownState],
    ['it names no payment', { ...lacksReason, remove: ['parent_payment', 'links'] }],
    ['the payment is cut short', { ...lacksReason, operation: 'payment.get', remove: ['transactions'] }],
    [
      'the payment lacks what it led to',
      { ...lacksReason, operation: 'payment.get', remove: ['**.capture'] },
    ],
  ])('has not ended while %s, and is shown complete by the first answer that is', async (_, fault) => {
    await stage.sandbox.chargeBack(captureId);
    await stage.sandbox.fault({ ...fault, times: null });
    const doubted = await read(reversal(), pastHorizon, 4);
    expect(doubted.status).toBe('pending');
    expect(doubted).not.toHaveProperty('amount');
    await stage.sandbox.clearFaults();
    expect(await read(reversal(), pastHorizon, 1, doubted)).toMatchObject({
      status: 'completed',
      amount: { minor: 100_00 },
    });
  });
});

describe('a chargeback that did not happen', () => {
  it.each([
    ['none', []],
    ['a part', ['40.00']],
    ['all in two parts', ['40.00', '60.00']],
  ])('is unfounded at the first read after the horizon, when %s was refunded', async (_, refunds) => {
    for (const amount of refunds) await stage.sandbox.refundElsewhere(captureId, amount);
    expect((await read(reversal(), testWaitPolicy, 2)).status).toBe('observed');
    expect((await read(reversal(), pastHorizon, 1)).status).toBe('unfounded');
  });
});

describe('a chargeback of the amount that a refund had left', () => {
  it.each([
    ['names its state by a word that nobody knows', { kind: 'unknown_enum', field: '**.refund.state' }],
    ['leaves it out', { kind: 'reshape', remove: ['**.refund'] }],
    [
      'leaves out what it is of',
      { kind: 'reshape', remove: ['**.refund.capture_id', '**.refund.links', '**.refund.sale_id'] },
    ],
  ])('is shown with its own amount, when one answer about the refund %s', async (_, fault) => {
    const { paymentId } = stage.identity;
    const providerRefundId = await stage.sandbox.refundElsewhere(captureId, '40.00');
    await stage.sandbox.chargeBack(captureId);
    await stage.sandbox.fault({ operation: 'payment.get', times: 1, ...fault });
    const reversed = await read(reversal(), testWaitPolicy, 3);
    const refunded = await read({ kind: 'refund', providerRefundId }, testWaitPolicy, 1);
    expect(await stage.sandbox.booksOf(paymentId)).toEqual([
      'hold 10000',
      'capture 10000',
      'refund 4000',
      'reversal 6000',
    ]);
    expect(returnedAmounts([reversed, refunded])).toEqual({ refunded: 40_00, reversed: 60_00 });
  });

  it('is not shown with the amount of a reported refund that every answer leaves out', async () => {
    const { paymentId } = stage.identity;
    const providerRefundId = await stage.sandbox.refundElsewhere(captureId, '40.00');
    const reported = observedRefund(
      { kind: 'refund', providerRefundId },
      paymentId,
      testWaitPolicy,
      Date.now(),
    );
    const identity = { ...shop, refundId: adoptedRefundId(shop, providerRefundId) };
    await insertObservedRefund(stage.db, identity, reported);
    await stage.sandbox.chargeBack(captureId);
    await stage.sandbox.fault({
      ...lacksReason,
      operation: 'payment.get',
      remove: ['**.refund'],
      times: null,
    });
    const doubted = await read(reversal(), pastHorizon, 2);
    expect(doubted.status).toBe('pending');
    await stage.sandbox.clearFaults();
    expect(await read(reversal(), pastHorizon, 1, doubted)).toMatchObject({ amount: { minor: 60_00 } });
  });
});

const reported = (changedTo: string) => ({ ...reversal(), changedTo });
const later = async (claim: ReturnType<typeof reported>) =>
  await read(claim, testWaitPolicy, 1, undefined, 'WH-2');
const unread = (claim: ReturnType<typeof reported>) =>
  observedRefund(claim, stage.identity.paymentId, testWaitPolicy, Date.now());

describe('the amount of a chargeback beside another one of its capture', () => {
  const known = { status: 'completed', chargedBack: { minor: 100_00 } };
  it('is not that of both: the second is shown without one, and the sum is right', async () => {
    await stage.sandbox.chargeBack(captureId, '10.00');
    const first = await read(reported('partially_refunded'), testWaitPolicy, 1);
    await stage.sandbox.chargeBack(captureId, '90.00');
    const second = await later(reported('refunded'));
    expect(first.status).toBe('completed');
    expect(second).toMatchObject(known);
    expect([first.amount, second.amount]).toEqual([undefined, undefined]);
    expect(returnedAmounts([first, second])).toEqual({ refunded: 0, reversed: 100_00 });
  });

  it('is not that of both when their events come after both', async () => {
    await stage.sandbox.chargeBack(captureId, '40.00');
    await stage.sandbox.chargeBack(captureId, '60.00');
    const first = await read(reported('partially_refunded'), testWaitPolicy, 1);
    const second = await later(reported('refunded'));
    for (const state of [first, second]) {
      expect(state).toMatchObject(known);
      expect(state).not.toHaveProperty('amount');
    }
    expect(returnedAmounts([first, second])).toEqual({ refunded: 0, reversed: 100_00 });
  });

  it('is not all that is gone, when the capture has changed since', async () => {
    await stage.sandbox.chargeBack(captureId, '40.00');
    const changedAt = Date.now();
    await wait(5);
    await stage.sandbox.chargeBack(captureId, '60.00');
    const state = await read({ ...reversal(), changedAt }, testWaitPolicy, 1);
    expect(state).toMatchObject(known);
    expect(state).not.toHaveProperty('amount');
  });

  it('is known of a part once refunds have given back the rest', async () => {
    await stage.sandbox.chargeBack(captureId, '30.00');
    await stage.sandbox.refundElsewhere(captureId, '70.00');
    expect(await read(reported('partially_refunded'), testWaitPolicy, 1)).toMatchObject({
      status: 'completed',
      amount: { minor: 30_00 },
    });
  });

  it('is known once the other one turns out to be unfounded', async () => {
    await stage.sandbox.chargeBack(captureId);
    const other = { ...shop, refundId: adoptedRefundId(shop, 'WH-2') };
    await insertObservedRefund(stage.db, other, unread(reported('refunded')));
    const waiting = await read(reported('refunded'), testWaitPolicy, 2);
    expect(waiting).toMatchObject({ ...known, status: 'pending' });
    expect(waiting).not.toHaveProperty('amount');
    await stage.db.deleteFrom('refunds').where('id', '=', other.refundId).execute();
    expect(await read(reported('refunded'), testWaitPolicy, 1, waiting)).toMatchObject({
      status: 'completed',
      amount: { minor: 100_00 },
    });
  });
});

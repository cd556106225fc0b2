import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '#database/connection';
import { listAttempts } from '#database/commands';
import { adoptedRefundId, findRefund } from '#database/subjects';
import { refundRecords, listTimeline, writeTransition } from '#database/transitions';
import { refundSubject } from '#workflows/contract';
import { type RefundPosition, advanceRefund } from '#workflows/lifecycle/refund/lifecycle.js';
import { observedRefund, returnedAmounts } from '#workflows/lifecycle/refund';
import { openStage } from '../faults/dying-worker.js';
import { forEachTest } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { waitingForLocks } from '../helpers/waiting-for-locks.js';
import { testWaitPolicy } from '../helpers/worker.js';
import { type RefundWorker, hireRefundWorker, requestRefund, shop } from './refund-worker.js';
import { outcomeOf } from '../helpers/outcome-of.js';

const ours = { ...shop, refundId: 're_1' };

let worker: RefundWorker;
let activities: RefundWorker['activities'];
const stage = forEachTest(() => openStage({ capturePolicy: { mode: 'automatic' } }));
beforeEach(() => {
  worker = hireRefundWorker(stage);
  ({ activities } = worker);
});
afterEach(async () => {
  await worker.close();
});

/** 40.00 of a capture of 100.00, whose answer is lost. @param fault default: of a refund that the provider makes. */
async function refundInDoubt(fault: object = { kind: 'drop_reply' }): Promise<{
  doubted: RefundPosition;
  providerRefundId: string;
  captureId: string;
}> {
  const { state, providerPaymentId, captureId } = await requestRefund(stage, ours);
  await stage.sandbox.fault({ ...fault, operation: 'capture.refund', times: null });
  const { event, at } = await outcomeOf(
    activities.makeRefund({ identity: ours, state, version: 0, timeline: [] }),
  );
  expect(event.type).toBe('outcomeUnknown');
  await stage.sandbox.clearFaults();
  const { transactions } = await worker.providers.for(ours).payments.get(providerPaymentId);
  const providerRefundId = transactions[0]?.refunds[0]?.id ?? '';
  return { doubted: advanceRefund({ state, version: 0 }, event, at).position, providerRefundId, captureId };
}

/** What the run that its event has started makes of it. */
async function readElsewhere(providerRefundId: string): Promise<RefundPosition> {
  const identity = { ...shop, refundId: adoptedRefundId(shop, providerRefundId) };
  const claim = { kind: 'refund', providerRefundId } as const;
  const state = observedRefund(claim, stage.identity.paymentId, testWaitPolicy, Date.now());
  const result = await activities.observeRefund({ identity, state, version: 0, timeline: [] });
  if ('isLate' in result) throw new Error('A newer task has written since.');
  if ('ended' in result) return result.ended;
  return advanceRefund({ state, version: 0 }, result.event, result.at).position;
}

async function giveUp(doubted: RefundPosition): Promise<void> {
  const refused = { type: 'stepDeclined', reason: 'The provider refused it (X).' } as const;
  const { position, entry } = advanceRefund(doubted, refused, Date.now());
  await writeTransition(stage.db, {
    records: refundRecords,
    subject: refundSubject(ours),
    ...position,
    timeline: entry ? [entry] : [],
  });
}

async function cameToLight(db: Database, providerRefundId: string): Promise<void> {
  const { state, version } = (await findRefund(db, ours, ours.refundId)) ?? {};
  if (!state || version === undefined) throw new Error('There is no request.');
  const refund = { providerRefundId, state: 'completed' };
  const event = { type: 'refundCameToLight', refund } as const;
  const { position, entry } = advanceRefund({ state, version }, event, Date.now());
  await writeTransition(db, {
    records: refundRecords,
    subject: refundSubject(ours),
    ...position,
    timeline: entry ? [entry] : [],
    knownStatus: state.status,
  });
}

/** The request's own look, which finds it by its reference. */
async function lookUp(doubted: RefundPosition): Promise<void> {
  const { event } = await outcomeOf(activities.lookUpRefund({ identity: ours, ...doubted, timeline: [] }));
  expect(event.type).toBe('refundAnswered');
}

async function refundedInAll(): Promise<number> {
  const rows = await stage.db.selectFrom('refunds').select('state').execute();
  return returnedAmounts(rows.map(({ state }) => state)).refunded;
}

const nameless = { kind: 'reshape', operation: 'refund.get', remove: ['invoice_number'], times: null };

const rowOf = async () => await findRefund(stage.db, ours, ours.refundId);

describe('a refund of ours that is reported before its answer has come', () => {
  it('belongs to its request as long as that is open', async () => {
    const { providerRefundId } = await refundInDoubt();
    expect((await readElsewhere(providerRefundId)).state.status).toBe('observed');
    expect((await rowOf())?.status).toBe('requesting');
  });

  it('corrects its request once if that was given up, and is not counted beside it', async () => {
    const { doubted, providerRefundId } = await refundInDoubt();
    await giveUp(doubted);
    expect((await rowOf())?.status).toBe('declined');
    expect((await readElsewhere(providerRefundId)).state).toMatchObject({
      status: 'unfounded',
      reason: expect.stringContaining(ours.refundId),
    });
    const corrected = await rowOf();
    expect(corrected).toMatchObject({
      status: 'completed',
      provider_refund_id: providerRefundId,
      minor: 4_000,
    });
    const timeline = await listTimeline(stage.db, ours.refundId);
    expect(timeline.at(-1)).toMatchObject({
      event: 'refundCameToLight',
      from_status: 'declined',
      to_status: 'completed',
      detail: 'The provider has made it after all, later than it promised.',
    });
    expect((await readElsewhere(providerRefundId)).state.status).toBe('unfounded');
    expect((await rowOf())?.version).toBe(corrected?.version);
  });
});

it('a refund that two workers read at once belongs to its request, whichever of them corrects that', async () => {
  const { doubted, providerRefundId } = await refundInDoubt();
  await giveUp(doubted);
  const other = openDatabase(stage.databaseUrl, { idleInTransactionMs: 600_000 });
  onTestFinished(() => other.destroy());
  const readings = await other.transaction().execute(async (trx) => {
    await trx.selectFrom('refunds').select('id').where('id', '=', ours.refundId).forUpdate().execute();
    const reading = readElsewhere(providerRefundId);
    await until(
      () => waitingForLocks(other),
      (waiting) => waiting > 0,
      'the one to write what it has read',
    );
    // What the other one writes.
    await cameToLight(trx, providerRefundId);
    return { reading };
  });
  expect((await readings.reading).state).toMatchObject({
    status: 'unfounded',
    reason: expect.stringContaining(ours.refundId),
  });
  expect(await refundedInAll()).toBe(4_000);
});

describe('a refund whose read leaves out the reference', () => {
  it('belongs to a request that may have made it, and is reported once', async () => {
    const { doubted, providerRefundId } = await refundInDoubt();
    await stage.sandbox.fault(nameless);
    expect((await readElsewhere(providerRefundId)).state.status).toBe('observed');
    await lookUp(doubted);
    expect(await refundedInAll()).toBe(40_00);
    expect((await readElsewhere(providerRefundId)).state).toMatchObject({
      status: 'unfounded',
      reason: expect.stringContaining(ours.refundId),
    });
    expect(await refundedInAll()).toBe(40_00);
  });

  it('is not called ours before the outcome horizon, whoever says so: ours may still come', async () => {
    const { doubted, captureId } = await refundInDoubt();
    const asLarge = await stage.sandbox.refundElsewhere(captureId, '40.00');
    const decided = {
      commandId: 'cmd_1',
      decision: 'happened',
      reason: 'Seen.',
      resourceId: asLarge,
    } as const;
    // The payment does not show ours yet.
    await stage.sandbox.fault({ kind: 'status', operation: 'payment.get', status: 503, times: null });
    const { state, version } = advanceRefund(doubted, { type: 'reviewCameDue' }, Date.now()).position;
    const { openStep } = state;
    if (!openStep) throw new Error('the refund is not in doubt');
    const decideAt = async (horizonAt: number) =>
      await outcomeOf(
        activities.verifyRefundDecision(
          {
            identity: ours,
            state: { ...state, openStep: { ...openStep, horizonAt } },
            version,
            timeline: [],
          },
          { ...decided, isUnverified: true },
        ),
      );
    expect((await decideAt(Date.now() + 60_000)).event).toMatchObject({
      type: 'decisionRefused',
      code: 'too_early',
    });
    expect((await rowOf())?.provider_refund_id).toBeNull();
  });

  it('is reported as made elsewhere at once if no request can have made it', async () => {
    const { doubted, captureId } = await refundInDoubt();
    const another = await stage.sandbox.refundElsewhere(captureId, '10.00');
    expect((await readElsewhere(another)).state.status).toBe('completed');
    const asLarge = await stage.sandbox.refundElsewhere(captureId, '40.00');
    expect((await readElsewhere(asLarge)).state.status).toBe('observed');
    await lookUp(doubted);
    expect((await readElsewhere(asLarge)).state.status).toBe('completed');
    expect(await refundedInAll()).toBe(90_00);
  });
});

it('a second refund with our reference counts beside the one that answers the request in doubt', async () => {
  const { doubted, captureId } = await refundInDoubt();
  const [attempt] = await listAttempts(stage.db, ours.refundId);
  const { captures } = worker.providers.for(ours);
  const twin = { amount: { value: '40.00', currency: 'USD' }, invoiceNumber: attempt?.reference ?? '' };
  const second = await captures.refund(captureId, twin, { requestId: 'of-a-second-execution' });
  await lookUp(doubted);
  const reported = await findRefund(stage.db, shop, adoptedRefundId(shop, second.id));
  expect(reported?.status).toBe('observed');
  expect((await readElsewhere(second.id)).state.status).toBe('completed');
  expect(await refundedInAll()).toBe(80_00);
});

it('a refund in doubt is answered by the one of its amount, also if another one has its reference before', async () => {
  const { doubted, captureId } = await refundInDoubt({ kind: 'status', status: 500 });
  const [attempt] = await listAttempts(stage.db, ours.refundId);
  const { captures } = worker.providers.for(ours);
  const make = async (value: string) => {
    const request = { amount: { value, currency: 'USD' }, invoiceNumber: attempt?.reference ?? '' };
    return await captures.refund(captureId, request, { requestId: value });
  };
  const other = await make('10.00');
  await make('40.00');
  await lookUp(doubted);
  expect((await readElsewhere(other.id)).state.status).toBe('completed');
  expect(await refundedInAll()).toBe(50_00);
});

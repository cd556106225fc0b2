import { afterEach, beforeEach, expect, it } from 'vitest';
import { adoptedRefundId } from '#database/subjects';
import type { WaitPolicy } from '#workflows/lifecycle';
import { type RefundState, advanceRefund, observedRefund } from '#workflows/lifecycle/refund';
import { openStage } from '../faults/dying-worker.js';
import { outcomeOf } from '../helpers/outcome-of.js';
import { forEachTest } from '../helpers/shared.js';
import { testWaitPolicy } from '../helpers/worker.js';
import { type RefundWorker, capturedPayment, hireRefundWorker, shop } from './refund-worker.js';

/** So short that every read begins after the outcome horizon, when reads no longer lag. */
const patience = { ...testWaitPolicy, outcomeHorizonMs: 1 };

let worker: RefundWorker;
let captureId: string;
const stage = forEachTest(() => openStage({ capturePolicy: { mode: 'automatic' } }));
beforeEach(async () => {
  worker = hireRefundWorker(stage);
  ({ captureId } = await capturedPayment(stage));
  await stage.sandbox.chargeBack(captureId);
});
afterEach(async () => {
  await worker.close();
});

interface Reading {
  readonly from?: RefundState;
  /** When the capture has changed, as the event says. */
  readonly changedAt?: number;
  readonly within?: WaitPolicy;
}

/** The state of the refund's run after one read. */
async function read(
  eventId: string,
  { from, changedAt, within = patience }: Reading = {},
): Promise<RefundState> {
  const collected = { kind: 'capture', id: captureId } as const;
  const claim = { kind: 'reversal', collected, eventId, ...(changedAt && { changedAt }) } as const;
  const identity = { ...shop, refundId: adoptedRefundId(shop, eventId) };
  // Reported before this millisecond, so that the read is later.
  const state = from ?? observedRefund(claim, stage.identity.paymentId, within, Date.now() - 10);
  const position = { state, version: 0 };
  const read = worker.activities.observeRefund({ identity, ...position, timeline: [] });
  const { event, at } = await outcomeOf(read);
  return advanceRefund(position, event, at).position.state;
}

async function idOf(eventType: string, resourceId = captureId): Promise<string> {
  for await (const { events } of worker.providers.for(shop).events.search({ eventType })) {
    const found = events.find(({ event }) => Object.values(event.resourceIds).includes(resourceId));
    if (found) return found.event.id;
  }
  throw new Error(`no ${eventType}`);
}

it('a chargeback is completed once; those that somebody makes up, and the provider does not have, are unfounded', async () => {
  expect((await read('WH-MADE-UP')).status).toBe('unfounded');
  // An authentic event about the same capture, but not of a chargeback.
  expect((await read(await idOf('PAYMENT.CAPTURE.COMPLETED'))).status).toBe('unfounded');
  const genuine = await read(await idOf('PAYMENT.CAPTURE.REVERSED'));
  expect(genuine).toMatchObject({ status: 'completed', amount: { minor: 100_00 } });
});

it('a chargeback waits while its event cannot be read, and is not lost by one answer without it', async () => {
  const eventId = await idOf('PAYMENT.CAPTURE.REVERSED');
  const gives = { operation: 'event.get', kind: 'status' };
  await stage.sandbox.fault({ ...gives, status: 503, times: null });
  const waiting = await read(eventId);
  expect(waiting.status).toBe('observed');
  await stage.sandbox.clearFaults();
  await stage.sandbox.fault({ ...gives, status: 404, times: 1 });
  expect((await read(eventId, { from: waiting })).status).toBe('completed');
});

it('if the account may not read events, a chargeback is completed by what its capture shows', async () => {
  await stage.sandbox.fault({ operation: 'event.get', kind: 'status', status: 403, times: null });
  expect((await read('WH-1')).status).toBe('completed');
});

/** Of another payment of the account, charged back. */
async function otherSale(): Promise<string> {
  const { payments } = worker.providers.for(shop);
  const urls = { returnUrl: 'https://shop.example/thanks', cancelUrl: 'https://shop.example/cart' };
  const transactions = [{ amount: { value: '5.00', currency: 'USD' } }];
  const { id } = await payments.create({ intent: 'sale', ...urls, transactions }, { requestId: 'creation' });
  const payerId = new URL(await stage.sandbox.approve(id)).searchParams.get('PayerID') ?? '';
  const { transactions: made } = await payments.execute(id, { payerId }, { requestId: 'execution' });
  const saleId = made[0]?.saleId ?? '';
  await stage.sandbox.chargeBackSale(saleId);
  return saleId;
}

it('a chargeback is unfounded if its event reports that of another sale', async () => {
  const eventId = await idOf('PAYMENT.SALE.REVERSED', await otherSale());
  expect((await read(eventId)).status).toBe('unfounded');
});

it('a chargeback waits for a read that does not show one before it, as long as reads may lag', async () => {
  const eventId = await idOf('PAYMENT.CAPTURE.REVERSED');
  const changedAt = Date.now() + 60_000;
  expect((await read(eventId, { changedAt, within: testWaitPolicy })).status).toBe('observed');
  expect((await read(eventId, { changedAt })).status).toBe('completed');
});

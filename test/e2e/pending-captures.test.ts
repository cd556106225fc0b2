import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, startEngine } from '../helpers/engine.js';
import type { PaymentView } from '../helpers/order-service.js';
import { usd } from '../helpers/usd.js';

let engine: Engine;
beforeAll(async () => {
  // By address secret, so that a test can say what the provider has not done.
  engine = await startEngine({ approval: 'immediate', webhookAuthentication: 'addressSecret' });
});
afterAll(async () => {
  expect(await engine.sandbox.booksAreSound()).toBe(true);
  await engine.close();
});

/** A whole capture that the provider decides on in so long, as the order service is told of it. */
async function pendingCapture(end: 'completed' | 'denied', captureSettleMs: number) {
  const { orders, sandbox } = engine;
  await sandbox.configure({ approval: 'immediate', captureOutcome: `pending_then_${end}`, captureSettleMs });
  const { id } = (await orders.order()).body;
  const reply = await orders.capture(id);
  await sandbox.configure({ approval: 'immediate' });
  expect(reply).toMatchObject({
    status: 201,
    body: { capture: { state: 'pending' }, payment: { state: 'capturing' } },
  });
  return { id, captureId: reply.body.capture.id };
}

/** Tells the engine that it is completed, whatever it is. */
async function claimCompleted(captureId: string): Promise<void> {
  const response = await fetch(engine.webhookUrls[0], {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      id: `WH-${randomUUID()}`,
      resource_type: 'capture',
      trigger_event: 'PAYMENT.CAPTURE.COMPLETED',
      resource: { id: captureId, state: 'completed', amount: { total: '100.00', currency: 'USD' } },
      links: [],
    }),
  });
  expect(response.status).toBe(200);
}

const isReportedCaptured = ({ state, amounts, captures }: PaymentView): boolean =>
  state === 'captured' ||
  amounts.captured.value !== '0.00' ||
  captures.some(({ state }) => state === 'completed');

/** Looks, with claims in between, until the capture is settled. @returns how often it was called pending. */
async function follow({ id, captureId }: { id: string; captureId: string }): Promise<number> {
  for (let looks = 0; ; looks += 1) {
    const reported = await engine.orders.get(id);
    const isBooked = (await engine.sandbox.booksOf(id)).includes('capture 10000');
    if (isReportedCaptured(reported))
      expect(isBooked, 'told captured, and the books have no capture').toBe(true);
    if (reported.state !== 'capturing') return looks;
    if (looks % 5 === 0) await claimCompleted(captureId);
    await new Promise((go) => setTimeout(go, 100));
  }
}

describe('case 16: a capture that stays pending, whatever events say', () => {
  it('is captured only after the books show it', async () => {
    const pending = await pendingCapture('completed', 6_000);
    expect(await follow(pending)).toBeGreaterThan(1);
    const { id } = pending;
    expect(await engine.orders.get(id)).toMatchObject({
      state: 'captured',
      amounts: { captured: usd('100.00') },
    });
    const booked = (await engine.sandbox.movementsOf(id)).find(({ kind }) => kind === 'capture');
    const { data: entries } = await engine.orders.read<{ data: { to: string; at: string }[] }>(
      `/v1/payments/${id}/timeline`,
    );
    const reported = entries.find(({ to }) => to === 'captured');
    expect(Date.parse(reported?.at ?? '')).toBeGreaterThanOrEqual(Date.parse(booked?.createdAt ?? ''));
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000']);
  });

  it('is never called captured when the books never show it, and can be made again', async () => {
    const pending = await pendingCapture('denied', 6_000);
    expect(await follow(pending)).toBeGreaterThan(1);
    const { id } = pending;
    expect(await engine.orders.get(id)).toMatchObject({
      state: 'authorized',
      amounts: { captured: usd('0.00'), pending: usd('0.00'), capturable: usd('100.00') },
      captures: [{ state: 'denied' }],
    });
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000']);
    expect((await engine.orders.capture(id)).body.payment.state).toBe('captured');
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000']);
  });
});

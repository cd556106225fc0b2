import { randomUUID } from 'node:crypto';
import type { temporal } from '@temporalio/proto';
import { describe, expect, it } from 'vitest';
import { startEngine } from '../helpers/engine.js';
import { paymentWorkflowId } from '#workflows/contract';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { authorizedPayment, providerIdOf } from './payment-rows.js';
import { usd } from '../helpers/usd.js';

const buildsIn = ({ events }: temporal.api.history.v1.IHistory): string[] =>
  (events ?? []).flatMap((event) => event.workflowTaskCompletedEventAttributes?.workerVersion?.buildId ?? []);

const engine = forAllTests(startEngine);

const authorized = (order: Record<string, unknown> = {}) => authorizedPayment(engine, order);

describe('an ordered payment', () => {
  it('is held once and captured once', async () => {
    const ordered = await engine.orders.order();
    expect(ordered.status).toBe(201);
    expect(ordered.body).toMatchObject({ state: 'awaiting_approval', allowedActions: ['cancel'] });
    expect(ordered.body.approvalUrl).toContain(engine.sandbox.url);

    const back = await engine.orders.comeBack(
      await engine.sandbox.approve(await providerIdOf(engine, ordered.body.id)),
    );
    expect(back.status).toBe(303);
    expect(back.location).toMatch(/^https:\/\/shop\.example\/thanks\?.*state=authorized/);

    const captured = await engine.orders.capture(ordered.body.id);
    expect(captured).toMatchObject({
      status: 201,
      body: { capture: { state: 'completed' }, payment: { state: 'captured' } },
    });
    expect(await engine.sandbox.booksOf(ordered.body.id)).toEqual(['hold 10000', 'capture 10000']);
    expect(await engine.sandbox.booksAreSound()).toBe(true);
  });

  it('names the code of its workflow tasks shortly in its history', async () => {
    const { body } = await engine.orders.order();
    const identity = { environment: 'sandbox', application: 'shop', paymentId: body.id };
    // The order is answered by its rows, before its first workflow task completes.
    const builds = await until(
      async () =>
        buildsIn(await engine.temporal.workflow.getHandle(paymentWorkflowId(identity)).fetchHistory()),
      (found) => found.length > 0,
      'a workflow task to complete',
    );
    for (const build of builds) expect(build).toMatch(/^[0-9a-f]{12}$/);
  });

  it('is released when voided', async () => {
    const { id } = await authorized();
    expect(await engine.orders.void(id)).toMatchObject({ status: 200, body: { state: 'voided' } });
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'release 10000']);
  });

  it('ends cancelled and holds nothing when the payer cancels', async () => {
    const { body } = await engine.orders.order();
    const back = await engine.orders.comeBack(
      await engine.sandbox.cancel(await providerIdOf(engine, body.id)),
    );
    expect(back.location).toMatch(/^https:\/\/shop\.example\/cart/);
    await engine.orders.reaches(body.id, 'cancelled');
    expect(await engine.sandbox.booksOf(body.id)).toEqual([]);
  });

  it('is captured by itself when its policy says so', async () => {
    const { body } = await engine.orders.order({ capturePolicy: { mode: 'automatic' } });
    await engine.orders.comeBack(await engine.sandbox.approve(await providerIdOf(engine, body.id)));
    await engine.orders.reaches(body.id, 'captured');
    expect(await engine.sandbox.booksOf(body.id)).toEqual(['hold 10000', 'capture 10000']);
  });

  it('is captured at the time its policy names', async () => {
    const at = new Date(Date.now() + 3_000).toISOString();
    const { body } = await engine.orders.order({ capturePolicy: { mode: 'at', at } });
    await engine.orders.comeBack(await engine.sandbox.approve(await providerIdOf(engine, body.id)));
    await engine.orders.reaches(body.id, 'captured');
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(at));
  });
});

describe('case 1: a lost reply', () => {
  for (const operation of [
    'payment.create',
    'payment.execute',
    'authorization.capture',
    'authorization.void',
  ]) {
    for (const fault of [{ kind: 'drop_reply' }, { kind: 'late', delayMs: 60_000, executeAfterMs: 2_000 }]) {
      // A late answer is only given up after the client's own limit; one operation is enough for the slow case here.
      if (fault.kind === 'late' && operation !== 'authorization.capture') continue;
      it(`moves money once when ${operation} is ${fault.kind === 'late' ? 'executed late' : 'carried out and its reply lost'}`, async () => {
        await engine.sandbox.fault({ clientId: engine.sandbox.clientId, operation, times: 1, ...fault });
        const { body } = await engine.orders.order();
        await engine.orders.reaches(body.id, 'awaiting_approval');
        await engine.orders.comeBack(await engine.sandbox.approve(await providerIdOf(engine, body.id)));
        await engine.orders.reaches(body.id, 'authorized');
        if (operation === 'authorization.void') {
          await engine.orders.void(body.id);
          await engine.orders.reaches(body.id, 'voided');
          expect(await engine.sandbox.booksOf(body.id)).toEqual(['hold 10000', 'release 10000']);
          return;
        }
        await engine.orders.capture(body.id);
        await engine.orders.reaches(body.id, 'captured');
        expect(await engine.sandbox.booksOf(body.id)).toEqual(['hold 10000', 'capture 10000']);
      });
    }
  }
});

describe('case 3: equal requests', () => {
  it('order one payment under one key, and give the same answer', async () => {
    const key = randomUUID();
    const replies = await Promise.all([1, 2, 3].map(() => engine.orders.order({ orderId: 'twin' }, key)));
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    const other = await engine.orders.order({ orderId: 'another' }, key);
    expect(other.status).toBe(409);
  });

  it('capture once under one key, and twice under two', async () => {
    const { id } = await authorized();
    const key = randomUUID();
    const half = { amount: usd('30.00'), final: false };
    const [first, again] = await Promise.all([
      engine.orders.capture(id, half, key),
      engine.orders.capture(id, half, key),
    ]);
    expect(first.body.capture.id).toBe(again.body.capture.id);
    await engine.orders.capture(id, half);
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 3000', 'capture 3000']);
  });
});

describe('case 8: capture and void at the same moment', () => {
  it('has one success, and 409 for the other', async () => {
    const { id } = await authorized();
    const [capture, release] = await Promise.all([engine.orders.capture(id), engine.orders.void(id)]);
    expect([capture.status, release.status].filter((status) => status === 409)).toHaveLength(1);
    const movements = await engine.sandbox.booksOf(id);
    expect([
      ['hold 10000', 'capture 10000'],
      ['hold 10000', 'release 10000'],
    ]).toContainEqual(movements);
  });
});

describe('case 12: the payer approves and closes the tab', () => {
  it('is found by polling, with every webhook dropped', async () => {
    await engine.sandbox.fault({
      clientId: engine.sandbox.clientId,
      operation: '*',
      kind: 'drop_delivery',
      times: null,
    });
    const { body } = await engine.orders.order();
    await engine.sandbox.approve(await providerIdOf(engine, body.id));
    await engine.orders.reaches(body.id, 'authorized');
    expect(await engine.sandbox.booksOf(body.id)).toEqual(['hold 10000']);
  });
});

describe('case 15: an authorization of 100', () => {
  it('captured 40 and then 60 is not final at first', async () => {
    const { id } = await authorized();
    const first = await engine.orders.capture(id, { amount: usd('40.00') });
    expect(first.body.payment).toMatchObject({
      state: 'partially_captured',
      amounts: { capturable: usd('60.00') },
    });
    const second = await engine.orders.capture(id, { amount: usd('60.00') });
    expect(second.body.payment.state).toBe('captured');
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 4000', 'capture 6000']);
  });

  it('captured 70 keeps the 70 when the rest is released', async () => {
    const { id } = await authorized();
    await engine.orders.capture(id, { amount: usd('70.00') });
    expect(await engine.orders.void(id)).toMatchObject({
      status: 200,
      body: { state: 'captured', amounts: { captured: usd('70.00'), released: usd('30.00') } },
    });
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 7000', 'release 3000']);
  });

  it('refuses to capture more than is left, and makes no call', async () => {
    const { id } = await authorized();
    const refused = await engine.orders.capture<{ errors: unknown[] }>(id, { amount: usd('100.01') });
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body.errors)).toContain('amount');
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000']);
  });
});

describe('case 30: currencies without and with three decimals', () => {
  it.each([
    ['JPY', '1060', 1060],
    ['KWD', '10.600', 10_600],
    ['USD', '10.6', 1060],
  ])('%s %s is held and captured exactly', async (currency, value, minor) => {
    const { id } = await authorized({ amount: { value, currency } });
    await engine.orders.capture(id);
    expect(await engine.sandbox.booksOf(id)).toEqual([`hold ${minor}`, `capture ${minor}`]);
  });
});

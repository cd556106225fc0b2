import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SubscriptionStage } from '../e2e/subscription-stage.js';
import { type Engine, startEngine } from '../helpers/engine.js';

const dayLengthMs = 2_000;

let engine: Engine;
let stage: SubscriptionStage;
beforeAll(async () => {
  engine = await startEngine({ dayLengthMs });
  await engine.sandbox.configure({ dayLengthMs });
  stage = new SubscriptionStage(engine);
});
afterEach(async () => {
  await engine.sandbox.clearFaults();
});
afterAll(async () => {
  await engine.close();
});

describe('an execution whose answer was lost', () => {
  it.each([
    ['were empty all along', { kind: 'reshape', add: { events: [] } }],
    ['could not be read before', { kind: 'status', status: 503 }],
  ])('is not proved undone by pages that leave out what they count, which %s', async (_, fault) => {
    const { body: plan } = await stage.plan({ regular: { frequency: 'DAY', cycles: 20, amount: '9.00' } });
    const startDate = new Date(Date.now() + 12_000).toISOString();
    const { body: ordered } = await stage.order(plan.id, { startDate });
    const redirect = await stage.approve(ordered);
    await engine.sandbox.fault({ kind: 'drop_delivery', times: null });
    await engine.sandbox.fault({ kind: 'drop_reply', operation: 'agreement.execute', times: null });
    await engine.sandbox.fault({ operation: 'event.list', times: null, ...fault });
    await fetch(redirect, { redirect: 'manual' });
    // Beyond its start, and beyond the horizon.
    await wait(Date.parse(startDate) + 5_000 - Date.now());
    expect((await stage.get(ordered.id)).state).toBe('executing');
    await engine.sandbox.clearFaults();
    await engine.sandbox.fault({ kind: 'reshape', operation: 'event.list', remove: ['events[]'], times: 1 });
    await stage.until(ordered.id, ({ state }) => state !== 'executing', 'to be decided on');
    expect((await stage.get(ordered.id)).state).toBe('active');
  });
});

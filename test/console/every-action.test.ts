import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser } from '../browser/browser.js';
import { SubscriptionStage } from '../e2e/subscription-stage.js';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { usd } from '../helpers/usd.js';
import { ConsoleBrowser } from './console-browser.js';
import { auditOf, commandsOf } from './console-rows.js';
import { consoleUsers } from './console-users.js';

/** Its honour period is over soon, and its window is not before the test is. */
const shortDayMs = 4_000;

let otto: ConsoleBrowser;
const engine = forAllTests(() => startEngine({ consoleUsers, approval: 'immediate' }));
const browser = forAllTests(launchBrowser);
const stage = new SubscriptionStage(engine);
beforeAll(async () => {
  otto = await ConsoleBrowser.signedIn(browser, engine.apiUrl, 'otto');
});
afterEach(() => engine.sandbox.clearFaults());

async function held(): Promise<string> {
  const { body } = await engine.orders.order();
  await engine.orders.reaches(body.id, 'authorized');
  return body.id;
}

/** The operator, the action and its reason: once. */
async function wasAsked(id: string, kind: string, action: string): Promise<void> {
  expect(await commandsOf(engine.db, id)).toContain(`console:otto ${kind} succeeded`);
  const reason = 'The parcel has left';
  expect(await auditOf(engine.db, id)).toContainEqual({ user_name: 'otto', action, reason });
}

describe('a payment', () => {
  it('keeps what was captured when an operator releases the rest', async () => {
    const id = await held();
    await engine.orders.capture(id, { amount: usd('30.00') });
    const said = await otto.act(`/console/payments/${id}`, 'Release the rest');
    expect(said).toContain('Gives the rest of the hold, 70.00 USD, back to the payer.');
    await engine.orders.reaches(id, 'captured');
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 3000', 'release 7000']);
    await wasAsked(id, 'release', 'release');
  });

  it('is held for another honour period when an operator reauthorizes it', async () => {
    await engine.sandbox.configure({ dayLengthMs: shortDayMs, approval: 'immediate' });
    const { body } = await engine.orders.order({ honourPolicy: { reauthorize: 'none' } });
    await until(
      () => engine.orders.get(body.id),
      ({ allowedActions }) => allowedActions.includes('reauthorize'),
      'the honour period to end',
    );
    const before = (await engine.orders.get(body.id)).deadlines.honourUntil;
    const said = await otto.act(`/console/payments/${body.id}`, 'Reauthorize', { 'Amount in USD': '80.00' });
    expect(said).toContain('Holds 80.00 USD again');
    const renewed = await until(
      () => engine.orders.get(body.id),
      ({ deadlines }) => deadlines.honourUntil !== before,
      'a new honour period',
    );
    expect(renewed.amounts.capturable).toEqual(usd('80.00'));
    await wasAsked(body.id, 'reauthorize', 'reauthorize');
  });

  it('ends without money moved when an operator cancels it before the payer approves', async () => {
    await engine.sandbox.configure({ approval: 'payer' });
    const { body } = await engine.orders.order();
    const said = await otto.act(`/console/payments/${body.id}`, 'Cancel');
    expect(said).toContain('Ends the payment. A later approval of the payer moves no money.');
    await engine.orders.reaches(body.id, 'cancelled');
    expect(await engine.sandbox.booksOf(body.id)).toEqual([]);
    await wasAsked(body.id, 'cancel', 'cancel');
  });
});

/** Its setup fee of 5.00 was declined, and is owed. */
async function owing(): Promise<string> {
  const terms = { setupFee: '5.00', regular: { frequency: 'YEAR', cycles: 5, amount: '9.00' } };
  const { id: planId } = (await stage.plan(terms)).body;
  await engine.sandbox.fault({ operation: 'agreement.execute', kind: 'decline' });
  const startDate = new Date(Date.now() + 600_000).toISOString();
  const { id } = await stage.subscribed(planId, { startDate });
  return id;
}

describe('a subscription', () => {
  it('is billed what it owes, once, and then owes what an operator leaves of it', async () => {
    const id = await owing();
    const address = `/console/subscriptions/${id}`;
    const said = await otto.act(address, 'Bill the balance', { 'Amount in USD': '2.00' });
    expect(said).toContain('Collects 2.00 USD of what is outstanding from the payer.');
    await stage.until(id, ({ outstanding }) => outstanding.value === '3.00', 'to owe 3.00');
    await stage.until(id, ({ allowedActions }) => allowedActions.includes('setBalance'), 'to be at rest');
    expect(await stage.booked(id)).toEqual([200]);
    await wasAsked(id, 'billBalance', 'bill-balance');
    const forgives = await otto.act(address, 'Set the balance', { 'What stays outstanding': '1.00' });
    expect(forgives).toContain('Forgives what is outstanding above 1.00 USD.');
    await stage.until(id, ({ outstanding }) => outstanding.value === '1.00', 'to owe 1.00');
    expect(await stage.booked(id)).toEqual([200]);
    await wasAsked(id, 'setBalance', 'set-balance');
  });

  it('is billed again when an operator reactivates it, and ends when one cancels it', async () => {
    const id = await owing();
    const address = `/console/subscriptions/${id}`;
    await stage.post(`/v1/subscriptions/${id}/suspend`, {});
    await stage.reaches(id, 'suspended');
    await otto.act(address, 'Reactivate');
    await stage.reaches(id, 'active');
    await wasAsked(id, 'reactivate', 'reactivate');
    expect(await otto.act(address, 'Cancel')).toContain('It cannot be reactivated.');
    await stage.reaches(id, 'cancelled');
    await wasAsked(id, 'cancel', 'cancel');
  });
});

describe('a plan', () => {
  it('takes no further subscription when an operator deactivates it', async () => {
    const { id } = (await stage.plan()).body;
    const plan = () => engine.orders.read<{ state: string }>(`/v1/plans/${id}`);
    await until(plan, ({ state }) => state === 'active', 'the plan to be active');
    expect(await otto.act(`/console/plans/${id}`, 'Deactivate')).toContain('takes no further subscriptions');
    await until(plan, ({ state }) => state === 'inactive', 'the plan to be inactive');
    await wasAsked(id, 'deactivate', 'deactivate');
    expect((await stage.order(id)).status).toBe(422);
  });
});

it('no page breaks its policy', () => {
  expect(otto.complaints).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { findExecutedAgreement } from '#worker/provider/find-agreement.js';
import { findPaymentByReference } from '#worker/provider/find-payment.js';
import { findPlanByReference } from '#worker/provider/find-plan.js';
import { wirePayment } from '../client/answers.js';
import { json, startScriptedProvider } from '../client/scripted-provider.js';
import { forEachTest } from '../helpers/shared.js';

/** What a provider answers that tells of no next page, though the page is full: often it is the last one. */

const provider = forEachTest(startScriptedProvider);

const within = { since: new Date(), until: new Date() };
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
/** What each call asked for, of those that are asked for by a name. */
const asked = (name: string) =>
  provider.requests.map(({ path }) => new URL(path, provider.url).searchParams.get(name));

const sought = { custom: 'pay_25', references: [], amount: { minor: 1_060, currency: 'USD' } };
const findPayment = () => findPaymentByReference(provider.client(), sought, within);
const pageOfPayments = (from: number, to: number) => {
  const payments = numbers(from, to).map((n) => ({
    ...wirePayment,
    id: `PAY-${n}`,
    transactions: [{ custom: `pay_${n}` }],
  }));
  return json(200, { payments, count: payments.length });
};

const returnUrl = (n: number) => `https://shop.example/back/${n}`;
const findAgreement = () => findExecutedAgreement(provider.client(), returnUrl(120), within);
const pageOfEvents = (from: number, to: number) => {
  const events = numbers(from, to).map((n) => ({
    id: `WH-${n}`,
    create_time: '2024-03-01T10:00:00Z',
    resource_type: 'agreement',
    trigger_event: 'BILLING.SUBSCRIPTION.CREATED',
    resource: { id: `I-${n}`, plan: { merchant_preferences: { return_url: returnUrl(n) } } },
  }));
  return json(200, { events, count: events.length, links: [] });
};

const findPlan = () => findPlanByReference(provider.client(), 'Magazine', 'https://shop.example/back');
const plans = (from: number, to: number) => numbers(from, to).map((n) => ({ id: `P-${n}`, name: 'Other' }));

describe('a full page of payments without a next page', () => {
  it('is searched beyond its end', async () => {
    provider.script(pageOfPayments(0, 20), pageOfPayments(19, 30));
    expect(await findPayment()).toMatchObject({ id: 'PAY-25' });
    expect(asked('start_id')).toEqual([null, 'PAY-19']);
  });

  it('is the last one when nothing follows its last payment', async () => {
    provider.script(pageOfPayments(0, 20), pageOfPayments(19, 20));
    expect(await findPayment()).toBe('absent');
    expect(provider.requests).toHaveLength(2);
  });

  it('shows nothing when the provider does not go beyond it', async () => {
    provider.script(pageOfPayments(0, 20));
    expect(await findPayment()).toBe('unreadable');
    expect(provider.requests).toHaveLength(2);
  });
});

describe('a full page of events without a next page', () => {
  it('is searched again in two halves', async () => {
    provider.script(pageOfEvents(0, 100), pageOfEvents(0, 60), pageOfEvents(60, 130));
    expect(await findAgreement()).toEqual({ agreementId: 'I-120' });
    const [starts, ends] = [asked('start_time'), asked('end_time')];
    expect([starts[1], ends[2]]).toEqual([starts[0], ends[0]]);
    expect(starts[2]).toBe(ends[1]);
  });

  it('is the last one if its halves have no more events', async () => {
    provider.script(pageOfEvents(0, 100), pageOfEvents(0, 60), pageOfEvents(60, 100));
    expect(await findAgreement()).toBe('absent');
    expect(provider.requests).toHaveLength(3);
  });

  it('shows nothing when no interval is short enough', async () => {
    provider.script(pageOfEvents(0, 100));
    expect(await findAgreement()).toBe('unreadable');
    expect(provider.requests.length).toBeLessThanOrEqual(100);
  });
});

describe('the last page of plans', () => {
  it('shows absence even if it is full, or has no total', async () => {
    provider.script(json(200, { plans: plans(0, 20), total_items: '20' }), json(200, { total_items: '20' }));
    expect(await findPlan()).toBe('absent');
    provider.script(json(200, { plans: plans(0, 3) }));
    expect(await findPlan()).toBe('absent');
    expect(asked('total_required')).toEqual(['yes', 'yes', 'yes']);
  });

  it('shows nothing when a page before it left plans out', async () => {
    provider.script(
      json(200, {
        plans: plans(1, 20),
        total_items: '23',
        links: [{ rel: 'next_page', href: '/', method: 'GET' }],
      }),
      json(200, { plans: plans(20, 23), total_items: '23' }),
    );
    expect(await findPlan()).toBe('unreadable');
  });
});

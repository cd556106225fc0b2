import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { StepDecision } from '#workflows/lifecycle/step/review.js';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { SubscriptionStage } from './subscription-stage.js';

const engine = forAllTests(() =>
  startEngine({
    // No execution is tried before the payer comes back.
    patience: {
      outcomeHorizonMs: 1_500,
      reviewAfterMs: 1,
      firstPollMs: 60_000,
      longestPollMs: 60_000,
      firstLookMs: 1_000,
    },
  }),
);
const stage = new SubscriptionStage(engine);
afterEach(() => engine.sandbox.clearFaults());

interface Decision {
  readonly decision: StepDecision;
  readonly reason: string;
  readonly resourceId?: string;
  readonly isUnverified?: boolean;
}

async function decide(subscriptionId: string, { resourceId, ...decision }: Decision) {
  return await stage.post<Record<string, unknown>>(`/v1/subscriptions/${subscriptionId}/review/decision`, {
    ...decision,
    ...(resourceId !== undefined && { evidence: { resourceId } }),
  });
}

interface Review {
  readonly possibleDecisions: readonly string[];
  readonly step: { readonly operation: string; readonly horizonAt: string } | null;
  readonly decisions: readonly { readonly state: string }[];
}

async function reviewOf(subscriptionId: string): Promise<Review> {
  const headers = { authorization: `Bearer ${engine.apiKey}` };
  const address = `${engine.apiUrl}/v1/subscriptions/${subscriptionId}/review`;
  return (await (await fetch(address, { headers })).json()) as Review;
}

async function horizonPasses(subscriptionId: string): Promise<void> {
  const horizonAt = Date.parse((await reviewOf(subscriptionId)).step?.horizonAt ?? '');
  await until(
    () => Promise.resolve(Date.now()),
    (now) => now > horizonAt + 100,
    'the outcome horizon',
  );
}

const yearly = async (): Promise<string> =>
  (
    await stage.plan({
      setupFee: '5.00',
      regular: { frequency: 'YEAR', cycles: 5, amount: '9.00' },
    })
  ).body.id;

const inAWhile = (): string => new Date(Date.now() + 600_000).toISOString();

describe('case 4: a subscription with an unknown outcome', () => {
  it('becomes active by the agreement that an operator has found, and by no other decision', async () => {
    const planId = await yearly();
    const other = await stage.subscribed(planId, { startDate: inAWhile() });
    await engine.sandbox.fault({ operation: 'agreement.execute', kind: 'drop_reply' });
    await engine.sandbox.fault({ operation: 'event.list', kind: 'status', status: 503, times: null });
    const { body } = await stage.order(planId, { startDate: inAWhile() });
    void fetch(await stage.approve(body), { redirect: 'manual' });
    expect((await stage.reaches(body.id, 'needs_review')).reason).toBe(
      'It cannot be proved whether the execution of the agreement happened.',
    );
    expect((await stage.get(body.id)).links.map(({ rel }) => rel)).toContain('review');
    expect(await reviewOf(body.id)).toMatchObject({
      possibleDecisions: ['happened', 'did_not_happen'],
      step: { operation: 'executeAgreement' },
    });
    await horizonPasses(body.id);
    const undone = {
      decision: 'did_not_happen',
      reason: 'Not in the dashboard.',
      isUnverified: true,
    } as const;
    expect(await decide(body.id, undone)).toMatchObject({
      status: 409,
      body: { code: 'cannot_be_verified' },
    });
    const happened = { decision: 'happened', reason: 'Found in the dashboard.' } as const;
    for (const resourceId of [await stage.agreementOf(other.id), 'I-UNKNOWN']) {
      expect(await decide(body.id, { ...happened, resourceId })).toMatchObject({
        status: 409,
        body: { code: 'contradicted_by_provider' },
      });
    }
    expect(await decide(body.id, { ...happened, resourceId: await lostAgreement() })).toMatchObject({
      status: 200,
      body: { state: 'succeeded' },
    });
    await stage.reaches(body.id, 'active');
    const { possibleDecisions, decisions } = await reviewOf(body.id);
    expect(possibleDecisions).toEqual([]);
    expect(decisions.map(({ state }) => state)).toEqual(['refused', 'refused', 'refused', 'succeeded']);
    expect(await stage.booked(body.id)).toEqual([500]);
    const timeline = await engine.db
      .selectFrom('timeline')
      .select(['event', 'kind', 'detail'])
      .where('subject_id', '=', body.id)
      .where('event', '=', 'reviewDecided')
      .orderBy('version')
      .execute();
    expect(timeline.at(-1)).toMatchObject({ kind: 'moved', detail: 'happened: Found in the dashboard.' });
  });

  it('keeps its status after the decision that its suspension did not happen, and is suspended on a new request', async () => {
    const { id } = await stage.subscribed(await yearly(), { startDate: inAWhile() });
    await engine.sandbox.fault({ operation: 'agreement.suspend', kind: 'status', status: 500 });
    await engine.sandbox.fault({ operation: 'agreement.get', kind: 'status', status: 503, times: null });
    const key = randomUUID();
    const asked = stage.post(`/v1/subscriptions/${id}/suspend`, {}, key);
    await stage.reaches(id, 'needs_review');
    await horizonPasses(id);
    const undone = { decision: 'did_not_happen', reason: 'Still active in the dashboard.' } as const;
    expect(await decide(id, undone)).toMatchObject({
      status: 409,
      body: { code: 'cannot_be_verified' },
    });
    expect(await decide(id, { ...undone, isUnverified: true })).toMatchObject({ status: 200 });
    expect(await asked).toMatchObject({ status: 402, body: { code: 'decided_undone' } });
    await engine.sandbox.clearFaults();
    await stage.reaches(id, 'active');
    expect(await stage.post(`/v1/subscriptions/${id}/suspend`, {})).toMatchObject({
      status: 200,
      body: { state: 'suspended' },
    });
  });
});

/** The one agreement that the provider has and that no subscription knows yet, as its dashboard would show it. */
async function lostAgreement(): Promise<string> {
  return (await until(findLost, (id) => id !== undefined, 'the event of the lost agreement')) ?? '';
}

async function findLost(): Promise<string | undefined> {
  const delivered = await engine.db
    .selectFrom('webhook_events')
    .select('resource_ids')
    .where('event_type', '=', 'BILLING.SUBSCRIPTION.CREATED')
    .execute();
  const known = await engine.db.selectFrom('subscriptions').select('state').execute();
  const ours = new Set(known.map(({ state }) => state.agreementId));
  return delivered.flatMap((event) => event.resource_ids).find((id) => !ours.has(id));
}

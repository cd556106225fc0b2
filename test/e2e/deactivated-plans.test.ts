import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { SubscriptionStage } from './subscription-stage.js';

const engine = forAllTests(() =>
  startEngine({ patience: { outcomeHorizonMs: 1_500, firstLookMs: 200, firstRetryMs: 200 } }),
);
const stage = new SubscriptionStage(engine);
afterEach(() => engine.sandbox.clearFaults());

interface PlanView {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly allowedActions: readonly string[];
}

const terms = () => ({
  name: `Magazine ${randomUUID()}`,
  regular: { frequency: 'YEAR', cycles: 5, amount: '9.00' },
});
const inAWhile = () => new Date(Date.now() + 600_000).toISOString();
const planOf = (id: string) => engine.orders.read<PlanView>(`/v1/plans/${id}`);

async function deactivate(id: string, key: string = randomUUID()) {
  return await stage.post<PlanView>(`/v1/plans/${id}/deactivate`, {}, key);
}

async function reaches(id: string, state: string): Promise<void> {
  await until(
    () => planOf(id),
    (seen) => seen.state === state,
    `plan ${id} to be ${state}`,
  );
}

/** What the provider shows of it. */
async function shownOf(id: string): Promise<string> {
  const { state } = await engine.db
    .selectFrom('plans')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const path = `/v1/payments/billing-plans/${state.providerPlanId}`;
  return (await engine.sandbox.callAsOwner<{ state: string }>('GET', path)).state;
}

describe('a plan that is deactivated on request', () => {
  it('takes no further subscriptions, and an equal order makes another plan; what exists goes on', async () => {
    const asked = terms();
    const { id } = (await stage.plan(asked)).body;
    expect((await planOf(id)).allowedActions).toEqual(['subscribe', 'deactivate']);
    const subscription = await stage.subscribed(id, { startDate: inAWhile() });
    const key = randomUUID();
    expect(await deactivate(id, key)).toMatchObject({
      status: 200,
      body: { id, state: 'inactive', allowedActions: [] },
    });
    expect(await shownOf(id)).toBe('INACTIVE');
    expect(await stage.order(id, { startDate: inAWhile() })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/planId', detail: 'is a plan that is inactive, not active' }] },
    });
    const other = await stage.plan(asked);
    expect(other.body).toMatchObject({ state: 'active' });
    expect(other.body.id).not.toBe(id);
    expect(await stage.get(subscription.id)).toMatchObject({ state: 'active' });
    expect((await deactivate(id, key)).status).toBe(200);
    expect(await deactivate(id)).toMatchObject({
      status: 409,
      body: { code: 'not_allowed_in_state', currentState: 'inactive', planId: id },
    });
  });

  it('is inactive as soon as a lookup shows it when no call is answered', async () => {
    const { id } = (await stage.plan(terms())).body;
    await engine.sandbox.fault({ operation: 'plan.update', kind: 'drop_reply', times: null });
    await deactivate(id);
    await reaches(id, 'inactive');
    expect(await shownOf(id)).toBe('INACTIVE');
  });

  it('is deactivated in the end when the calls are lost', async () => {
    const { id } = (await stage.plan(terms())).body;
    // As often as the client repeats such a call.
    await engine.sandbox.fault({ operation: 'plan.update', kind: 'status', status: 500, times: 4 });
    const key = randomUUID();
    await deactivate(id, key);
    await reaches(id, 'inactive');
    expect((await deactivate(id, key)).status).toBe(200);
    expect(await shownOf(id)).toBe('INACTIVE');
  });

  it('stays active when the provider refuses, and is found again when somebody has activated it since', async () => {
    const { id } = (await stage.plan(terms())).body;
    await engine.sandbox.fault({ operation: 'plan.update', kind: 'status', status: 400 });
    expect(await deactivate(id)).toMatchObject({ status: 402, body: { currentState: 'active' } });
    expect(await planOf(id)).toMatchObject({ state: 'active' });
    expect((await deactivate(id)).status).toBe(200);
    await stage.changePlanElsewhere(id, 'ACTIVE');
    await reaches(id, 'active');
  });
});

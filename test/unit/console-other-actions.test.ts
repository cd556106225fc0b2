import { expect, it, vi } from 'vitest';
import { OtherActions } from '#api/console/actions/other-actions.js';
import type { PlanCommands } from '#api/plans/plan-commands.js';
import type { SubscriptionCommands } from '#api/subscriptions/subscription-commands.js';
import { plan } from '../lifecycle/plan/sample-plans.js';
import { billing, now, subscription } from '../lifecycle/subscription/sample-subscriptions.js';

const billBalance = vi.fn();
const setBalance = vi.fn();
const deactivate = vi.fn();
const actions = new OtherActions(
  undefined as never,
  { billBalance, setBalance } as unknown as SubscriptionCommands,
  undefined as never,
  { deactivate } as unknown as PlanCommands,
);
const caller = { keyId: 'k' } as never;

function actionOf(outstandingMinor: number, named = 'bill-balance') {
  const state = subscription('active', { billing: { ...billing, outstandingMinor } });
  return actions.ofSubscription({ id: 'sub_1', state }, now).find(({ name }) => name === named);
}

it('offers to bill a balance where something is outstanding, and says how much it will collect', async () => {
  expect(actionOf(0)).toBeUndefined();
  const read = actionOf(900)?.read({ amount: '4.00', note: 'By phone' });
  if (!read || !('asked' in read)) throw new Error('nothing was asked');
  expect(read.asked).toMatchObject({
    effects: ['Collects 4.00 USD of what is outstanding from the payer.'],
    detail: '4.00 USD',
  });
  await read.asked.perform(caller, 'key-1');
  const request = { amount: { minor: 400, currency: 'USD' }, note: 'By phone' };
  expect(billBalance).toHaveBeenCalledWith(caller, { id: 'sub_1', idempotencyKey: 'key-1', request });
});

it('collects everything that is outstanding without an amount, and names a wrong amount at its field', () => {
  expect(actionOf(900)?.read({})).toMatchObject({ asked: { detail: '9.00 USD' } });
  expect(actionOf(900)?.read({ amount: 'four' })).toMatchObject({ issues: { amount: expect.any(String) } });
});

it('offers to lower what is outstanding, also to nothing', async () => {
  expect(actionOf(0, 'set-balance')).toBeUndefined();
  const action = actionOf(900, 'set-balance');
  expect(action?.read({})).toMatchObject({ issues: { balance: expect.any(String) } });
  const read = action?.read({ balance: '0' });
  if (!read || !('asked' in read)) throw new Error('nothing was asked');
  await read.asked.perform(caller, 'key-3');
  const request = { balance: { minor: 0, currency: 'USD' } };
  expect(setBalance).toHaveBeenCalledWith(caller, { id: 'sub_1', idempotencyKey: 'key-3', request });
});

it('offers to deactivate an active plan, and no other', async () => {
  const [none, action] = (['inactive', 'active'] as const).map(
    (status) => actions.ofPlan({ id: 'plan_1', state: plan(status) }, now)[0],
  );
  expect(none).toBeUndefined();
  const read = action?.read({});
  if (!read || !('asked' in read)) throw new Error('nothing was asked');
  await read.asked.perform(caller, 'key-2');
  expect([action?.name, deactivate.mock.calls]).toEqual(['deactivate', [[caller, 'plan_1', 'key-2']]]);
});

import { expect, it } from 'vitest';
import { drawSubscriptionPlan } from '#proof/faults/subscription/plan.js';
import {
  type SubscriptionRecord,
  type SubscriptionScene,
  takeStockOfSubscription,
} from '#proof/faults/subscription/play.js';
import { Random } from '#proof/faults/random.js';

const sale = { id: 'SALE-1', state: 'completed', amount: { value: '1.250', currency: 'KWD' } };

/** An engine that lists the payment from its second read on, as after a read that lagged, and a provider with it. */
function engineThatLags(): Pick<SubscriptionScene, 'orderService' | 'account'> {
  const lists = [[], [sale]];
  const subscription = { id: 'sub_1', state: 'cancelled', version: 9 };
  const orderService = {
    read: (path: string) =>
      Promise.resolve(
        path.includes('/payments')
          ? { payments: (lists.length > 1 ? lists.shift() : lists[0]) ?? [], collected: sale.amount }
          : subscription,
      ),
  };
  const account = {
    agreementsNamed: () => Promise.resolve(['I-1']),
    collectedFor: () => Promise.resolve([sale.id]),
    agreement: () => Promise.resolve({ id: 'I-1', state: 'Cancelled' }),
    countPlansNamed: () => Promise.resolve(1),
  };
  return { orderService, account } as never;
}

it('the stock of a subscription is taken when what was collected just before its end is shown', async ({
  signal,
}) => {
  const create = { kind: 'create', key: 'k', path: '/v1/subscriptions', body: {}, outcome: 'open' } as const;
  const record: SubscriptionRecord = { commands: [{ ...create, answer: { id: 'sub_1' } }], repeats: [] };
  const plan = drawSubscriptionPlan(new Random('stock'), 'order-1');
  await takeStockOfSubscription(plan, { ...engineThatLags(), record, signal });
  expect(record.final?.payments.payments).toEqual([sale]);
});

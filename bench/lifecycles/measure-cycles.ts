import { z } from 'zod';
import { runOf } from '#tools/demo/demonstrate.js';
import { OrderService } from '#tools/demo/order-service.js';
import { makePlan, passMonth, subscribe } from '#tools/demo/subscription.js';
import { costOfRestingRun, type RunCost } from '#tools/run-cost.js';
import { until } from '../harness/until.js';
import type { LifecycleStack } from './lifecycle-stack.js';
import type { LifecyclePlan } from './plan.js';

export interface SubscriptionCosts {
  /** Until it is active, before its first cycle. */
  readonly onboarding: RunCost;
  /** What each cycle adds. */
  readonly cycle: RunCost;
}

const shownSubscription = z.object({ cyclesCompleted: z.int() });

/** All subscriptions at once: what each costs does not depend on the others. */
export async function measureCycles(
  stack: LifecycleStack,
  plan: LifecyclePlan,
): Promise<readonly SubscriptionCosts[]> {
  const orderService = new OrderService(stack.context);
  // Without end: what an end costs is no part of a cycle.
  const planId = await makePlan(orderService, { cycles: 0 });
  const observed = Array.from({ length: plan.rounds }, () =>
    observe(stack, orderService, planId, plan.cycles),
  );
  return await Promise.all(observed);
}

async function observe(
  { temporal, context }: LifecycleStack,
  orderService: OrderService,
  planId: string,
  cycles: number,
): Promise<SubscriptionCosts> {
  const { id, token } = await subscribe(orderService, planId);
  const path = `/v1/subscriptions/${id}`;
  const cyclesCompleted = async (): Promise<number> =>
    shownSubscription.parse(await orderService.exchange('GET', path)).cyclesCompleted;
  const atRest = () => costOfRestingRun(temporal, runOf(id));
  const onboarding = await atRest();
  let billed = onboarding;
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    await passMonth(context, token);
    await until(async () => (await cyclesCompleted()) >= cycle, 50);
    billed = await atRest();
  }
  await orderService.post(`${path}/cancel`, {});
  return { onboarding, cycle: costOfEach(onboarding, billed, cycles) };
}

function costOfEach(before: RunCost, after: RunCost, times: number): RunCost {
  return {
    historyEvents: (after.historyEvents - before.historyEvents) / times,
    historyBytes: (after.historyBytes - before.historyBytes) / times,
    activities: (after.activities - before.activities) / times,
  };
}

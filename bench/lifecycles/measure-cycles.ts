import { z } from 'zod';
import { runOf } from '#tools/demo/demonstrate.js';
import { OrderService } from '#tools/demo/order-service.js';
import { withSandboxSettings } from '#tools/demo/sandbox-settings.js';
import { makePlan, subscribe } from '#tools/demo/subscription.js';
import { costOfRestingRun, type RunCost } from '#tools/run-cost.js';
import type { LifecycleStack } from './lifecycle-stack.js';
import type { LifecyclePlan } from './plan.js';

export interface SubscriptionCosts {
  /** Until it is active, before its first cycle. */
  readonly onboarding: RunCost;
  /** What each cycle adds. */
  readonly cycle: RunCost;
}

/** The provider's day: a month is long enough for a run to come to rest between two cycles. */
const dayLengthMs = 120;

/** Milliseconds from the order to the first cycle: until then the subscription is to be active and at rest. */
const startsInMs = 10_000;

const shownSubscription = z.object({ cyclesCompleted: z.int() });

/** All subscriptions at once: what each costs does not depend on the others. */
export async function measureCycles(
  stack: LifecycleStack,
  plan: LifecyclePlan,
): Promise<readonly SubscriptionCosts[]> {
  const { context } = stack;
  return await withSandboxSettings(context, { dayLengthMs }, async () => {
    const orderService = new OrderService(context);
    // Without end: what an end costs is no part of a cycle.
    const planId = await makePlan(orderService, { cycles: 0 });
    const observed = Array.from({ length: plan.rounds }, () =>
      observe(stack, orderService, planId, plan.cycles),
    );
    return await Promise.all(observed);
  });
}

async function observe(
  { temporal, context }: LifecycleStack,
  orderService: OrderService,
  planId: string,
  cycles: number,
): Promise<SubscriptionCosts> {
  const id = await subscribe(orderService, planId, startsInMs);
  const path = `/v1/subscriptions/${id}`;
  const cyclesCompleted = async (): Promise<number> =>
    shownSubscription.parse(await orderService.exchange('GET', path)).cyclesCompleted;
  const atRest = async (): Promise<{ cost: RunCost; cycles: number }> => {
    for (;;) {
      context.signal.throwIfAborted();
      const before = await cyclesCompleted();
      const cost = await costOfRestingRun(temporal, runOf(id));
      if ((await cyclesCompleted()) === before) return { cost, cycles: before };
    }
  };
  const none = await atRest();
  if (none.cycles > 0) throw new Error('a subscription was billed before it was at rest');
  let last = none;
  while (last.cycles < cycles) last = await atRest();
  await orderService.post(`${path}/cancel`, {});
  return { onboarding: none.cost, cycle: costOfEach(none.cost, last.cost, last.cycles) };
}

function costOfEach(before: RunCost, after: RunCost, times: number): RunCost {
  return {
    historyEvents: (after.historyEvents - before.historyEvents) / times,
    historyBytes: (after.historyBytes - before.historyBytes) / times,
    activities: (after.activities - before.activities) / times,
  };
}

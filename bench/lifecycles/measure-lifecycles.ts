import { playAuthorize } from '#tools/demo/authorize.js';
import type { DemoContext } from '#tools/demo/demo-context.js';
import { runOf } from '#tools/demo/demonstrate.js';
import { OrderService } from '#tools/demo/order-service.js';
import { playPartialCapture } from '#tools/demo/partial-capture.js';
import { playPayoutOf } from '#tools/demo/payout.js';
import { playRefund } from '#tools/demo/refund.js';
import { playSale } from '#tools/demo/sale.js';
import { makePlan } from '#tools/demo/subscription.js';
import { costOfClosingRun, costOfRestingRun, type RunCost } from '#tools/run-cost.js';
import type { BenchOptions } from '../harness/fresh-stack.js';
import { type LifecycleStack, openLifecycleStack } from './lifecycle-stack.js';
import { measureCycles } from './measure-cycles.js';
import type { LifecyclePlan } from './plan.js';

type LifecycleName =
  'authorize' | 'sale' | 'partialCapture' | 'refund' | 'payoutOf10' | 'plan' | 'onboarding' | 'cycle';

/** What the run of each cost, by round; of a payment that is refunded, the refund's own run. */
export type LifecycleCosts = Readonly<Record<LifecycleName, readonly RunCost[]>>;

interface Played {
  /** @returns the id of what was played. */
  readonly play: (context: DemoContext) => Promise<string>;
  /** Where the run lives on. */
  readonly isOpen?: boolean;
}

const played: Readonly<Record<Exclude<LifecycleName, 'onboarding' | 'cycle'>, Played>> = {
  authorize: { play: async (context) => (await playAuthorize(context)).id },
  sale: { play: async (context) => (await playSale(context)).id },
  partialCapture: { play: async (context) => (await playPartialCapture(context)).id },
  refund: { play: async (context) => (await playRefund(context)).id },
  payoutOf10: { play: async (context) => (await playPayoutOf(10, context)).id },
  plan: { play: (context) => makePlan(new OrderService(context), { cycles: 12 }), isOpen: true },
};

/** Plays each lifecycle to its end and counts what its run has left in Temporal. The load of the machine plays no part. */
export async function measureLifecycles(plan: LifecyclePlan, options: BenchOptions): Promise<LifecycleCosts> {
  const stack = await openLifecycleStack(options);
  try {
    const costs: Record<string, RunCost[]> = {};
    for (let round = 0; round < plan.rounds; round += 1) {
      for (const [name, one] of Object.entries(played)) (costs[name] ??= []).push(await costOf(one, stack));
      options.report(`lifecycles: round ${round + 1} of ${plan.rounds}`);
    }
    options.report(`lifecycles: ${plan.cycles} cycles of ${plan.rounds} subscriptions …`);
    const subscriptions = await measureCycles(stack, plan);
    return {
      ...(costs as Record<keyof typeof played, RunCost[]>),
      onboarding: subscriptions.map(({ onboarding }) => onboarding),
      cycle: subscriptions.map(({ cycle }) => cycle),
    };
  } finally {
    await stack.close();
  }
}

async function costOf({ play, isOpen }: Played, { context, temporal }: LifecycleStack): Promise<RunCost> {
  context.signal.throwIfAborted();
  const run = runOf(await play(context));
  return await (isOpen ? costOfRestingRun(temporal, run) : costOfClosingRun(temporal, run));
}

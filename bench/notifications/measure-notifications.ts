import type { BenchOptions } from '../harness/fresh-stack.js';
import { measureDeliveries } from './measure-deliveries.js';
import { measureEndpointCost } from './measure-endpoint-cost.js';
import { openNotificationStack } from './notification-stack.js';
import { type NotificationSummary, summarizeNotifications } from './notification-summary.js';
import type { NotificationPlan } from './plan.js';

/** Measures how fast notifications are delivered, and what they cost a lifecycle. */
export async function measureNotifications(
  plan: NotificationPlan,
  options: BenchOptions,
): Promise<NotificationSummary> {
  const { report, signal } = options;
  const bench = await openNotificationStack(options);
  try {
    report('lifecycles with a notification endpoint and without …');
    const cost = await measureEndpointCost(bench, plan, signal);
    report('delivering notifications …');
    return summarizeNotifications(await measureDeliveries(bench, plan, signal), cost);
  } finally {
    await bench.close();
  }
}

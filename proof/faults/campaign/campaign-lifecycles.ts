import { Failure } from '#tools/failure.js';
import type { Application } from '../applications.js';
import {
  authorizeLifecycle,
  partialCaptureLifecycle,
  pendingCaptureLifecycle,
  signalledLifecycle,
} from '../authorize/authorize-lifecycle.js';
import { deadlineLifecycle } from '../deadline/deadline-lifecycle.js';
import { expiryLifecycle } from '../expiry/expiry-lifecycle.js';
import type { Lifecycle, Operations } from '../lifecycle.js';
import { payoutLifecycle } from '../payout/payout-lifecycle.js';
import { chargebackLifecycle, partialRefundLifecycle, refundLifecycle } from '../refund/refund-lifecycle.js';
import { saleLifecycle } from '../sale/sale-lifecycle.js';
import {
  subscriptionDeadlineLifecycle,
  subscriptionLifecycle,
} from '../subscription/subscription-lifecycle.js';

/** Everything that a campaign can play. */
export const campaignLifecycles: readonly Lifecycle[] = [
  authorizeLifecycle,
  saleLifecycle,
  partialCaptureLifecycle,
  pendingCaptureLifecycle,
  signalledLifecycle,
  deadlineLifecycle,
  expiryLifecycle,
  refundLifecycle,
  partialRefundLifecycle,
  chargebackLifecycle,
  subscriptionLifecycle,
  subscriptionDeadlineLifecycle,
  payoutLifecycle,
];

/**
 * @param mix names of lifecycles with commas between them, or `all`.
 * @throws Failure that names those there are.
 */
export function chooseLifecycles(mix: string): readonly Lifecycle[] {
  if (mix === 'all') return campaignLifecycles;
  return [...new Set(mix.split(','))].map((name) => {
    const chosen = campaignLifecycles.find((lifecycle) => lifecycle.name === name);
    if (chosen) return chosen;
    const names = campaignLifecycles.map((lifecycle) => lifecycle.name).join(', ');
    throw new Failure(`--mix must be "all" or some of ${names} with commas between them, not "${mix}".`);
  });
}

/** Of all of them, each once. */
export function applicationsOf(lifecycles: readonly Lifecycle[]): Application[] {
  const all = lifecycles.flatMap(({ applications }) => applications);
  return [...new Map(all.map((application) => [application.name, application])).values()];
}

/** Of all of them, each once. */
export function operationsOf(lifecycles: readonly Lifecycle[]): Operations {
  const each = (of: (operations: Operations) => readonly string[]): string[] => [
    ...new Set(lifecycles.flatMap(({ operations }) => of(operations))),
  ];
  return {
    moneyPosts: each(({ moneyPosts }) => moneyPosts),
    otherPosts: each(({ otherPosts }) => otherPosts),
    keyedPosts: each(({ keyedPosts }) => keyedPosts),
    reads: each(({ reads }) => reads),
  };
}

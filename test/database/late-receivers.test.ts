import { beforeEach, expect, it } from 'vitest';
import { subscriptionRecords, writeTransition } from '#database/transitions';
import { subscriptionSubject } from '#workflows/contract';
import type { SubscriptionStatus } from '#workflows/lifecycle/subscription';
import { subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import { useEngineDatabase } from './engine-database.js';
import { storeSubscription } from './stored-subscription.js';
import { notificationTypesOf, register } from './subject-notifications.js';

const engine = useEngineDatabase();
beforeEach(async () => void (await register(engine.db)));

type Line = readonly [from: SubscriptionStatus, event: string, to: SubscriptionStatus];

/** What is told of a subscription that stood so before there were receivers. */
async function told(before: SubscriptionStatus, ...lines: readonly Line[]): Promise<string[]> {
  const identity = await storeSubscription(engine.db, subscription(before));
  for (const [n, [from, event, to]] of lines.entries()) {
    const version = 6 + n;
    await writeTransition(engine.db, {
      records: subscriptionRecords,
      subject: subscriptionSubject(identity),
      state: subscription(to),
      version,
      timeline: [{ version, event, kind: 'moved', from, to, at: Date.now() }],
      knownStatus: from,
    });
  }
  return await notificationTypesOf(engine.db, identity.subscriptionId);
}

it.each<[string, SubscriptionStatus, readonly Line[], string[]]>([
  [
    'a balance that is billed of an active one',
    'active',
    [
      ['active', 'billBalanceRequested', 'billing_balance'],
      ['billing_balance', 'balanceBilled', 'active'],
    ],
    ['subscription.balance_billed'],
  ],
  [
    'a suspension that fails',
    'active',
    [
      ['active', 'suspendRequested', 'suspending'],
      ['suspending', 'stepDeclined', 'active'],
    ],
    ['subscription.suspension_failed'],
  ],
  [
    'a reactivation that fails',
    'suspended',
    [
      ['suspended', 'reactivateRequested', 'reactivating'],
      ['reactivating', 'stepDeclined', 'suspended'],
    ],
    ['subscription.reactivation_failed'],
  ],
  [
    'a reactivation',
    'suspended',
    [
      ['suspended', 'reactivateRequested', 'reactivating'],
      ['reactivating', 'agreementReactivated', 'active'],
    ],
    ['subscription.reactivated'],
  ],
  [
    'a suspension and a reactivation elsewhere',
    'active',
    [
      ['active', 'agreementObserved', 'suspended'],
      ['suspended', 'agreementObserved', 'active'],
    ],
    ['subscription.suspended', 'subscription.reactivated'],
  ],
  [
    'the first state of one that was executed in doubt',
    'needs_review',
    [['needs_review', 'agreementExecuted', 'active']],
    ['subscription.activated'],
  ],
])(
  '%s is told as that and as nothing else, where nobody was told before',
  async (_, before, lines, types) => {
    expect(await told(before, ...lines)).toEqual(types);
  },
);

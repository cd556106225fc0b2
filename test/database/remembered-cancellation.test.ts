import { expect, it } from 'vitest';
import { notePayerCancelled } from '#database/subjects';
import type { SubscriptionStepInput } from '#workflows/contract';
import { subscriptionWriter } from '#worker/subscriptions/subscription-writer.js';
import { sampleEvents, subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import { useEngineDatabase } from './engine-database.js';
import { storeSubscription } from './stored-subscription.js';

const engine = useEngineDatabase();

it('a cancellation that an execution remembers counts only if the payer has made it', async () => {
  const { db } = engine;
  const missing = sampleEvents.approvalFoundMissing;
  const state = { ...subscription('executing'), isCancelWaiting: true };
  const identity = await storeSubscription(db, state);
  const input: SubscriptionStepInput = { identity, state, version: 5, timeline: [] };
  const shown = async () => await subscriptionWriter.withRows?.(db, input, missing);

  expect(await shown()).toEqual({ ...missing, isCancelUnfounded: true });
  await notePayerCancelled(db, 'subscriptions', identity.subscriptionId);
  expect(await shown()).toEqual(missing);
});

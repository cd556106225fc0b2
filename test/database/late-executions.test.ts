import { expect, it } from 'vitest';
import { notePayerCancelled } from '#database/subjects';
import { executeAgreement } from '#worker/subscriptions/change-agreement.js';
import { type SubscriptionWork, subscriptionWriter } from '#worker/subscriptions/subscription-writer.js';
import { subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import { useEngineDatabase } from './engine-database.js';
import { storeSubscription } from './stored-subscription.js';

const engine = useEngineDatabase();
const hour = 3_600_000;

/** The calls that an execution of a subscription with this start makes. */
async function callsOfExecution(executeBefore: number, cancelled: readonly ('signal' | 'row')[] = []) {
  const calls: object[] = [];
  const execute = async (_token: string, options: object) => {
    calls.push(options);
    throw new Error('nobody knows what became of it');
  };
  const context = {
    db: engine.db,
    providers: {
      for: () => ({ agreements: { execute } }),
      recording: async (work: () => Promise<unknown>) => ({ result: await work(), calls: [] }),
    },
    changes: { announce: () => undefined },
  };
  const sample = subscription('executing');
  const order = { ...sample.order, executeBefore };
  const state = { ...sample, token: 'EC-1', order, isCancelWaiting: cancelled.includes('signal') };
  const identity = await storeSubscription(engine.db, state);
  if (cancelled.includes('row'))
    await notePayerCancelled(engine.db, 'subscriptions', identity.subscriptionId);
  const offer = { returnUrl: 'https://shop.example/return', cancelUrl: 'https://shop.example/cancel' };
  const work = { context, writer: subscriptionWriter } as unknown as SubscriptionWork;
  const outcome = await executeAgreement(work, { identity, state, version: 6, timeline: [] }, offer as never);
  return { calls, outcome };
}

it('an execution is not sent after the start of the subscription, nor again by the client', async () => {
  const soon = Date.now() + hour;
  expect((await callsOfExecution(soon)).calls).toMatchObject([{ notRepeatedFrom: soon }]);
  const late = await callsOfExecution(Date.now() - 1);
  expect(late).toMatchObject({ calls: [], outcome: { event: { type: 'approvalFoundMissing' } } });
});

it('an execution that waited is not sent once its payer has cancelled, which a signal alone does not prove', async () => {
  const soon = Date.now() + hour;
  expect(await callsOfExecution(soon, ['signal', 'row'])).toMatchObject({
    calls: [],
    outcome: { event: { type: 'approvalFoundMissing' } },
  });
  expect((await callsOfExecution(soon, ['signal'])).calls).toHaveLength(1);
});

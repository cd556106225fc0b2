import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { agreementFactsOf } from '#worker/provider/agreement-facts.js';
import { ProviderClients } from '#worker/provider/provider-clients.js';
import { reconcileSubjects } from '#worker/reconciliation/reconcile-subjects.js';
import type { MaintenanceContext } from '#worker/steps/activities/context.js';
import type { SubscriptionState } from '#workflows/lifecycle/subscription';
import { agreementRequest, planRequest } from '../client/billing-requests.js';
import { ConnectedSandbox, key } from '../client/connected-sandbox.js';
import { type EngineDatabase, openEngineDatabase, owner } from '../database/engine-database.js';
import { storeSubscription } from '../database/stored-subscription.js';
import { subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import { CLIENT_ID, CLIENT_SECRET } from '../sandbox/sandbox-fixture.js';

let sandbox: ConnectedSandbox;
let engine: EngineDatabase;
let providers: ProviderClients;
beforeAll(async () => {
  [sandbox, engine] = await Promise.all([ConnectedSandbox.start(), openEngineDatabase()]);
  const application = {
    ...owner,
    baseUrl: sandbox.service.url,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    webhookSecret: randomBytes(24).toString('hex'),
    webhookAuthentication: 'signature' as const,
  };
  providers = new ProviderClients([application]);
});
afterAll(async () => {
  await providers.close();
  await Promise.all([sandbox.stop(), engine.close()]);
});

/** Cancelled at the provider and in its row, which has all that the agreement shows. */
async function cancelled(owing: Partial<SubscriptionState>): Promise<string> {
  const client = sandbox.connect();
  const { id: planId } = await client.plans.create(planRequest, key());
  await client.plans.activate(planId);
  const { token } = await client.agreements.create({ ...agreementRequest, planId }, key());
  await sandbox.service.request('POST', `/admin/billing-agreements/${token}/approve`);
  const { id: agreementId } = await client.agreements.execute(token, key());
  await client.agreements.cancel(agreementId, { note: 'over' }, key());
  const { billing } = agreementFactsOf(await client.agreements.get(agreementId), 'USD');
  const state = subscription('cancelled', { agreementId, billing, ...owing });
  const { subscriptionId } = await storeSubscription(engine.db, state);
  return subscriptionId;
}

it('a subscription that ended while its payments were still to be read is read on, although its run is lost', async () => {
  const owing = await cancelled({ arePaymentsOwed: true, lastPollAt: 0 });
  await cancelled({});
  // Its run is not known to be lost before the read is due.
  await cancelled({ confirmAt: Date.now() + 60_000, lastPollAt: Date.now() });
  const started: string[] = [];
  const runs = {
    startAgainWithMessage: async ({ subject }: { readonly subject: { readonly id: string } }) =>
      void started.push(subject.id),
  };
  const reconciliation = { applications: [owner], overlapMs: 1, graceMs: 1, lostAfterMs: 1 };
  const logger = pino({ level: 'silent' });
  const context = { db: engine.db, providers, runs, logger, reconciliation };
  await reconcileSubjects(context as unknown as MaintenanceContext, owner);
  expect(started).toEqual([owing]);
});

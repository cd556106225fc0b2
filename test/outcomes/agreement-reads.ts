import { randomBytes } from 'node:crypto';
import { observeAgreement } from '#worker/subscriptions/observe-agreement.js';
import { subscriptionWriter, type SubscriptionWork } from '#worker/subscriptions/subscription-writer.js';
import { ProviderClients } from '#worker/provider/provider-clients.js';
import { ChangeAnnouncer } from '#database/connection';
import { listSubscriptionPayments, sumOfPayments } from '#database/subjects';
import type { Agreement } from '#payments-client';
import { advance } from '#workflows/lifecycle';
import { subscriptionLifecycle, type SubscriptionState } from '#workflows/lifecycle/subscription';
import { agreementRequest, planRequest } from '../client/billing-requests.js';
import { ConnectedSandbox, key } from '../client/connected-sandbox.js';
import { type EngineDatabase, openEngineDatabase, owner } from '../database/engine-database.js';
import { storeSubscription } from '../database/stored-subscription.js';
import { CLIENT_ID, CLIENT_SECRET } from '../sandbox/sandbox-fixture.js';
import { outcomeOf } from '../helpers/outcome-of.js';
import { noRuns } from '../helpers/no-runs.js';

type Stored = Awaited<ReturnType<AgreementReads['stored']>>;

/** Agreements in the sandbox, and the reads of them that a subscription's run would make. */
export class AgreementReads {
  private constructor(
    readonly sandbox: ConnectedSandbox,
    readonly engine: EngineDatabase,
    readonly work: SubscriptionWork,
  ) {}

  static async start(): Promise<AgreementReads> {
    const [sandbox, engine] = await Promise.all([ConnectedSandbox.start(), openEngineDatabase()]);
    const providers = new ProviderClients([
      {
        ...owner,
        baseUrl: sandbox.service.url,
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
        webhookSecret: randomBytes(24).toString('hex'),
        webhookAuthentication: 'signature',
      },
    ]);
    const changes = new ChangeAnnouncer(engine.url);
    const context = { db: engine.db, providers, changes, runs: noRuns };
    return new AgreementReads(sandbox, engine, { context, writer: subscriptionWriter });
  }

  async stop(): Promise<void> {
    const { providers, changes } = this.work.context;
    await Promise.all([providers.close(), changes.close()]);
    await Promise.all([this.sandbox.stop(), this.engine.close()]);
  }

  /** Its setup fee of 5.00 USD is collected, and no cycle is due for long. */
  async executed(returnUrl?: string): Promise<{ agreement: Agreement; token: string }> {
    const token = await this.approved(returnUrl);
    return { agreement: await this.sandbox.connect().agreements.execute(token, key()), token };
  }

  /** @returns the token of an agreement that its payer has approved, and that is not executed. */
  async approved(returnUrl?: string): Promise<string> {
    const client = this.sandbox.connect();
    const { id: planId } = await client.plans.create(planRequest, key());
    await client.plans.activate(planId);
    const addresses = returnUrl !== undefined && {
      merchantPreferences: { returnUrl, cancelUrl: returnUrl },
    };
    const { token } = await client.agreements.create({ ...agreementRequest, planId, ...addresses }, key());
    await this.sandbox.service.request('POST', `/admin/billing-agreements/${token}/approve`);
    return token;
  }

  async billNextCycle(token: string): Promise<void> {
    await this.sandbox.service.request('POST', `/admin/billing-agreements/${token}/bill-next-cycle`);
  }

  /** The next call is answered without a part. */
  async cut(operation: string, remove: string): Promise<void> {
    await this.sandbox.service.switchOnFault({ operation, kind: 'reshape', remove: [remove], times: 1 });
  }

  /** The next call is answered with other values. */
  async answer(operation: string, add: object): Promise<void> {
    const remove = Object.keys(add);
    await this.sandbox.service.switchOnFault({ operation, kind: 'reshape', remove, add, times: 1 });
  }

  async countReadsOfSales(): Promise<number> {
    const path = '/admin/calls?text=/v1/payments/sale/&limit=100';
    return (await this.sandbox.service.request('GET', path)).body.calls.length;
  }

  async decline(operation: string): Promise<void> {
    await this.sandbox.service.switchOnFault({ operation, kind: 'decline', times: 1 });
  }

  /** A subscription that stands so at version 5, by the run and by its rows. */
  async stored(state: SubscriptionState) {
    return { identity: await storeSubscription(this.engine.db, state), state, version: 5, timeline: [] };
  }

  /** Read and decided on. */
  async observed(input: Stored): Promise<Stored> {
    const { event, at } = await outcomeOf(observeAgreement(this.work, input));
    return { ...input, ...advance(subscriptionLifecycle, input, event, at).position };
  }

  /** As the run is when reads must show what happened: its confirming read is due. */
  async observedWhenSettled(input: Stored): Promise<Stored> {
    const { confirmAt: lastPollAt = 0 } = input.state;
    return await this.observed({ ...input, state: { ...input.state, lastPollAt } });
  }

  async bookOf({ identity }: Stored) {
    const payments = await listSubscriptionPayments(this.engine.db, identity.subscriptionId, {});
    const collected = await sumOfPayments(this.engine.db, identity.subscriptionId);
    return { statuses: payments.map(({ status }) => status), collected };
  }
}

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { observeAgreement } from '../../apps/worker/src/subscriptions/observe-agreement.js';
import {
  subscriptionBooks,
  type SubscriptionWork,
} from '../../apps/worker/src/subscriptions/subscription-books.js';
import { ProviderClients } from '../../apps/worker/src/provider/provider-clients.js';
import { ChangeAnnouncer } from '../../libs/database/src/changes.js';
import { storableJson } from '../../libs/database/src/storable-text.js';
import {
  type ShownPayment,
  listPayments,
  savePayments,
} from '../../libs/database/src/subscription-payments.js';
import type { Agreement } from '../../libs/payments-client/src/index.js';
import { subscriptionSubject } from '../../libs/workflows/src/contract/subscription.js';
import type { SubscriptionState } from '../../libs/workflows/src/lifecycle/subscription/subscription.js';
import { agreementRequest, planRequest } from '../client/billing-requests.js';
import { ConnectedSandbox, key } from '../client/connected-sandbox.js';
import { type EngineDatabase, newId, openEngineDatabase, owner } from '../database/engine-database.js';
import { plan } from '../lifecycle/plan/sample-plans.js';
import { subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import { CLIENT_ID, CLIENT_SECRET } from '../sandbox/sandbox-fixture.js';

let sandbox: ConnectedSandbox;
let engine: EngineDatabase;
let work: SubscriptionWork;
beforeAll(async () => {
  [sandbox, engine] = await Promise.all([ConnectedSandbox.start(), openEngineDatabase()]);
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
  work = { context: { db: engine.db, providers, changes }, books: subscriptionBooks };
});
afterAll(async () => {
  await Promise.all([work.context.providers.close(), work.context.changes.close()]);
  await Promise.all([sandbox.stop(), engine.close()]);
});

let agreement: Agreement;
beforeEach(async () => {
  agreement = await executed();
});

/** Its setup fee of 5.00 USD is collected, and no cycle is due for long. */
async function executed(): Promise<Agreement> {
  const client = sandbox.connect();
  const { id: planId } = await client.plans.create(planRequest, key());
  await client.plans.activate(planId);
  const { token } = await client.agreements.create({ ...agreementRequest, planId }, key());
  await sandbox.service.request('POST', `/admin/billing-agreements/${token}/approve`);
  return await client.agreements.execute(token, key());
}

/** A subscription that stands so at version 5, by the run and by its rows. */
async function stored(state: SubscriptionState) {
  const identity = { ...owner, subscriptionId: newId('sub') };
  const planId = newId('plan');
  const text = { name: planId, description: '', return_url: '', cancel_url: '' };
  const ordered = plan('active');
  await engine.db
    .insertInto('plans')
    .values({
      ...owner,
      id: planId,
      name: planId,
      content_hash: planId,
      status: ordered.status,
      state: storableJson(ordered),
      version: 1,
    })
    .execute();
  await engine.db
    .insertInto('subscriptions')
    .values({
      ...owner,
      ...text,
      id: identity.subscriptionId,
      plan_id: planId,
      status: state.status,
      state: storableJson(state),
      version: 5,
    })
    .execute();
  return { identity, state, version: 5, timeline: [] };
}

describe('a list of payments that is cut short', () => {
  it('is taken for none, and its payments are told by the next one', async () => {
    const input = await stored(
      subscription('cancelled', { agreementId: agreement.id, arePaymentsOwed: true }),
    );
    const operation = 'agreement.transactions';
    const remove = ['agreement_transaction_list'];
    await sandbox.service.switchOnFault({ operation, kind: 'reshape', remove, times: 1 });
    const { event: cut } = await observeAgreement(work, input);
    expect(cut).toMatchObject({ type: 'agreementObserved' });
    expect(cut).not.toHaveProperty('book');
    const { event: whole } = await observeAgreement(work, input);
    expect(whole).toMatchObject({ book: { hasPaid: true, told: 'A payment of 5.00 USD was collected.' } });
  });
});

describe('a read of payments that is made again because its worker died after it was written', () => {
  it('tells the run what it told before', async () => {
    const input = await stored(
      subscription('cancelled', { agreementId: agreement.id, arePaymentsOwed: true }),
    );
    const { event: first } = await observeAgreement(work, input);
    const { event: again } = await observeAgreement(work, input);
    expect(first).toMatchObject({ book: { told: 'A payment of 5.00 USD was collected.' } });
    expect(again).toMatchObject({ book: { told: 'A payment of 5.00 USD was collected.' } });
  });
});

const asked = (seconds: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, seconds));

function shown(status: ShownPayment['status']): ShownPayment {
  return { transactionId: 'SALE-1', isSale: true, at: asked(0), status, minor: 500 };
}

describe('of two reads of payments', () => {
  it('the one that was asked for later stands, whichever is written last, and the other tells nothing', async () => {
    const { identity } = await stored(subscription('active', { agreementId: agreement.id }));
    const subject = subscriptionSubject(identity);
    const save = async (status: ShownPayment['status'], readAt: Date) =>
      await engine.db
        .transaction()
        .execute((trx) => savePayments(trx, subject, 'USD', { readAt, payments: [shown(status)] }));
    expect((await save('completed', asked(2))).changes).toHaveLength(1);
    expect(await save('pending', asked(1))).toEqual({ changes: [], hasPaid: true });
    const [payment] = await listPayments(engine.db, subject.id, {});
    expect(payment?.status).toBe('completed');
    expect((await save('refunded', asked(3))).changes).toMatchObject([{ before: 'completed' }]);
  });
});

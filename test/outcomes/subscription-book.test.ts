import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { observeAgreement } from '#worker/subscriptions/observe-agreement.js';
import { subscriptionWriter, type SubscriptionWork } from '#worker/subscriptions/subscription-writer.js';
import { agreementFactsOf } from '#worker/provider/agreement-facts.js';
import { ProviderClients } from '#worker/provider/provider-clients.js';
import { ChangeAnnouncer } from '#database/connection';
import { type ShownPayment, listSubscriptionPayments, savePayments, sumOfPayments } from '#database/subjects';
import type { Agreement } from '#payments-client';
import { subscriptionSubject } from '#workflows/contract';
import { advance } from '#workflows/lifecycle';
import { isBookOwed, subscriptionLifecycle, type SubscriptionState } from '#workflows/lifecycle/subscription';
import { agreementRequest, planRequest } from '../client/billing-requests.js';
import { ConnectedSandbox, key } from '../client/connected-sandbox.js';
import { type EngineDatabase, openEngineDatabase, owner } from '../database/engine-database.js';
import { storeSubscription } from '../database/stored-subscription.js';
import { billing, subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import { CLIENT_ID, CLIENT_SECRET } from '../sandbox/sandbox-fixture.js';
import { outcomeOf } from '../helpers/outcome-of.js';
import { noRuns } from '../helpers/no-runs.js';

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
  work = { context: { db: engine.db, providers, changes, runs: noRuns }, writer: subscriptionWriter };
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
  return { identity: await storeSubscription(engine.db, state), state, version: 5, timeline: [] };
}

async function cut(operation: string, remove: string): Promise<void> {
  await sandbox.service.switchOnFault({ operation, kind: 'reshape', remove: [remove], times: 1 });
}

describe('an incomplete list of payments', () => {
  it('counts as no read, and the next one reports its payments', async () => {
    const input = await stored(
      subscription('cancelled', { agreementId: agreement.id, arePaymentsOwed: true }),
    );
    const operation = 'agreement.transactions';
    const remove = ['agreement_transaction_list'];
    await sandbox.service.switchOnFault({ operation, kind: 'reshape', remove, times: 1 });
    const { event: cut } = await outcomeOf(observeAgreement(work, input));
    expect(cut).toMatchObject({ type: 'agreementObserved' });
    expect(cut).not.toHaveProperty('book');
    const { event: whole } = await outcomeOf(observeAgreement(work, input));
    expect(whole).toMatchObject({ book: { hasPaid: true, told: 'A payment of 5.00 USD was collected.' } });
  });

  it('makes the whole read fail when nothing else would have the list read again', async () => {
    const input = await stored(subscription('active', { agreementId: agreement.id }));
    const remove = ['agreement_transaction_list'];
    const operation = 'agreement.transactions';
    await sandbox.service.switchOnFault({ operation, kind: 'reshape', remove, times: 1 });
    // The billing that is stored is from before the fee.
    const before = { ...input, state: { ...input.state, billing: { ...billing, lastPaymentAt: 0 } } };
    expect(await observeAgreement(work, before)).toMatchObject({ event: { type: 'observationFailed' } });
    expect(await observeAgreement(work, before)).toMatchObject({ event: { book: { hasPaid: true } } });
  });

  it('counts as no read when the agreement leaves out the payment, too, which an earlier answer has shown', async () => {
    const { billing: shown } = agreementFactsOf(agreement, 'USD');
    const input = await stored(
      subscription('cancelled', { agreementId: agreement.id, arePaymentsOwed: true, billing: shown }),
    );
    await cut('agreement.get', 'agreement_details');
    await cut('agreement.transactions', 'agreement_transaction_list');
    const { event } = await outcomeOf(observeAgreement(work, input));
    expect(event).not.toHaveProperty('book');
    await outcomeOf(observeAgreement(work, input));
    expect(await bookOf(input)).toEqual({ statuses: ['completed'], collected: 500 });
  });

  it('is unreadable when it leaves out the id of a payment', async () => {
    const input = await stored(
      subscription('cancelled', { agreementId: agreement.id, arePaymentsOwed: true }),
    );
    const operation = 'agreement.transactions';
    const remove = ['**.transaction_id'];
    await sandbox.service.switchOnFault({ operation, kind: 'reshape', remove, times: 1 });
    expect(await observeAgreement(work, input)).toMatchObject({ event: { type: 'observationFailed' } });
    await outcomeOf(observeAgreement(work, input));
    expect(await bookOf(input)).toEqual({ statuses: ['completed'], collected: 500 });
  });
});

describe('the last read of a subscription’s payments', () => {
  it('is not refunded because of an unknown status', async () => {
    const due = await readOnce();
    expect(await bookOf(due)).toEqual({ statuses: ['completed'], collected: 500 });
    const operation = 'agreement.transactions';
    await sandbox.service.switchOnFault({ operation, kind: 'unknown_enum', field: '**.status', times: 1 });
    const read = await observed(due);
    expect(await bookOf(due)).toEqual({ statuses: ['completed'], collected: 500 });
    expect(isBookOwed(read.state)).toBe(true);
    expect(isBookOwed((await observed(read)).state)).toBe(false);
    expect(await bookOf(due)).toEqual({ statuses: ['completed'], collected: 500 });
  });

  it('does not call a chargeback a refund because its sale leaves out the reason', async () => {
    const range = { startDate: dayFromNow(-1), endDate: dayFromNow(1) };
    const listed = await sandbox.connect().agreements.transactions(agreement.id, range);
    const fee = listed.find(({ amount }) => amount);
    await sandbox.service.request('POST', `/admin/sales/${fee?.id}/reverse`, {});
    const due = await readOnce();
    expect((await bookOf(due)).statuses).toEqual(['reversed']);
    const remove = ['reason_code'];
    await sandbox.service.switchOnFault({ operation: 'sale.get', kind: 'reshape', remove, times: 1 });
    await observed(due);
    expect((await bookOf(due)).statuses).toEqual(['reversed']);
  });
});

function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** Read and decided on. */
async function observed(input: Awaited<ReturnType<typeof stored>>) {
  const { event, at } = await outcomeOf(observeAgreement(work, input));
  return { ...input, ...advance(subscriptionLifecycle, input, event, at).position };
}

/** It has ended, its payments were read once and whole, and reads have settled: the last one is due. */
async function readOnce() {
  const confirmAt = Date.now() + 60_000;
  const owing = { agreementId: agreement.id, arePaymentsOwed: true, confirmAt, lastPollAt: Date.now() };
  // The sample's is of another agreement, further on than this one.
  const { billing: _sample, ...ended } = subscription('cancelled', owing);
  const read = await observed(await stored(ended));
  return { ...read, state: { ...read.state, lastPollAt: confirmAt } };
}

async function bookOf({ identity }: Awaited<ReturnType<typeof stored>>) {
  const payments = await listSubscriptionPayments(engine.db, identity.subscriptionId, {});
  const collected = await sumOfPayments(engine.db, identity.subscriptionId);
  return { statuses: payments.map(({ status }) => status), collected };
}

describe('a read of payments that is repeated because its worker died after writing it', () => {
  it('sends the run the same result as before', async () => {
    const input = await stored(
      subscription('cancelled', { agreementId: agreement.id, arePaymentsOwed: true }),
    );
    const { event: first } = await outcomeOf(observeAgreement(work, input));
    const { event: again } = await outcomeOf(observeAgreement(work, input));
    expect(first).toMatchObject({ book: { told: 'A payment of 5.00 USD was collected.' } });
    expect(again).toMatchObject({ book: { told: 'A payment of 5.00 USD was collected.' } });
  });
});

const asked = (seconds: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, seconds));

function shown(status: ShownPayment['status']): ShownPayment {
  return { transactionId: 'SALE-1', isSale: true, at: asked(0), status, minor: 500 };
}

describe('of two reads of payments', () => {
  it('the one that was requested later counts, whichever is written last, and the other reports nothing', async () => {
    const { save, statusNow } = await emptyBook();
    expect((await save('completed', asked(2))).changes).toHaveLength(1);
    expect(await save('pending', asked(1))).toEqual({ changes: [], hasPaid: true });
    expect(await statusNow()).toBe('completed');
    expect((await save('refunded', asked(3))).changes).toMatchObject([{ before: 'completed' }]);
    expect(await save('completed', asked(2))).toEqual({ changes: [], hasPaid: true });
    expect(await statusNow()).toBe('refunded');
  });

  it.each([
    ['completed', 'unknown'],
    ['completed', 'pending'],
    ['refunded', 'pending'],
    ['reversed', 'refunded'],
    ['reversed', 'partially_refunded'],
  ] as const)(
    '%s is not replaced by %s, which says less, and nothing is reported',
    async (known, shownLater) => {
      const { save, statusNow } = await emptyBook();
      await save(known, asked(1));
      expect(await save(shownLater, asked(2))).toEqual({ changes: [], hasPaid: true });
      expect(await statusNow()).toBe(known);
    },
  );

  it('a known status replaces an unknown one', async () => {
    const { save, statusNow } = await emptyBook();
    await save('unknown', asked(1));
    expect((await save('completed', asked(2))).changes).toMatchObject([{ before: 'unknown' }]);
    expect(await statusNow()).toBe('completed');
  });
});

async function emptyBook() {
  const { identity } = await stored(subscription('active', { agreementId: agreement.id }));
  const subject = subscriptionSubject(identity);
  const save = async (status: ShownPayment['status'], readAt: Date) =>
    await engine.db
      .transaction()
      .execute((trx) => savePayments(trx, subject, 'USD', { readAt, payments: [shown(status)] }));
  const statusNow = async () => (await listSubscriptionPayments(engine.db, subject.id, {}))[0]?.status;
  return { save, statusNow };
}

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { observeAgreement } from '#worker/subscriptions/observe-agreement.js';
import { agreementFactsOf } from '#worker/provider/agreement-facts.js';
import type { Agreement } from '#payments-client';
import { listSubscriptionPayments } from '#database/subjects';
import { isBookOwed } from '#workflows/lifecycle/subscription';
import { notificationTypesOf, register } from '../database/subject-notifications.js';
import { billing, order, patience, subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import { outcomeOf } from '../helpers/outcome-of.js';
import { AgreementReads } from './agreement-reads.js';

const list = 'agreement.transactions';

let reads: AgreementReads;
beforeAll(async () => {
  reads = await AgreementReads.start();
});
afterAll(async () => {
  await reads.stop();
});

let agreement: Agreement;
let token: string;
beforeEach(async () => {
  ({ agreement, token } = await reads.executed());
});

describe('an incomplete list of payments', () => {
  it('counts as no read, and the next one reports its payments', async () => {
    const input = await reads.stored(
      subscription('cancelled', { agreementId: agreement.id, arePaymentsOwed: true }),
    );
    await reads.cut(list, 'agreement_transaction_list');
    const { event: cut } = await outcomeOf(observeAgreement(reads.work, input));
    expect(cut).toMatchObject({ type: 'agreementObserved' });
    expect(cut).not.toHaveProperty('book');
    const { event: whole } = await outcomeOf(observeAgreement(reads.work, input));
    expect(whole).toMatchObject({ book: { hasPaid: true, told: 'A payment of 5.00 USD was collected.' } });
  });

  it.each([
    ['a payment', {}],
    ['a payment that is older than any doubt lasts', { reviewAfterMs: 1 }],
  ])('that lacks %s is read again, though the agreement shows nothing else', async (_, waits) => {
    const unpaid = { ...billing, cyclesCompleted: 0, updatedAt: 0, lastPaymentAt: 0 };
    const patient = { ...order, patience: { ...patience, ...waits } };
    const state = subscription('active', { agreementId: agreement.id, billing: unpaid, order: patient });
    await reads.cut(list, 'agreement_transaction_list');
    const read = await reads.observed(await reads.stored(state));
    expect(await reads.bookOf(read)).toEqual({ statuses: [], collected: 0 });
    expect(isBookOwed(read.state)).toBe(true);
    const last = await reads.observedWhenSettled(read);
    expect(await reads.bookOf(last)).toEqual({ statuses: ['completed'], collected: 500 });
    expect(isBookOwed(last.state)).toBe(false);
  });

  it('at the end of an agreement, whose answer leaves out its last payment, too, is not believed alone', async () => {
    await reads.cut('agreement.get', 'agreement_details');
    await reads.cut(list, 'agreement_transaction_list');
    const { billing: _unseen, ...cancelled } = subscription('cancelled', {
      agreementId: agreement.id,
      confirmAt: 1,
    });
    const last = await reads.observedWhenSettled(await reads.stored(cancelled));
    expect(await reads.bookOf(last)).toEqual({ statuses: ['completed'], collected: 500 });
    expect(isBookOwed(last.state)).toBe(false);
  });

  it('that lacks a failed payment is read again, and the failure is told', async () => {
    await register(reads.engine.db);
    const { billing: paid } = agreementFactsOf(agreement, 'USD');
    const input = await reads.stored(subscription('active', { agreementId: agreement.id, billing: paid }));
    await reads.decline('agreement.cycle');
    await reads.billNextCycle(token);
    // As they are listed: the creation, the setup fee, the cycle.
    await reads.cut(list, 'agreement_transaction_list[2]');
    const read = await reads.observed(input);
    expect(read.state.billing).toMatchObject({ failedPayments: 1 });
    expect((await reads.bookOf(read)).statuses).toEqual(['completed']);
    const again = await reads.observed(read);
    expect((await reads.bookOf(again)).statuses).toEqual(['completed', 'failed']);
    expect(await told(again)).toContain('subscription.payment_failed');
    expect(isBookOwed((await reads.observedWhenSettled(again)).state)).toBe(false);
  });

  it('that lacks the setup fee which failed with the execution is read again', async () => {
    await reads.decline('agreement.execute');
    await register(reads.engine.db);
    ({ agreement } = await reads.executed());
    const { billing: owing } = agreementFactsOf(agreement, 'USD');
    expect(owing).toMatchObject({ outstandingMinor: 500 });
    const begun = { agreementId: agreement.id, billing: owing, arePaymentsOwed: true };
    await reads.cut(list, 'agreement_transaction_list');
    const again = await reads.observed(
      await reads.observed(await reads.stored(subscription('active', begun))),
    );
    expect((await reads.bookOf(again)).statuses).toEqual(['failed']);
    expect(await told(again)).toContain('subscription.payment_failed');
  });

  it('has two that failed at one instant, which are recorded and told as two, each once', async () => {
    await reads.decline('agreement.execute');
    await register(reads.engine.db);
    ({ agreement } = await reads.executed());
    const input = await begun(agreement);
    const [failed = {}] = await salesOf(agreement.id);
    const both = { agreement_transaction_list: [failed, failed] };
    // A list that lags shows the first alone.
    const first = await reads.observed(input);
    expect((await reads.bookOf(first)).statuses).toEqual(['failed']);
    await reads.answer(list, both);
    const read = await reads.observedWhenSettled(first);
    expect((await reads.bookOf(read)).statuses).toEqual(['failed', 'failed']);
    await reads.answer(list, both);
    await outcomeOf(observeAgreement(reads.work, input));
    const failures = (await told(read)).filter((type) => type === 'subscription.payment_failed');
    expect(failures).toHaveLength(2);
    const rows = await listSubscriptionPayments(reads.engine.db, read.identity.subscriptionId, {});
    expect(rows.map(({ transaction_id: id }) => id)).toEqual([agreement.id, `${agreement.id}.2`]);
  });

  it('counts as no read when the agreement leaves out the payment, too, which an earlier answer has shown', async () => {
    const { billing: shown } = agreementFactsOf(agreement, 'USD');
    const input = await reads.stored(
      subscription('cancelled', { agreementId: agreement.id, arePaymentsOwed: true, billing: shown }),
    );
    await reads.cut('agreement.get', 'agreement_details');
    await reads.cut(list, 'agreement_transaction_list');
    const { event } = await outcomeOf(observeAgreement(reads.work, input));
    expect(event).not.toHaveProperty('book');
    await outcomeOf(observeAgreement(reads.work, input));
    expect(await reads.bookOf(input)).toEqual({ statuses: ['completed'], collected: 500 });
  });

  it('is unreadable when it leaves out the id of a payment', async () => {
    const input = await reads.stored(
      subscription('cancelled', { agreementId: agreement.id, arePaymentsOwed: true }),
    );
    await reads.cut(list, '**.transaction_id');
    expect(await observeAgreement(reads.work, input)).toMatchObject({ event: { type: 'observationFailed' } });
    await outcomeOf(observeAgreement(reads.work, input));
    expect(await reads.bookOf(input)).toEqual({ statuses: ['completed'], collected: 500 });
  });
});

describe('a list of another agreement’s payments', () => {
  it.each([
    ['are recorded as its own', true],
    ['nobody has read before', false],
  ])('is not believed, though its sales name nobody and %s', async (_, areKnown) => {
    const theirs = await begun((await reads.executed()).agreement);
    if (areKnown) await reads.observed(theirs);
    const sales = await salesOf(theirs.state.agreementId);
    const ours = await begun(agreement);
    // Nobody knows one by its instant, but the agreement names that of its own latest payment.
    const shown = areKnown ? sales : sales.map((sale) => ({ ...sale, time_stamp: '2030-01-01T00:00:00Z' }));
    await reads.answer(list, { agreement_transaction_list: shown });
    const mixedUp = await reads.observed(ours);
    expect(await reads.bookOf(ours)).toEqual({ statuses: [], collected: 0 });
    await reads.observed(mixedUp);
    expect(await reads.bookOf(ours)).toEqual({ statuses: ['completed'], collected: 500 });
  });

  it('is not looked for in the sales of a usual cycle, which costs one read', async () => {
    const input = await reads.observed(await begun(agreement));
    await reads.billNextCycle(token);
    const before = await reads.countReadsOfSales();
    const billed = await reads.observed(input);
    expect((await reads.bookOf(billed)).statuses).toEqual(['completed', 'completed']);
    expect(await reads.countReadsOfSales()).toBe(before);
    expect(isBookOwed(billed.state)).toBe(false);
  });
});

/** As the provider lists them, without what names their agreement. */
async function salesOf(agreementId = ''): Promise<Record<string, unknown>[]> {
  const [first, last] = [-1, 1].map((days) =>
    new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10),
  );
  const path = `/v1/payments/billing-agreements/${agreementId}/transactions?start_date=${first}&end_date=${last}`;
  const { body } = await reads.sandbox.service.call('GET', path);
  return body.agreement_transaction_list.filter(({ amount }: { amount?: unknown }) => amount);
}

async function told({ identity }: Awaited<ReturnType<AgreementReads['stored']>>): Promise<string[]> {
  return await notificationTypesOf(reads.engine.db, identity.subscriptionId);
}

/** Executed, and its payments not read yet. */
async function begun({ id: agreementId }: Agreement) {
  const { billing: _unread, ...state } = subscription('active', { agreementId, arePaymentsOwed: true });
  return await reads.stored(state);
}

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { observeAgreement } from '#worker/subscriptions/observe-agreement.js';
import { type ShownPayment, listSubscriptionPayments, savePayments } from '#database/subjects';
import type { Agreement } from '#payments-client';
import { subscriptionSubject } from '#workflows/contract';
import { isBookOwed } from '#workflows/lifecycle/subscription';
import { subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import { outcomeOf } from '../helpers/outcome-of.js';
import { AgreementReads } from './agreement-reads.js';

let reads: AgreementReads;
beforeAll(async () => {
  reads = await AgreementReads.start();
});
afterAll(async () => {
  await reads.stop();
});

let agreement: Agreement;
beforeEach(async () => {
  ({ agreement } = await reads.executed());
});
afterEach(() => vi.restoreAllMocks());

describe('the last read of a subscription’s payments', () => {
  it('is not refunded because of an unknown status', async () => {
    const due = await readOnce();
    expect(await reads.bookOf(due)).toEqual({ statuses: ['completed'], collected: 500 });
    const operation = 'agreement.transactions';
    await reads.sandbox.service.switchOnFault({
      operation,
      kind: 'unknown_enum',
      field: '**.status',
      times: 2,
    });
    const read = await reads.observed(due);
    expect(await reads.bookOf(due)).toEqual({ statuses: ['completed'], collected: 500 });
    expect(isBookOwed(read.state)).toBe(true);
    expect(isBookOwed((await reads.observed(read)).state)).toBe(false);
    expect(await reads.bookOf(due)).toEqual({ statuses: ['completed'], collected: 500 });
  });

  it('does not call a chargeback a refund because its sale leaves out the reason', async () => {
    const range = { startDate: dayFromNow(-1), endDate: dayFromNow(1) };
    const listed = await reads.sandbox.connect().agreements.transactions(agreement.id, range);
    const fee = listed.find(({ amount }) => amount);
    await reads.sandbox.service.request('POST', `/admin/sales/${fee?.id}/reverse`, {});
    const due = await readOnce();
    expect((await reads.bookOf(due)).statuses).toEqual(['reversed']);
    const remove = ['reason_code'];
    await reads.sandbox.service.switchOnFault({ operation: 'sale.get', kind: 'reshape', remove, times: 1 });
    await reads.observed(due);
    expect((await reads.bookOf(due)).statuses).toEqual(['reversed']);
  });
});

function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** It has ended, its payments were read once and whole, and reads have settled: the last one is due. */
async function readOnce(of = { reads, agreement }) {
  const confirmAt = Date.now() + 60_000;
  const owing = { agreementId: of.agreement.id, arePaymentsOwed: true, confirmAt, lastPollAt: Date.now() };
  // The sample's is of another agreement, further on than this one.
  const { billing: _sample, ...ended } = subscription('cancelled', owing);
  const read = await of.reads.observed(await of.reads.stored(ended));
  return { ...read, state: { ...read.state, lastPollAt: confirmAt } };
}

describe('a read of payments that is repeated because its worker died after writing it', () => {
  it('sends the run the same result as before', async () => {
    const input = await reads.stored(
      subscription('cancelled', { agreementId: agreement.id, arePaymentsOwed: true }),
    );
    const { event: first } = await outcomeOf(observeAgreement(reads.work, input));
    const { event: again } = await outcomeOf(observeAgreement(reads.work, input));
    expect(first).toMatchObject({ book: { told: 'A payment of 5.00 USD was collected.' } });
    expect(again).toMatchObject({ book: { told: 'A payment of 5.00 USD was collected.' } });
  });
});

/**
 * A provider of its own, whose lists lag from one on: they show what stood before its payment was given back. The other
 * tests' would show an instant before the agreement was made.
 */
async function laggingFrom(nth: number, { times = 1 } = {}) {
  const own = await AgreementReads.start();
  const executed = await own.executed();
  const { service } = own.sandbox;
  const listed = await own.sandbox
    .connect()
    .agreements.transactions(executed.agreement.id, { startDate: dayFromNow(-1), endDate: dayFromNow(1) });
  const fee = listed.find(({ amount }) => amount);
  const stale = { operation: 'agreement.transactions', kind: 'stale_read', lagMs: 30_000 };
  await service.switchOnFault({ ...stale, nth, times });
  return {
    reads: own,
    agreement: executed.agreement,
    giveBack: async (act: string) => await service.request('POST', `/admin/sales/${fee?.id}/${act}`, {}),
    /** The status of the payment in each list, oldest first; undefined for a list that was not answered. */
    shownStatuses: async () => {
      const { calls } = (await service.request('GET', '/admin/calls?text=/transactions&limit=100')).body;
      const answers: Promise<string | undefined>[] = calls.map(async ({ id }: { readonly id: string }) => {
        const { response } = (await service.request('GET', `/admin/calls/${id}`)).body;
        const { agreement_transaction_list: shown = [] } = JSON.parse(response.body) as ShownList;
        return shown.find(({ transaction_id }) => transaction_id === fee?.id)?.status;
      });
      return (await Promise.all(answers)).toReversed();
    },
  };
}

interface ShownList {
  readonly agreement_transaction_list?: readonly {
    readonly transaction_id: string;
    readonly status: string;
  }[];
}

describe('a payment that was told as given back', () => {
  it.each([
    ['refund', 'refunded'],
    ['reverse', 'reversed'],
  ])('after a %s is not collected again because a later read lags', async (act, told) => {
    // The second list shows what stood before.
    const own = await laggingFrom(2, { times: 2 });
    await own.giveBack(act);
    const due = await readOnce(own);
    expect((await own.reads.bookOf(due)).statuses).toEqual([told]);
    const lagged = await own.reads.observed(due);
    expect((await own.reads.bookOf(due)).statuses).toEqual([told]);
    expect(isBookOwed(lagged.state)).toBe(true);
    await own.reads.observed(lagged);
    expect((await own.reads.bookOf(due)).statuses).toEqual([told]);
    const [before, since] = ['Completed', 'Refunded'];
    expect(await own.shownStatuses()).toEqual([before, since, before, before, since, since]);
    await own.reads.stop();
  });
});

it('a refund is told also by a worker whose clock is a second behind that of the worker before', async () => {
  const range = { startDate: dayFromNow(-1), endDate: dayFromNow(1) };
  const listed = await reads.sandbox.connect().agreements.transactions(agreement.id, range);
  const fee = listed.find(({ amount }) => amount);
  const due = await readOnce();
  expect((await reads.bookOf(due)).statuses).toEqual(['completed']);
  await reads.sandbox.service.request('POST', `/admin/sales/${fee?.id}/refund`, {});
  const present = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => present() - 1_900);
  const { event } = await outcomeOf(observeAgreement(reads.work, due));
  expect(event).toMatchObject({ book: { told: expect.stringContaining('5.00 USD') as string } });
  expect((await reads.bookOf(due)).statuses).toEqual(['refunded']);
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

it('a read that lags behind a refund changes nothing while another one is owed', async () => {
  const own = await laggingFrom(2);
  await own.giveBack('refund');
  const owed = { agreementId: own.agreement.id, confirmAt: Date.now() + 60_000, lastPollAt: Date.now() };
  const { billing: _sample, ...active } = subscription('active', owed);
  const read = await own.reads.observed(await own.reads.stored(active));
  expect((await own.reads.bookOf(read)).statuses).toEqual(['refunded']);
  const lagged = await own.reads.observed(read);
  expect([lagged.version, (await own.reads.bookOf(read)).statuses]).toEqual([read.version, ['refunded']]);
  expect(isBookOwed(lagged.state)).toBe(true);
  expect(await own.shownStatuses()).toEqual(['Completed', 'Refunded', 'Completed']);
  await own.reads.stop();
});

describe('a payment that is read as collected after it was given back', () => {
  it.each(['refunded', 'partially_refunded', 'reversed'] as const)(
    'stays %s while reads may lag, and is collected once they no longer do',
    async (known) => {
      const { save, statusNow } = await emptyBook(10_000);
      await save(known, asked(1));
      expect((await save('completed', asked(10))).changes).toEqual([]);
      expect(await statusNow()).toBe(known);
      expect((await save('completed', asked(11))).changes).toMatchObject([{ before: known }]);
      expect(await statusNow()).toBe('completed');
    },
  );
});

async function emptyBook(lagMs = 0) {
  const { identity } = await reads.stored(subscription('active', { agreementId: agreement.id }));
  const subject = subscriptionSubject(identity);
  const save = async (status: ShownPayment['status'], readAt: Date) =>
    await reads.engine.db
      .transaction()
      .execute((trx) => savePayments(trx, subject, 'USD', { readAt, lagMs, payments: [shown(status)] }));
  const statusNow = async () => (await listSubscriptionPayments(reads.engine.db, subject.id, {}))[0]?.status;
  return { save, statusNow };
}

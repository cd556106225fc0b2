import { describe, expect, it } from 'vitest';
import { isUnconfirmed } from '#worker/provider/unconfirmed-payments.js';
import type { ShownPayment } from '#database/subjects';
import type { PaymentsClient } from '#payments-client';
import { billing, order, patience } from '../lifecycle/subscription/sample-subscriptions.js';

const paidAt = Date.parse('2030-02-01T10:00:00.500Z');
const minute = 60_000;

function payment(at: number, shown: Partial<ShownPayment> = {}): ShownPayment {
  return {
    transactionId: `SALE-${at}`,
    isSale: true,
    at: new Date(at),
    status: 'completed',
    minor: 900,
    ...shown,
  };
}

interface Read {
  readonly lastPaymentAt?: number;
  readonly since?: number;
  readonly readAt?: number;
  readonly confirmAt?: number;
  /** The agreement has not shown it to us before. */
  readonly isNew?: boolean;
  /** When each sale was last changed; by default when it was made. */
  readonly changedAt?: string;
  /** The answers about sales are cut short. */
  readonly isCut?: boolean;
}

/** The agreement reports a payment at `paidAt`, a minute ago. */
async function isListUnconfirmed(payments: readonly ShownPayment[], read: Read = {}): Promise<boolean> {
  const { lastPaymentAt = paidAt, since = 0, readAt = paidAt + minute, confirmAt, changedAt, isCut } = read;
  const known = { ...billing, lastPaymentAt: read.isNew ? lastPaymentAt - 1 : lastPaymentAt };
  const createTime = '2030-01-01T10:00:00Z';
  const sale = isCut ? {} : { createTime, updateTime: changedAt ?? createTime };
  const client = { sales: { get: () => Promise.resolve(sale) } } as unknown as PaymentsClient;
  const state = { order, billing: known, ...(confirmAt !== undefined && { confirmAt }) };
  return await isUnconfirmed(client, state, { payments, billing: { lastPaymentAt }, since, readAt });
}

const earlier = payment(paidAt - 30 * minute);

describe('a list of payments', () => {
  it('is unconfirmed while it omits the payment that the agreement shows', async () => {
    expect(await isListUnconfirmed([])).toBe(true);
    expect(await isListUnconfirmed([earlier])).toBe(true);
    expect(await isListUnconfirmed([earlier, payment(paidAt)])).toBe(false);
  });

  it.each(['pending', 'failed'] as const)(
    'shows as %s what the agreement has: unconfirmed',
    async (status) => {
      expect(await isListUnconfirmed([earlier, payment(paidAt, { status })])).toBe(true);
    },
  );

  it('does not show what was collected when a free cycle came later', async () => {
    expect(await isListUnconfirmed([earlier, payment(paidAt + 1, { minor: 0, isSale: false })])).toBe(true);
  });

  it.each(['refunded', 'partially_refunded', 'reversed'] as const)(
    'shows as %s what was collected: accepted',
    async (status) => {
      expect(await isListUnconfirmed([earlier, payment(paidAt, { status })])).toBe(false);
    },
  );

  it('may give its times in whole seconds', async () => {
    expect(await isListUnconfirmed([earlier, payment(Math.floor(paidAt / 1_000) * 1_000)])).toBe(false);
  });

  it('shows a payment that was pending for long by its begin', async () => {
    expect(await isListUnconfirmed([earlier], { changedAt: '2030-02-01T10:00:00Z' })).toBe(false);
  });

  it('is not confirmed by answers about its sales that are cut short', async () => {
    expect(await isListUnconfirmed([earlier], { isCut: true })).toBe(true);
  });

  it('need not show payments before the given time, nor future ones', async () => {
    expect(await isListUnconfirmed([], { since: paidAt + 1 })).toBe(false);
    expect(await isListUnconfirmed([earlier], { lastPaymentAt: paidAt + 60 * minute })).toBe(false);
  });

  it('is accepted in the end, because its times may differ for good', async () => {
    const readAt = paidAt + patience.reviewAfterMs;
    expect(await isListUnconfirmed([earlier], { readAt: readAt - 1 })).toBe(true);
    expect(await isListUnconfirmed([earlier], { readAt })).toBe(false);
    // What is owed of the book is asked for until reads have settled, and as long again.
    expect(await isListUnconfirmed([earlier], { readAt, confirmAt: readAt })).toBe(true);
    expect(await isListUnconfirmed([earlier], { readAt, confirmAt: readAt - patience.reviewAfterMs })).toBe(
      false,
    );
  });

  it('is unconfirmed when it first omits a payment, however old that is', async () => {
    const readAt = paidAt + 2 * patience.reviewAfterMs;
    expect(await isListUnconfirmed([earlier], { readAt })).toBe(false);
    expect(await isListUnconfirmed([earlier], { readAt, isNew: true })).toBe(true);
    expect(await isListUnconfirmed([earlier, payment(paidAt)], { readAt, isNew: true })).toBe(false);
  });

  it('is unconfirmed for as long when it has an unknown word', async () => {
    const paid = [earlier, payment(paidAt, { status: 'unknown' })];
    expect(await isListUnconfirmed(paid)).toBe(true);
    expect(await isListUnconfirmed(paid, { readAt: paidAt + patience.reviewAfterMs })).toBe(false);
  });
});

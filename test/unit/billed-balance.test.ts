import { describe, expect, it } from 'vitest';
import { NotFoundError, type PaymentsClient, UnavailableError } from '#payments-client';
import type { AttemptRow } from '#database/schema';
import type { BalanceBilling } from '#workflows/lifecycle/subscription';
import { readBalanceAfter, readBalanceBefore } from '#worker/provider/agreement-balance.js';
import { UnreadableAnswerError } from '#worker/provider/provider-facts.js';
import { remembered } from '#worker/steps/attempts/first-sent-step.js';
import { findBilledSale, lookUpBilling } from '#worker/subscriptions/bill-balance.js';
import { lookUpSetting } from '#worker/subscriptions/set-balance.js';
import { billing, inDoubt, now, subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import { usd } from '../helpers/usd.js';

const at = (ms: number) => new Date(now + ms).toISOString();

interface Books {
  outstanding?: string | undefined;
  cycles?: number;
  lastPaymentAt?: number;
  /** Sales by id: amount, status, when, and when they last changed. */
  sales?: readonly (readonly [id: string, amount: string, status: string, at: number, changedAt?: number])[];
}

/** A provider that shows the books, and notes in which order it is read. */
function providerOf(books: Books, read: string[] = []): PaymentsClient {
  const agreements = {
    get: async () => {
      read.push('agreement');
      const { outstanding = '9.00', cycles = 2, lastPaymentAt } = books;
      return {
        id: 'I-1',
        state: 'Active',
        updateTime: at(0),
        details: {
          ...('outstanding' in books && books.outstanding === undefined
            ? {}
            : { outstandingBalance: usd(outstanding), cyclesCompleted: cycles }),
          ...(lastPaymentAt !== undefined && { lastPaymentDate: at(lastPaymentAt) }),
        },
      };
    },
    transactions: async () => {
      read.push('transactions');
      return (books.sales ?? []).map(([id, amount, status, ms]) => ({
        id,
        status,
        amount: usd(amount),
        time: at(ms),
      }));
    },
  };
  const sales = {
    get: async (id: string) => {
      if (id === 'AWAY')
        throw new UnavailableError({ operation: 'sale.get' }, 'server_error', { status: 503 });
      const sale = books.sales?.find(([known]) => known === id);
      if (!sale) throw new NotFoundError({ operation: 'sale.get' }, { status: 404 });
      return {
        id,
        agreementId: id.startsWith('OTHER') ? 'I-2' : 'I-1',
        amount: usd(sale[1]),
        createTime: at(sale[3]),
        updateTime: at(sale[4] ?? sale[3]),
      };
    },
  };
  return { agreements, sales, clockOffsets: { least: 0, most: 0 } } as unknown as PaymentsClient;
}

const known = subscription('active');
const billed = { agreementId: 'I-1', minor: 900, currency: 'USD', since: now - 60_000 };

describe('what is read before a balance is billed', () => {
  it('is what is outstanding, the cycles, and the sales of the amount, the agreement first', async () => {
    const read: string[] = [];
    const sales = [
      ['S-1', '9.00', 'Completed', -5],
      ['S-2', '4.00', 'Completed', -4],
      ['S-3', '9.00', 'Pending', -3],
      ['I-1', '9.00', 'Failed', -2],
    ] as const;
    const seen = await readBalanceBefore(providerOf({ sales, lastPaymentAt: -5 }, read), known, billed);
    expect(seen).toEqual({
      outstandingMinor: 900,
      cyclesCompleted: 2,
      since: billed.since,
      updatedAt: now,
      saleIds: ['S-1', 'S-3'],
    });
    expect(read).toEqual(['agreement', 'transactions']);
  });

  it('is not believed without what is outstanding, and without the latest payment', async () => {
    const without = providerOf({ outstanding: undefined });
    await expect(readBalanceBefore(without, known, billed)).rejects.toThrow(UnreadableAnswerError);
    const cut = providerOf({ lastPaymentAt: -5 });
    await expect(readBalanceBefore(cut, known, billed)).rejects.toThrow(UnreadableAnswerError);
  });

  it('is not believed from before what is known of the agreement', async () => {
    const newer = subscription('active', { billing: { ...billing, updatedAt: now + 1 } });
    await expect(readBalanceBefore(providerOf({}), newer, billed)).rejects.toThrow(UnreadableAnswerError);
    await expect(readBalanceBefore(providerOf({}), known, billed)).resolves.toBeDefined();
  });
});

describe('what is read after a balance may have been billed', () => {
  it('says which sales have failed and whether the list is cut, the payments first', async () => {
    const read: string[] = [];
    const sales = [['S-4', '9.00', 'Denied', 10]] as const;
    const shown = await readBalanceAfter(providerOf({ sales, lastPaymentAt: 20 }, read), billed);
    expect(shown).toMatchObject({ sales: [{ id: 'S-4', hasFailed: true }], isCut: true });
    expect(read).toEqual(['transactions', 'agreement']);
    // A provider whose clock is ahead is not believed either.
    const ahead = await readBalanceAfter(providerOf({ lastPaymentAt: 86_400_000_000 }), billed);
    expect(ahead.isCut).toBe(true);
  });
});

const state = inDoubt(
  subscription('billing_balance', { billing: { ...billing, updatedAt: now, outstandingMinor: 900 } }),
);
const step: BalanceBilling = {
  type: 'billBalance',
  commandId: 'cmd_1',
  note: 'x',
  minor: 900,
  from: 'active',
};
const seen = { outstandingMinor: 900, cyclesCompleted: 2, since: billed.since, saleIds: ['S-1'] };
const attempt = (outcome: string | null, with_: Partial<BalanceBilling> = { seen }) =>
  ({ outcome, begun_at: new Date(now), step: { ...step, ...with_ } }) as unknown as AttemptRow;
const withSale: Books = { outstanding: '0.00', sales: [['S-2', '9.00', 'Completed', 5]] };

const arrived = (changedAt: number, status = 'Completed') =>
  providerOf({ lastPaymentAt: -1_000, sales: [['S-5', '4.00', status, -30_000, changedAt]] });
const isCut = async (client: PaymentsClient) => (await readBalanceAfter(client, billed)).isCut;

describe('a latest payment that was pending before', () => {
  it('is listed with the instant of its start', async () => {
    expect(await isCut(arrived(-1_200))).toBe(false);
    await expect(readBalanceBefore(arrived(-1_200), known, billed)).resolves.toMatchObject({ saleIds: [] });
  });

  it('is not taken to be listed when no sale was completed about then, or that one has changed since', async () => {
    expect(await isCut(arrived(-30_000))).toBe(true);
    expect(await isCut(arrived(-12_000))).toBe(true);
    expect(await isCut(arrived(-1_200, 'Partially_Refunded'))).toBe(true);
  });
});

describe('the lookup of a billing', () => {
  it('compares with what was seen before the first call that may have been sent', async () => {
    const later = { seen: { ...seen, saleIds: ['S-1', 'S-2'], outstandingMinor: 0 } };
    const attempts = [
      attempt('deferred', { seen: { ...seen, saleIds: ['S-2'] } }),
      attempt('undone'),
      attempt(null, later),
    ];
    expect(await lookUpBilling(providerOf(withSale), state, step, attempts)).toEqual({
      type: 'balanceBilled',
    });
    expect(await lookUpBilling(providerOf({}), state, step, attempts)).toBe('absent');
  });

  it('proves nothing when the first call has nothing to be compared with: its row was lost', async () => {
    const { seen: _none, ...bare } = { ...step, seen };
    const lost = { outcome: 'unknown', step: bare } as unknown as AttemptRow;
    expect(await lookUpBilling(providerOf({}), state, step, [lost, attempt(null)])).toBe('unreadable');
  });

  it('is absent if the only call is not sent because the balance could not be read, even if its worker has died', async () => {
    const unsent = { outcome: null, step: { ...step, ...remembered('unreadable') } } as unknown as AttemptRow;
    expect(await lookUpBilling(providerOf(withSale), state, step, [unsent])).toBe('absent');
    const setting = { ...step, type: 'setBalance', minor: 0 } as const;
    expect(await lookUpSetting(providerOf({}), state, setting, [unsent])).toBe('absent');
    expect(await lookUpBilling(providerOf(withSale), state, step, [unsent, attempt(null)])).toEqual({
      type: 'balanceBilled',
    });
  });
});

describe('the sale that an operator names', () => {
  const books: Books = {
    sales: [
      ['S-1', '9.00', 'Completed', -5],
      ['S-2', '9.00', 'Completed', 5],
      ['S-3', '4.00', 'Completed', 5],
      ['S-4', '9.00', 'Completed', -30 * 86_400_000],
      ['S-5', '9.00', 'Completed', -130_000],
      ['S-6', '9.00', 'Completed', -5_000],
      ['OTHER-1', '9.00', 'Completed', 5],
    ],
  };
  const named = async (id: string, before = attempt('unknown')) =>
    (await findBilledSale(providerOf(books), state, step, id, [before])).kind;

  it('is the billing if it is new, of the agreement, and of the amount', async () => {
    expect(await named('S-2')).toBe('found');
    expect(await Promise.all(['S-1', 'S-3', 'OTHER-1', 'S-9'].map((id) => named(id)))).toEqual(
      Array.from({ length: 4 }, () => 'another'),
    );
    expect(await named('AWAY')).toBe('unreadable');
  });

  it('is not the billing if it is older than the call, also if nothing was seen before it', async () => {
    const lost = { outcome: 'unknown', begun_at: new Date(now), step } as unknown as AttemptRow;
    const kinds = await Promise.all(['S-2', 'S-4', 'S-5'].map((id) => named(id, lost)));
    expect([...kinds, await named('S-4')]).toEqual(['found', 'another', 'another', 'another']);
  });

  it('is not the billing if the agreement has changed between it and the call: the list before lagged', async () => {
    const changed = attempt('unknown', { seen: { ...seen, updatedAt: now - 1_000 } });
    expect([await named('S-6', changed), await named('S-2', changed)]).toEqual(['another', 'found']);
  });

  it('is not the billing in another currency', async () => {
    const inEuro = { ...state, order: { ...state.order, currency: 'EUR' } };
    const sale = findBilledSale(providerOf(books), inEuro, step, 'S-2', [attempt('unknown')]);
    expect((await sale).kind).toBe('another');
  });
});

describe('the lookup of a setting', () => {
  const setting = { type: 'setBalance', commandId: 'cmd_1', note: 'x', minor: 100, from: 'active' } as const;
  const set = inDoubt(
    subscription('setting_balance', { billing: { ...billing, updatedAt: now, outstandingMinor: 900 } }),
  );
  const before = { outcome: 'unknown', step: { ...setting, seen } } as unknown as AttemptRow;

  it('compares the balance with the one before, and proves nothing without it or by half an answer', async () => {
    const look = async (books: Books, attempts = [before]) =>
      await lookUpSetting(providerOf(books), set, setting, attempts);
    expect(await look({ outstanding: '1.00' })).toEqual({ type: 'balanceSet' });
    expect(await look({ outstanding: '9.00' })).toBe('absent');
    expect(await look({ outstanding: '1.00', cycles: 3 })).toBe('unreadable');
    const lost = { outcome: 'unknown', step: setting } as unknown as AttemptRow;
    expect(await look({ outstanding: '1.00' }, [lost, before])).toBe('unreadable');
    await expect(look({ outstanding: undefined })).rejects.toThrow(UnreadableAnswerError);
  });

  it('is absent where nothing above the balance was outstanding before: then it is not sent', async () => {
    const reached = { seen: { ...seen, outstandingMinor: 100 } };
    const unsent = { outcome: null, step: { ...setting, ...reached } } as unknown as AttemptRow;
    expect(await lookUpSetting(providerOf({ outstanding: '1.00' }), set, setting, [unsent])).toBe('absent');
    const undone = { ...unsent, outcome: 'undone' } as const;
    expect(await lookUpSetting(providerOf({ outstanding: '1.00' }), set, setting, [undone, before])).toEqual({
      type: 'balanceSet',
    });
  });
});

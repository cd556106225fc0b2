import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '#database/connection';
import { type ShownItem, takeItems, totalItems, acceptPayout, listPayoutItems } from '#database/subjects';
import { orderedPayout } from '#workflows/lifecycle/payout';
import { nobodyBearsItsReference } from '../helpers/accept-request.js';
import { order } from '../lifecycle/payout/sample-payouts.js';
import { useEngineDatabase } from './engine-database.js';

let db: Database;
const engine = useEngineDatabase();
beforeAll(() => {
  db = engine.db;
});

let count = 0;

/** @returns its id; its items are named i-1, i-2, … of 1.00 USD each. */
async function payoutOf(items: number): Promise<string> {
  count += 1;
  const payoutId = `po_${count}`;
  await acceptPayout(
    db,
    {
      id: `${payoutId}:order`,
      environment: 'sandbox',
      application: 'shop',
      idempotencyKey: payoutId,
      bodyHash: '',
      kind: 'create',
      subjectId: payoutId,
      parameters: {},
      requestedBy: 'test',
    },
    {
      state: orderedPayout({ ...order, payoutId, items, total: { minor: items * 100, currency: 'USD' } }),
      sealedLetters: Buffer.from('sealed'),
      items: Array.from({ length: items }, (_none, n) => ({
        itemId: `i-${n + 1}`,
        receiverType: 'EMAIL' as const,
        receiverMasked: 'a…@e…',
        minor: 100,
        currency: 'USD',
      })),
    },
    nobodyBearsItsReference,
  );
  return payoutId;
}

const shown = (n: number, status: ShownItem['status'], change: Partial<ShownItem> = {}): ShownItem => ({
  itemId: `i-${n}`,
  providerItemId: `ITEM-${n}`,
  status,
  minor: 100,
  currency: 'USD',
  ...change,
});

const statusesOf = async (id: string) => (await listPayoutItems(db, id)).map(({ status }) => status);

describe('a page of items', () => {
  it('moves each item as its status allows, and reports what contradicts the records', async () => {
    const id = await payoutOf(3);
    expect(await takeItems(db, id, [shown(1, 'success'), shown(2, 'unclaimed'), shown(3, 'failed')])).toEqual(
      [],
    );
    expect(await takeItems(db, id, [shown(1, 'pending'), shown(2, 'returned'), shown(3, 'success')])).toEqual(
      [{ itemId: 'i-3', known: 'failed', shown: 'success' }],
    );
    expect(await statusesOf(id)).toEqual(['success', 'returned', 'failed']);
    expect(await totalItems(db, id)).toEqual({
      success: { count: 1, minor: 100 },
      returned: { count: 1, minor: 100 },
      failed: { count: 1, minor: 100 },
    });
  });

  it('changes no item that is shown with another amount, or under another id', async () => {
    const id = await payoutOf(2);
    await takeItems(db, id, [shown(2, 'unclaimed')]);
    const reported = [shown(1, 'success', { minor: 101 }), shown(2, 'success', { providerItemId: 'ITEM-9' })];
    expect(await takeItems(db, id, reported)).toHaveLength(2);
    expect(await statusesOf(id)).toEqual(['queued', 'unclaimed']);
  });

  it('changes no item of another payout', async () => {
    const [one, other] = [await payoutOf(1), await payoutOf(1)];
    await takeItems(db, one, [shown(1, 'success')]);
    expect(await statusesOf(other)).toEqual(['queued']);
  });

  it('takes 1,000 items in one statement, and returns the items by key', async () => {
    const id = await payoutOf(1_000);
    await takeItems(
      db,
      id,
      Array.from({ length: 1_000 }, (_none, n) => shown(n + 1, n % 2 === 0 ? 'success' : 'unclaimed')),
    );
    const page = await listPayoutItems(db, id, { status: 'unclaimed', after: 500, limit: 2 });
    expect(page.map(({ item_id }) => item_id)).toEqual(['i-502', 'i-504']);
    expect((await totalItems(db, id)).unclaimed).toEqual({ count: 500, minor: 50_000 });
  });
});

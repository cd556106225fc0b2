import * as fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import * as simulatedItems from '#proof/simulator/rows/payouts.js';
import { Rows } from '#proof/simulator/rows/rows.js';
import * as simulatedPayments from '#proof/simulator/rows/subscription-payments.js';
import { acceptPayout } from '#database/subjects';
import * as items from '#database/subjects/payout-items.js';
import * as payments from '#database/subjects/subscription-payments.js';
import { orderedPayout } from '#workflows/lifecycle/payout';
import { itemStatuses } from '#workflows/lifecycle/payout/item.js';
import { subscriptionPaymentStatuses } from '#workflows/lifecycle/subscription/payment-status.js';
import { nobodyBearsItsReference } from '../helpers/accept-request.js';
import { sized } from '../helpers/sized.js';
import { order } from '../lifecycle/payout/sample-payouts.js';
import { modelDatabase } from './compared-rows.js';
import { newId, useEngineDatabase, orderCommand, owner } from './engine-database.js';

const engine = useEngineDatabase();

/** The same draws in each `npm test`; others in each long run. */
const draws = { numRuns: sized(40, 500), ...(sized(1, 0) === 1 && { seed: 20_262 }) };

const shownItem = fc.record({
  itemId: fc.constantFrom('item1', 'item2', 'item3', 'nobody'),
  providerItemId: fc.constantFrom('ITEM-1', 'ITEM-2'),
  status: fc.constantFrom(...itemStatuses.filter((status) => status !== 'queued')),
  minor: fc.constantFrom(100, 100, 100, 200),
  currency: fc.constant('USD'),
});
const page = fc.uniqueArray(shownItem, { selector: ({ itemId }) => itemId, maxLength: 3 });

it('simulated items of a payout move and contradict as those in PostgreSQL do', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 5 }), async (pages) => {
      const id = newId('po');
      const ordered = [1, 2, 3].map((n) => ({ itemId: `item${n}`, minor: 100, currency: 'USD' }));
      await orderPayout(id, ordered);
      const rows = new Rows(() => Date.now());
      simulatedItems.orderItems(rows, id, ordered);
      const [db, model] = [engine.db, modelDatabase(rows)];
      for (const each of pages) {
        expect(await simulatedItems.takeItems(model, id, each)).toEqual(await items.takeItems(db, id, each));
        expect(await simulatedItems.totalItems(model, id)).toEqual(await items.totalItems(db, id));
        const open = (await simulatedItems.listOpenItems(model, id, 2)).map(({ item_id }) => item_id);
        expect(open).toEqual((await items.listOpenItems(db, id, 2)).map(({ item_id }) => item_id));
      }
    }),
    draws,
  );
});

async function orderPayout(
  id: string,
  ordered: readonly { readonly itemId: string; readonly minor: number; readonly currency: string }[],
): Promise<void> {
  const command = { ...orderCommand({ ...owner, paymentId: id }), id: `${id}:order`, subjectId: id };
  const total = { minor: 300, currency: 'USD' };
  const state = orderedPayout({ ...order, payoutId: id, items: ordered.length, total });
  const receiver = { receiverType: 'EMAIL', receiverMasked: 'a…@e…' } as const;
  const rows = ordered.map((item) => ({ ...item, ...receiver }));
  await acceptPayout(
    engine.db,
    command,
    { state, sealedLetters: Buffer.from('sealed'), items: rows },
    nobodyBearsItsReference,
  );
}

const noon = Date.parse('2026-01-01T12:00:00Z');
const shownPayment = fc.record({
  transactionId: fc.constantFrom('SALE-1', 'SALE-2', 'I-1'),
  isSale: fc.constant(false),
  at: fc.integer({ min: 0, max: 1 }).map((n) => new Date(noon + n)),
  status: fc.constantFrom(...subscriptionPaymentStatuses),
  minor: fc.constantFrom(500, 900),
});
const read = fc.record({
  payments: fc.array(shownPayment, { maxLength: 4 }),
  readAt: fc.integer({ min: 0, max: 3 }).map((n) => new Date(noon + n)),
  lagMs: fc.integer({ min: 0, max: 2 }),
});

it('simulated payments of a subscription are booked as in PostgreSQL, two of one key included', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(read, { minLength: 1, maxLength: 5 }), async (reads) => {
      const subject = { ...owner, id: newId('sub') };
      const rows = new Rows(() => Date.now());
      // The book refers to its subscription, which is of no interest here.
      await engine.db.transaction().execute(async (trx) => {
        await sql`set local session_replication_role = 'replica'`.execute(trx);
        for (const each of reads) {
          const saved = await payments.savePayments(trx, subject, 'USD', each);
          expect(await simulatedPayments.savePayments(modelDatabase(rows), subject, 'USD', each)).toEqual(
            saved,
          );
        }
      });
    }),
    draws,
  );
});

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { Rows } from '#proof/simulator/rows/rows.js';
import * as simulatedPayments from '#proof/simulator/rows/subscription-payments.js';
import * as simulatedTransitions from '#proof/simulator/rows/transitions.js';
import * as payments from '#database/subjects/subscription-payments.js';
import { subscriptionRecords } from '#database/transitions';
import * as transitions from '#database/transitions/write-transition.js';
import { type SubscriptionIdentity, subscriptionSubject } from '#workflows/contract';
import { subscriptionPaymentStatuses } from '#workflows/lifecycle/subscription/payment-status.js';
import { sized } from '../helpers/sized.js';
import { now, subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import { modelDatabase } from './compared-rows.js';
import { type EngineDatabase, newId, useEngineDatabase, owner } from './engine-database.js';
import { storeSubscription } from './stored-subscription.js';

const engine = useEngineDatabase();

const statuses = ['active', 'suspended', 'cancelled', 'expired'] as const;

const finding = fc.record({
  payments: fc.uniqueArray(
    fc.record({
      transactionId: fc.constantFrom('SALE-1', 'SALE-2'),
      isSale: fc.constant(true),
      at: fc.constant(new Date(now)),
      status: fc.constantFrom(...subscriptionPaymentStatuses),
      minor: fc.constant(500),
    }),
    { selector: ({ transactionId }) => transactionId },
  ),
  readAt: fc.integer({ min: 0, max: 3 }).map((n) => new Date(now + n)),
  status: fc.constantFrom(...statuses),
  version: fc.integer({ min: 4, max: 8 }),
  knownStatus: fc.option(fc.constantFrom(...statuses), { nil: undefined }),
  task: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
  fails: fc.constantFrom(false, false, false, true),
});
type Finding = typeof finding extends fc.Arbitrary<infer T> ? T : never;

it('simulated findings are written with their transition, or not at all, as in PostgreSQL', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(finding, { minLength: 1, maxLength: 8 }), async (findings) => {
      const subscriptionId = newId('sub');
      const state = subscription('active');
      const identity = await storeSubscription(engine.db, state, subscriptionId);
      const rows = new Rows(() => Date.now());
      rows.insert({
        ...owner,
        id: subscriptionId,
        kind: 'subscription',
        status: state.status,
        state,
        version: 5,
      });
      const real = new Findings(engine.db, identity, { ...transitions, ...payments });
      const model = new Findings(modelDatabase(rows), identity, {
        ...simulatedTransitions,
        ...simulatedPayments,
      });
      for (const each of findings) {
        const outcome = await real.write(each);
        expect(await model.write(each)).toEqual(outcome);
      }
      expect(await model.shown()).toEqual(await real.shown());
    }),
    // The same draws in each `npm test`; others in each long run.
    { numRuns: sized(40, 500), ...(sized(1, 0) === 1 && { seed: 20_265 }) },
  );
});

/** A subscription, and the payments that reads have shown of it. */
class Findings {
  constructor(
    private readonly db: EngineDatabase['db'],
    private readonly identity: SubscriptionIdentity,
    private readonly queries: Pick<typeof transitions, 'writeTransitionWithRows' | 'findPosition'> &
      Pick<typeof payments, 'savePayments'>,
  ) {}

  async write({ status, version, knownStatus, task, fails, ...read }: Finding): Promise<unknown> {
    const { db, queries, identity } = this;
    const subject = subscriptionSubject(identity);
    let saved: unknown;
    try {
      await queries.writeTransitionWithRows(db, async (trx) => {
        saved = await queries.savePayments(trx, subject, 'USD', {
          ...read,
          payments: this.owned(read.payments),
        });
        if (fails) throw new Error('the worker dies');
        const taskStartedAt = task === undefined ? undefined : now + task;
        const state = subscription(status);
        return {
          records: subscriptionRecords,
          subject,
          state,
          version,
          timeline: [],
          knownStatus,
          taskStartedAt,
        };
      });
      return { saved };
    } catch (error) {
      const { name, message, position } = error as { name: string; message: string; position?: unknown };
      return { saved, name, message, position };
    }
  }

  async shown(): Promise<unknown> {
    const { db, queries, identity } = this;
    const subject = subscriptionSubject(identity);
    let book: unknown;
    const rolledBack = new Error('only read');
    await queries
      .writeTransitionWithRows(db, async (trx) => {
        // What changes, if every payment is shown as refunded, is what the book has.
        const payments = ['SALE-1', 'SALE-2'].map((transactionId) => ({
          transactionId,
          isSale: true,
          at: new Date(now),
          status: 'refunded' as const,
          minor: 500,
        }));
        const read = { payments: this.owned(payments), readAt: new Date(now + 10) };
        book = await queries.savePayments(trx, subject, 'USD', read);
        throw rolledBack;
      })
      .catch((error: unknown) => {
        if (error !== rolledBack) throw error;
      });
    return { book, position: await queries.findPosition(db, subscriptionRecords, subject) };
  }

  private owned<T extends { readonly transactionId: string }>(shown: readonly T[]): T[] {
    return shown.map((each) => ({
      ...each,
      transactionId: `${each.transactionId}-${this.identity.subscriptionId}`,
    }));
  }
}

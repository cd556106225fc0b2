import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOpenItem, itemStatuses } from '#workflows/lifecycle/payout/item.js';
import { isTerminal } from '#workflows/lifecycle/payout';
import { type PostResult, ModelRun, postResults, totalsOf } from './model-run.js';
import { day, now, order, patience, second } from './sample-payouts.js';

type Happening = (run: ModelRun) => void;

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Happening>((run) => void run.waitForNextDeadline()) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(second, 60 * second, day, 15 * day, 31 * day).map(
      (ms): Happening =>
        (run) =>
          run.passTo(run.now + ms),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.nat(order.items - 1), fc.constantFrom(...itemStatuses.slice(1))).map(
      ([at, status]): Happening =>
        (run) =>
          run.provider.move(at, status),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Happening>((run) => {
      if (run.provider.batches.length > 0) run.provider.batchStatus = 'SUCCESS';
    }),
  },
  {
    weight: 2,
    arbitrary: fc.constant<Happening>((run) => run.send({ type: 'providerNotified', eventType: 'TEST' })),
  },
);

const life = fc.tuple(
  fc.array(fc.constantFrom(...postResults), { maxLength: 12 }),
  fc.array(happening, { maxLength: 40 }),
);

describe('any events of a payout, in any order', () => {
  it('create it once, and never call it declined while it is at the provider or may still arrive there', () => {
    fc.assert(
      fc.property(life, ([given, happenings]) => {
        const run = new ModelRun([...given]);
        for (const happens of happenings) happens(run);
        if (run.state.status === 'declined') run.passTo(run.now + 40 * day);
        expect(run.provider.batches.length).toBeLessThanOrEqual(1);
        if (run.state.status === 'declined') expect(run.provider.batches).toEqual([]);
        expect(run.ends.length, 'an end is undone').toBeLessThanOrEqual(1);
      }),
      { numRuns: 600 },
    );
  });

  it('lead to an end once the provider answers again, with every item as the provider has it', () => {
    fc.assert(
      fc.property(life, ([given, happenings]) => {
        const run = new ModelRun([...given]);
        for (const happens of happenings) happens(run);
        run.liveOn();
        const { status, totals } = run.state;
        // Nobody may ask again once the provider no longer tells a repeat apart: that is for a person.
        if (status === 'needs_review') {
          expect(run.now - now).toBeGreaterThanOrEqual(29 * day);
          return;
        }
        expect(isTerminal(status)).toBe(true);
        if (status === 'declined') return;
        expect(totals).toEqual(totalsOf(run.rows));
        expect(run.rows.some(isOpenItem)).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  it('show what was returned, however long after the end, even if reads lag and fail', () => {
    const moment: fc.Arbitrary<Happening> = fc.oneof(
      happening,
      fc.nat(order.items - 1).map(
        (at): Happening =>
          (run) =>
            run.giveBack(at),
      ),
      fc.nat(order.items - 1).map(
        (at): Happening =>
          (run) =>
            run.provider.move(at, 'success'),
      ),
      fc.nat(patience.outcomeHorizonMs).map(
        (ms): Happening =>
          (run) =>
            void (run.provider.lagMs = ms),
      ),
      fc.nat(3).map(
        (count): Happening =>
          (run) =>
            void (run.failingReads = count),
      ),
    );
    fc.assert(
      fc.property(fc.array(moment, { maxLength: 60 }), fc.array(moment, { maxLength: 20 }), (life, after) => {
        const run = new ModelRun([]);
        for (const moments of [life, after]) {
          for (const happens of moments) happens(run);
          run.liveOn();
        }
        expect(isTerminal(run.state.status)).toBe(true);
        expect(run.state.totals).toEqual(totalsOf(run.rows));
        expect(run.ends.length, 'an end is undone').toBe(1);
        for (const at of run.givenBack) expect(run.rows[at]).toBe('refunded');
      }),
      { numRuns: 600 },
    );
  });

  it('have the same end when answers are lost', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom<PostResult>('reply lost', 'request lost', 'executed late'), {
          maxLength: 8,
        }),
        (lost) => {
          const run = new ModelRun([...lost]);
          run.liveOn();
          expect([run.state.status, run.provider.batches.length]).toEqual(['completed', 1]);
        },
      ),
    );
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Collection, collections, month } from './model-provider.js';
import { type PostResult, ModelRun, postResults } from './model-run.js';
import { day, patience } from './sample-subscriptions.js';

const waits = [0, 1_000, patience.outcomeHorizonMs, day, month];

/** Cycles that fail, and billings of what they leave owed, whose calls and reads go wrong. */
const owed = fc.record({
  collected: fc.array(fc.constantFrom<Collection>(...collections, 'failed'), { maxLength: 10 }),
  billings: fc.array(
    fc.record({
      postResults: fc.array(fc.constantFrom<PostResult>(...postResults, 'lost after', 'lost before'), {
        maxLength: 3,
      }),
      reads: fc.array(fc.constantFrom('fresh' as const, 'lagging' as const, 'failed' as const), {
        maxLength: 8,
      }),
      /** Right before a cycle, or some time after one. */
      waitMs: fc.constantFrom(0, 1_000, month - 2_000, month - 60_000, month),
      minor: fc.constantFrom(undefined, undefined, 400, 1_000),
      thenMs: fc.constantFrom(...waits),
      isForgiven: fc.constantFrom(false, false, true),
    }),
    { minLength: 1, maxLength: 5 },
  ),
});

describe('any billings and remissions of what cycles have left owed', () => {
  it('do once what they report as done, and nothing that they report as undone', () => {
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(owed, ({ collected, billings }) => {
        const [results, reads]: [PostResult[], ('fresh' | 'lagging' | 'failed')[]] = [[], []];
        const run = new ModelRun(results, reads, { collections: [...collected] });
        run.provider.hasPayerApproved = true;
        run.send({ type: 'payerApproved' });
        run.waitUntil(run.now + day + month);
        for (const [n, each] of billings.entries()) {
          run.waitUntil(run.now + each.waitMs);
          results.push(...each.postResults);
          reads.push(...each.reads);
          const asked = each.minor === undefined ? {} : { minor: each.minor };
          const named = { commandId: `cmd_${n}`, note: 'x' };
          run.send(
            each.isForgiven
              ? { type: 'setBalanceRequested', ...named, minor: each.minor ?? 0 }
              : { type: 'billBalanceRequested', ...named, ...asked },
          );
          run.waitUntil(run.now + each.thenMs);
          outcomes.add(run.state.status);
        }
      }),
      { numRuns: 800 },
    );
    expect([...outcomes]).toEqual(expect.arrayContaining(['active', 'billing_balance', 'needs_review']));
  });
});

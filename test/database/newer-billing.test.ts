import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { findSubscription } from '#database/subjects';
import { subscriptionRecords, writeTransition } from '#database/transitions';
import { subscriptionSubject } from '#workflows/contract';
import { type Billing, type SubscriptionState, withNewerBilling } from '#workflows/lifecycle/subscription';
import { sized } from '../helpers/sized.js';
import { subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import { useEngineDatabase } from './engine-database.js';
import { storeSubscription } from './stored-subscription.js';

const engine = useEngineDatabase();

const lostTask = Date.parse('2026-01-01T12:00:00Z');

function billed(cyclesCompleted: number, updatedAt?: number): Billing {
  const known = { cyclesCompleted, outstandingMinor: 0, failedPayments: 0 };
  return { ...known, ...(updatedAt !== undefined && { updatedAt }) };
}

/** Writes the states, each by a newer task than the one before, and shows the row after each. */
async function shownAfter(states: readonly SubscriptionState[]): Promise<SubscriptionState[]> {
  const { db } = engine;
  const identity = await storeSubscription(db, subscription('executing'));
  const shown: SubscriptionState[] = [];
  for (const [nth, state] of states.entries()) {
    const written = { records: subscriptionRecords, subject: subscriptionSubject(identity), state };
    const task = { taskStartedAt: lostTask + nth, timeline: [], version: 5 };
    await writeTransition(db, { ...written, ...task });
    const row = await findSubscription(db, identity);
    if (row) shown.push(row.state);
  }
  return shown;
}

it('a cycle that was shown stays when its read is lost, until its run reads again', async () => {
  const active = subscription('active');
  const shown = await shownAfter([
    { ...active, billing: billed(2) },
    { ...active, billing: billed(1), reason: 'It was read before.' },
    { ...subscription('suspended'), billing: billed(1) },
    { ...active, billing: billed(3) },
  ]);
  expect(shown.map(({ status, billing }) => [status, billing?.cyclesCompleted])).toEqual([
    ['active', 2],
    ['active', 2],
    ['suspended', 2],
    ['active', 3],
  ]);
  // The rest of the state is the run's.
  expect(shown[1]?.reason).toBe('It was read before.');
});

it('a cycle that was shown stays when its run is taken back to before the subscription began', async () => {
  const { billing: _none, ...before } = subscription('awaiting_approval');
  const [, again] = await shownAfter([{ ...subscription('active'), billing: billed(1) }, before]);
  expect([again?.status, again?.billing?.cyclesCompleted]).toEqual(['awaiting_approval', 1]);
});

const drawn = fc.option(
  fc
    .record({ cycles: fc.nat(2), updatedAt: fc.option(fc.nat(2), { nil: undefined }) })
    .map(({ cycles, updatedAt }) => billed(cycles, updatedAt)),
  { nil: undefined },
);

it('PostgreSQL keeps the billing that the lifecycle calls newer', async () => {
  const { billing: _none, ...active } = subscription('active');
  await fc.assert(
    fc.asyncProperty(fc.array(drawn, { minLength: 2, maxLength: 8 }), async (billings) => {
      const states = billings.map((billing) => ({ ...active, ...(billing && { billing }) }));
      const kept: SubscriptionState[] = [];
      for (const state of states) kept.push(withNewerBilling(state, kept.at(-1) ?? active));
      expect(await shownAfter(states)).toEqual(kept);
    }),
    { numRuns: sized(20, 200), ...(sized(1, 0) === 1 && { seed: 20_263 }) },
  );
});

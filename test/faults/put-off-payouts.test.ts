import { afterEach, describe, expect, it, vi } from 'vitest';
import { findAttempts } from '#database/transitions';
import type { PayoutStepInput } from '#workflows/contract';
import { advance } from '#workflows/lifecycle';
import { payoutLifecycle } from '#workflows/lifecycle/payout';
import { outcomeOf } from '../helpers/outcome-of.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { type Hired, PayoutStage, carryOn, retire } from './payout-stage.js';

const stage = forAllTests(() => PayoutStage.open());
afterEach(async () => {
  vi.useRealTimers();
  await stage.sandbox.clearFaults();
});

const decided = { commandId: 'cmd_1', reason: 'Not in the dashboard.' } as const;

const creations = async () =>
  (await stage.sandbox.calls('limit=100')).filter(({ operation }) => operation === 'payout.create');

/** The batch was made, its answer was lost, and the provider had no time for the repeat. */
async function putOff(worker: Hired): Promise<PayoutStepInput> {
  const input = await stage.ordered('r0@example.com');
  await stage.sandbox.fault({ kind: 'drop_reply', operation: 'payout.create', times: null });
  const again = await carryOn(worker, input);
  await stage.sandbox.clearFaults();
  await stage.sandbox.fault({ kind: 'status', operation: 'payout.create', status: 429, times: null });
  const { event, at } = await outcomeOf(worker.activities.createPayout(again));
  expect(event).toMatchObject({ type: 'stepDeferred' });
  const { position } = advance(payoutLifecycle, again, event, at);
  expect(position.state.openStep).toMatchObject({ phase: 'doubt', attempts: 1 });
  return { identity: input.identity, timeline: [], ...position };
}

describe('a creation of unknown outcome whose repeat was put off', () => {
  it('cannot be decided as undone: only the repeat was refused', async () => {
    const worker = stage.hire();
    const input = await putOff(worker);
    const undone = { ...decided, decision: 'did_not_happen' } as const;
    const { event } = await outcomeOf(worker.activities.verifyPayoutDecision(input, undone));
    expect(event).toMatchObject({ type: 'decisionRefused', code: 'too_early' });
    expect(await stage.booksOf(input)).toEqual(['payout']);
    await retire(worker);
  });

  it('is decided as made by the batch that the operator names', async () => {
    const worker = stage.hire();
    const input = await putOff(worker);
    const made = { ...decided, decision: 'happened', resourceId: await stage.batchOf(input) } as const;
    const { event } = await outcomeOf(worker.activities.verifyPayoutDecision(input, made));
    expect(event).toMatchObject({ type: 'payoutCreated', providerBatchId: made.resourceId });
    const attempts = await findAttempts(stage.db, input.identity.payoutId, 'create');
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['answered', 'deferred']);
    await retire(worker);
  });

  it('takes a late answer, whatever the operator says', async () => {
    const late = stage.hire();
    const order = await stage.ordered('r0@example.com');
    await stage.sandbox.fault({ kind: 'delay', operation: 'payout.create', delayMs: 10_000, times: 1 });
    const answered = late.activities.createPayout(order);
    await until(
      () => stage.booksOf(order),
      (kinds) => kinds.length > 0,
      'the money to have left',
    );
    const worker = stage.hire();
    const again = await carryOn(worker, order);
    await stage.sandbox.fault({ kind: 'status', operation: 'payout.create', status: 429, times: null });
    const put = await outcomeOf(worker.activities.createPayout(again));
    const { position } = advance(payoutLifecycle, again, put.event, put.at);
    const made = await outcomeOf(answered);
    const undone = { ...decided, decision: 'did_not_happen' } as const;
    const input = { identity: order.identity, timeline: [], ...position };
    const { event } = await outcomeOf(worker.activities.verifyPayoutDecision(input, undone));
    expect(event).toEqual(made.event);
    await retire(late, worker);
  });
});

it('is not repeated when the provider no longer tells a repeat apart, however long the run has waited', async () => {
  const worker = stage.hire();
  const input = await stage.ordered('r0@example.com');
  await stage.sandbox.fault({ kind: 'drop_reply', operation: 'payout.create', times: null });
  // The run has decided to ask again, and then no worker could: its application was not configured for a month.
  const again = await carryOn(worker, input);
  await stage.sandbox.clearFaults();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * 86_400_000 });
  const before = await creations();
  const { event, at } = await outcomeOf(worker.activities.createPayout(again));
  expect(await creations()).toHaveLength(before.length);
  // A person decides what cannot be asked any more.
  const { position } = advance(payoutLifecycle, again, event, at);
  expect(position.state).toMatchObject({ status: 'needs_review', openStep: { phase: 'doubt' } });
  expect(payoutLifecycle.nextDeadline(position.state)).toBeUndefined();
  await retire(worker);
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StepDecision } from '#workflows/lifecycle/step/review.js';
import type { SubscriptionEvent } from '#workflows/lifecycle/subscription';
import { type Collection, type Payment, collections, month } from './model-provider.js';
import { type PostResult, type ReadResult, ModelRun, postResults, readResults } from './model-run.js';
import { feeUnpaid } from '#workflows/lifecycle/subscription/rules.js';
import { day, patience } from './sample-subscriptions.js';

/** What people, the provider and time can do to a subscription, in any order and as often as they like. */
type Happening = readonly [name: string, happen: (run: ModelRun) => void];

const request = (
  type: 'suspendRequested' | 'reactivateRequested' | 'cancelRequested',
): SubscriptionEvent => ({
  type,
  commandId: `cmd_${type}`,
  note: 'x',
});

/**
 * Each is another command. Not within a second of the last change: their instants could not be distinguished, and a person
 * would decide about a lost answer.
 */
function billBalance(run: ModelRun, minor?: number): void {
  run.waitUntil(run.now + 1_000);
  const commandId = `cmd_${run.state.stepsBegun}`;
  run.send({ type: 'billBalanceRequested', commandId, note: 'x', ...(minor !== undefined && { minor }) });
}

const messages: readonly SubscriptionEvent[] = [
  { type: 'payerApproved' },
  { type: 'payerCancelled' },
  request('suspendRequested'),
  request('reactivateRequested'),
  request('cancelRequested'),
  { type: 'providerNotified', eventType: 'BILLING.SUBSCRIPTION.UPDATED' },
];

const happenings: readonly Happening[] = [
  ['the payer approves', (run) => void (run.provider.hasPayerApproved = true)],
  ['the payer approves', (run) => void (run.provider.hasPayerApproved = true)],
  ...messages.map((event): Happening => [event.type, (run) => run.send(event)]),
  ['billBalanceRequested', (run) => billBalance(run)],
  ['a part of the balance', (run) => billBalance(run, 400)],
  ...(['Suspended', 'Active', 'Cancelled'] as const).map((to): Happening => [
    `${to} elsewhere`,
    (run) => void run.provider.change(to, run.now),
  ]),
  [
    'refund elsewhere',
    (run) => {
      const isGivenBack = run.provider.refund(run.now);
      const event = {
        type: 'providerNotified',
        eventType: 'PAYMENT.SALE.REFUNDED',
        isAboutPayment: true,
      } as const;
      if (isGivenBack) run.send(event);
    },
  ],
  ...[1_000, patience.outcomeHorizonMs, 3_600_000, day, month, 6 * month].map((ms): Happening => [
    `wait ${ms}`,
    (run) => run.waitUntil(run.now + ms),
  ]),
];

const life = fc.record({
  /** Otherwise the happenings may include it, or not. */
  isBegun: fc.constantFrom(true, true, false),
  postResults: fc.array(fc.constantFrom<PostResult>(...postResults), { maxLength: 8 }),
  reads: fc.array(fc.constantFrom<ReadResult>(...readResults), { maxLength: 12 }),
  scenario: fc.array(fc.constantFrom(...happenings), { maxLength: 25 }),
  collected: fc.array(fc.constantFrom<Collection>(...collections), { maxLength: 8 }),
  feeFailure: fc.constantFrom('continue' as const, 'cancel' as const),
});

/** The status of a subscription, by the state of its agreement at the provider. */
const statusByAgreement: Readonly<Record<string, string>> = {
  Active: 'active',
  Suspended: 'suspended',
  Cancelled: 'cancelled',
  Expired: 'expired',
};

/** A change with an unknown outcome. An operator decides about it, as often wrongly as correctly. */
const doubt = fc.record({
  asked: fc.constantFrom(
    'suspendRequested' as const,
    'reactivateRequested' as const,
    'cancelRequested' as const,
  ),
  postResult: fc.constantFrom('lost after' as const, 'lost before' as const),
  decision: fc.constantFrom<StepDecision>('happened', 'did_not_happen'),
  waitMs: fc.constantFrom(20 * 60_000, 2 * 3_600_000),
});

function approve(run: ModelRun): void {
  run.provider.hasPayerApproved = true;
  run.send({ type: 'payerApproved' });
}

/** A person decides correctly about a billing that was compared with a lagging read: a later cycle may have made the sale. */
function decideOnBilling(run: ModelRun): void {
  const { status, openStep } = run.state;
  if (status !== 'needs_review' || openStep?.step.type !== 'billBalance') return;
  const isBilled = run.provider.billed.has(openStep.step.commandId);
  const decision = isBilled ? 'happened' : 'did_not_happen';
  run.send({ type: 'reviewDecided', decision, commandId: 'cmd_1', reason: 'x', isUnverified: true });
  run.waitUntil(run.now + month);
}

function paidOf(payments: readonly Payment[]): Payment[] {
  return payments.filter(({ status }) => status === 'completed' || status === 'refunded');
}

describe('any events of a subscription, in any order', () => {
  it('execute one agreement, lose no payment, undo no end, and lead to the provider’s status', () => {
    const ends = new Set<string>();
    fc.assert(
      fc.property(life, ({ isBegun, postResults: first, reads, scenario, collected, feeFailure }) => {
        const run = new ModelRun([...first], [...reads], { collections: [...collected], feeFailure });
        if (isBegun) approve(run);
        for (const [, happen] of scenario) happen(run);
        run.calm();
        // Nothing else happens. Each unknown outcome is found, polls find what was done elsewhere, and the provider decides
        // about what is pending.
        run.waitUntil(run.now + 2 * month);
        decideOnBilling(run);
        const { standing } = run.provider;
        if (!standing) {
          expect(['lapsed', 'cancelled', 'declined', 'awaiting_approval']).toContain(run.state.status);
          return;
        }
        run.provider.isIdle = true;
        if (run.state.status === 'active' || run.state.status === 'suspended') {
          run.send({ type: 'providerNotified', eventType: 'BILLING.SUBSCRIPTION.UPDATED' });
        }
        // An end that fell into the last instant is read on, until nothing that was billed right before it can be missing.
        run.waitUntil(run.now + 2 * month);
        const settled = run.provider.standing ?? standing;
        ends.add(`${settled.shown} ${run.isClosed}`);
        expect(run.state.status).toBe(statusByAgreement[settled.shown]);
        expect(run.state.billing).toMatchObject({
          cyclesCompleted: settled.completed,
          outstandingMinor: settled.outstanding,
          failedPayments: settled.failed,
        });
        expect([...run.book.values()]).toEqual(settled.payments);
        expect(run.isClosed).toBe(settled.shown === 'Cancelled' || settled.shown === 'Expired');
        if (run.state.reason === feeUnpaid) expect(paidOf(settled.payments)).toEqual([]);
      }),
      { numRuns: 800 },
    );
    expect([...ends].toSorted()).toEqual([
      'Active false',
      'Cancelled true',
      'Expired true',
      'Suspended false',
    ]);
  });

  it('lead to the provider’s status even if an operator decided otherwise about what cannot be read', () => {
    const reviewed = new Set<StepDecision>();
    fc.assert(
      fc.property(fc.array(doubt, { minLength: 1, maxLength: 4 }), (doubts) => {
        const run = new ModelRun([], []);
        approve(run);
        for (const { asked, postResult, decision, waitMs } of doubts) {
          run.fallSilent(postResult);
          run.send(request(asked));
          run.waitUntil(run.now + waitMs);
          if (run.state.status === 'needs_review') reviewed.add(decision);
          const decided = { decision, commandId: 'cmd_1', reason: 'x', isUnverified: true };
          run.send({ type: 'reviewDecided', ...decided });
          run.calm();
          run.waitUntil(run.now + day);
        }
        expect(run.state.status).toBe(statusByAgreement[run.provider.standing?.shown ?? '']);
      }),
      { numRuns: 300 },
    );
    expect(reviewed.size).toBe(2);
  });

  it.each([
    ['a cycle', ['completed', 'failed']],
    ['a setup fee', ['failed']],
  ] as const)('record that %s failed within the hour, though the lists lag', (_, collected) => {
    const lagging = Array.from({ length: 20 }, () => 'lagging list' as const);
    const run = new ModelRun([], lagging, { collections: [...collected] });
    approve(run);
    run.waitUntil(run.now + day + 3_600_000);
    expect([...run.book.values()]).toEqual(run.provider.standing?.payments);
  });

  it('record a year of monthly billing without a single webhook', () => {
    const run = new ModelRun([], []);
    approve(run);
    run.waitUntil(run.now + 13 * month);
    expect(run.state).toMatchObject({ status: 'expired', billing: { cyclesCompleted: 12 } });
  });
});

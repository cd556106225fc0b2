import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountsOf, paymentStatuses, type PaymentEvent } from '#workflows/lifecycle/payment';
import { type PostResult, postResults } from './model-provider.js';
import { type Circumstances, crashes } from './model-circumstances.js';
import { ModelRun } from './model-run.js';
import { day, hour, orderedAt, patience, second } from './sample-payments.js';

/** What people, the provider and time can do to a payment, in any order and as often as they like. */
type Happening = (run: ModelRun) => void;

const message = fc.oneof(
  fc.constant<PaymentEvent>({ type: 'payerApproved', payerId: 'PAYER-1' }),
  fc.constant<PaymentEvent>({ type: 'payerCancelled' }),
  fc.constant<PaymentEvent>({ type: 'voidRequested', commandId: 'cmd_void' }),
  fc.constant<PaymentEvent>({ type: 'releaseRequested', commandId: 'cmd_release' }),
  fc.constant<PaymentEvent>({ type: 'cancelRequested', commandId: 'cmd_cancel' }),
  fc
    .record({ minor: fc.integer({ min: 1, max: 130_00 }) }, { requiredKeys: [] })
    .map((asked): PaymentEvent => ({ type: 'reauthorizeRequested', commandId: 'cmd_renewal', ...asked })),
  fc.constant<PaymentEvent>({ type: 'providerNotified', eventType: 'PAYMENT.AUTHORIZATION.CREATED' }),
  fc.constantFrom('happened', 'did_not_happen', 'void', 'keep').map((decision): PaymentEvent => ({
    type: 'reviewDecided',
    commandId: 'cmd_decision',
    decision,
    reason: 'seen',
  })),
  fc
    .record({ minor: fc.integer({ min: 1, max: 120_00 }), final: fc.boolean() }, { requiredKeys: [] })
    .map((asked): PaymentEvent => ({ type: 'captureRequested', commandId: 'cmd_capture', ...asked })),
);

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 4, arbitrary: message.map((event): Happening => named(event.type, (run) => run.send(event))) },
  {
    weight: 2,
    arbitrary: fc.constant(named('the payer approves', (run) => void (run.provider.payerId = 'PAYER-1'))),
  },
  { weight: 3, arbitrary: fc.constant(named('the next deadline', (run) => run.waitForNextDeadline())) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(second, patience.outcomeHorizonMs, hour, day, 3 * day, 26 * day, 29 * day)
      .map((ms) => named(`wait ${ms}`, (run) => run.waitUntil(run.now + ms))),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(hour, 3 * day, 28 * day, 40 * day)
      .map((ms) => named(`sleep ${ms}`, (run) => run.sleepUntil(run.now + ms))),
  },
  {
    weight: 1,
    arbitrary: fc.constant(
      named('reauthorized elsewhere', (run) => run.provider.reauthorizeElsewhere(run.now)),
    ),
  },
  { weight: 1, arbitrary: fc.constant(named('voided elsewhere', (run) => run.provider.voidElsewhere())) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('completed', 'denied')
      .map((status) => named(`captures ${status}`, (run) => run.provider.finishCaptures(status))),
  },
);

const asked = {
  intent: fc.constantFrom('authorize' as const, 'authorize' as const, 'sale' as const),
  capturePolicy: fc.constantFrom(
    { mode: 'manual' as const },
    { mode: 'automatic' as const },
    { mode: 'at' as const, at: orderedAt + 2 * day },
    { mode: 'at' as const, at: orderedAt + 60 * day },
  ),
  expiryPolicy: fc.constantFrom(
    { action: 'void' as const },
    { action: 'capture' as const },
    { action: 'expire' as const },
  ),
  honourPolicy: fc.record({
    action: fc.constantFrom('warn', 'capture', 'none'),
    reauthorize: fc.constantFrom('none', 'once', 'as_allowed'),
  }),
  // Absent in older orders.
  holdsRest: fc.constant(true as const),
  remembersNews: fc.constant(true as const),
  rules: fc.constant(2 as const),
};

const circumstances: fc.Arbitrary<Circumstances> = fc.record({
  asked: fc.record(asked, { requiredKeys: ['intent', 'capturePolicy', 'expiryPolicy', 'honourPolicy'] }),
  approvesAtOnce: fc.boolean(),
  keepsId: fc.boolean(),
  postResults: fc.array(fc.constantFrom(...postResults), { maxLength: 8 }),
  reads: fc.array(fc.boolean(), { maxLength: 8 }),
  persistsTransitions: fc.constant(true),
  crashes: fc.array(fc.constantFrom(...crashes), { maxLength: 12 }),
});

const life = fc.tuple(circumstances, fc.array(happening, { maxLength: 25 }));

describe('any events of a payment, in any order', () => {
  it('move no more than was authorized, move nothing twice, undo no end and forget no hold', () => {
    fc.assert(
      fc.property(life, ([given, happenings]) => {
        const run = new ModelRun(given);
        for (const happens of happenings) happens(run);
      }),
      { numRuns: 600 },
    );
  });

  it('lead to an end once the provider answers again, with rows that agree with the books', () => {
    fc.assert(
      fc.property(life, ([given, happenings]) => {
        const run = new ModelRun(given);
        for (const happens of happenings) happens(run);
        run.liveOn();
        expect(amountsOf(run.state).captured).toBe(run.provider.captured);
        const arrived = run.state.status === 'captured' || run.state.status === 'completed';
        expect(arrived).toBe(run.provider.captured > 0);
        expect(run.provider.isOpen, 'a hold is left behind').toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it('have the same end when a reply is lost', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom<PostResult>('reply lost', 'request lost', 'executed late', 'deferred'), {
          maxLength: 6,
        }),
        (lost) => {
          const run = new ModelRun({
            asked: { capturePolicy: { mode: 'automatic' } },
            approvesAtOnce: true,
            postResults: lost,
            reads: [],
            crashes: [],
            persistsTransitions: true,
          });
          run.liveOn();
          expect(run.state.status).toBe('captured');
          expect(run.provider.captures).toHaveLength(1);
          expect(run.provider.captured).toBe(100_00);
        },
      ),
    );
  });
});

describe('a sale, whatever happens to its calls', () => {
  it('takes the money once, and is never called completed before it has arrived', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...postResults), { maxLength: 6 }),
        fc.boolean(),
        (given, atOnce) => {
          const run = new ModelRun({
            asked: { intent: 'sale' },
            approvesAtOnce: atOnce,
            postResults: given,
            reads: [],
            crashes: [],
            persistsTransitions: true,
          });
          run.provider.payerId = 'PAYER-1';
          for (let looks = 0; looks < 20; looks += 1) {
            if (run.state.status === 'completed') expect(run.provider.captured).toBe(100_00);
            run.waitForNextDeadline();
          }
          run.liveOn();
          expect(['completed', 'declined']).toContain(run.state.status);
          expect(run.provider.moved).toBe(run.state.status === 'completed' ? 100_00 : 0);
        },
      ),
    );
  });
});

describe('a worker that dies between a read or deadline and the money step that it caused', () => {
  it('forgets a hold when a message comes before the transition is persisted', () => {
    const run = approvalSeenByPoll(false);
    expect(run.state.status).toBe('cancelled');
    expect(run.provider.isOpen).toBe(true);
  });

  it('is followed by one that finds the hold when the transition is persisted first', () => {
    const run = approvalSeenByPoll(true);
    expect(run.state.status).toBe('authorized');
    expect(run.provider.isOpen).toBe(true);
  });
});

it('the generated lifecycles reach every status', () => {
  const reached = new Set<string>();
  fc.assert(
    fc.property(life, ([given, happenings]) => {
      const run = new ModelRun(given);
      for (const happens of [...happenings, (last: ModelRun) => last.liveOn()]) {
        reached.add(run.state.status);
        happens(run);
      }
      reached.add(run.state.status);
    }),
    { numRuns: 1_200, seed: 3 },
  );
  expect(reached).toEqual(new Set(paymentStatuses));
});

/** Found by the properties: the payer approves, a poll sees it and executes, the worker dies, the payer cancels. */
function approvalSeenByPoll(persistsTransitions: boolean): ModelRun {
  const run = new ModelRun({
    asked: {},
    approvesAtOnce: false,
    postResults: [],
    reads: [],
    persistsTransitions,
    crashes: ['none', 'after the outcome is written'],
  });
  run.provider.payerId = 'PAYER-1';
  run.waitForNextDeadline();
  run.send({ type: 'payerCancelled' });
  return run;
}

/** So that a counterexample reads as a list of happenings. */
function named(name: string, happening: Happening): Happening {
  return Object.assign(happening, { [fc.toStringMethod]: () => name });
}

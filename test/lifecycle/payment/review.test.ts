import { describe, expect, it } from 'vitest';
import {
  amountsOf,
  type PaymentState,
  type PaymentStatus,
  type PaymentEvent,
  possibleDecisions,
  reviewSubject,
  transition,
} from '#workflows/lifecycle/payment';
import { after, authorization, capture, facts, inDoubt, now, payment } from './sample-payments.js';

const decided = (decision: 'happened' | 'did_not_happen' | 'void' | 'keep'): PaymentEvent => ({
  type: 'reviewDecided',
  commandId: 'cmd_9',
  decision,
  reason: 'Seen in the provider’s dashboard.',
});
const undone: PaymentEvent = { type: 'stepDecidedUndone', reason: 'An operator has decided so.' };

function reviewed(status: PaymentStatus): PaymentState {
  return { ...inDoubt(payment(status)), status: 'needs_review' };
}

function heldInstead(minor: number, asked = {}): PaymentState {
  return after(payment('authorizing', asked), [
    {
      type: 'authorizationGranted',
      providerPaymentId: 'PAY-1',
      authorization: { ...authorization, minor },
    },
  ]);
}

describe('a decision about a step in doubt', () => {
  it.each(['creating', 'authorizing', 'capturing', 'voiding'] as const)(
    'is checked at the provider and moves nothing by itself: %s',
    (status) => {
      const state = reviewed(status);
      expect(possibleDecisions(state)).toEqual(['happened', 'did_not_happen']);
      for (const decision of ['happened', 'did_not_happen'] as const) {
        const taken = transition(state, decided(decision), now);
        expect(taken).toMatchObject({ kind: 'moved', state, effect: { type: 'verifyDecision' } });
      }
      for (const decision of ['void', 'keep'] as const) {
        expect(transition(state, decided(decision), now).kind).toBe('refused');
      }
    },
  );

  it('does not count for another step than the one that it was accepted for', () => {
    const state = reviewed('capturing');
    const step = state.openStep?.number ?? 0;
    const about = (number: number) =>
      transition(state, { ...decided('did_not_happen'), step: number } as PaymentEvent, now);
    expect(about(step).kind).toBe('moved');
    for (const other of [step - 1, step + 1, 0]) {
      expect(about(other)).toMatchObject({ kind: 'refused', refusal: { code: 'not_allowed_in_state' } });
    }
    const heldOther = heldInstead(90_00);
    expect(transition(heldOther, { ...decided('keep'), step: 0 } as PaymentEvent, now).kind).toBe('moved');
    expect(transition(heldOther, { ...decided('keep'), step } as PaymentEvent, now).kind).toBe('refused');
  });

  it.each([
    ['creating', 'declined'],
    ['authorizing', 'declined'],
    ['capturing', 'partially_captured'],
    ['voiding', 'authorized'],
  ] as const)('that it did not happen never repeats it: %s becomes %s', (status, to) => {
    const taken = transition(reviewed(status), undone, now);
    expect(taken.state).toMatchObject({ status: to, reason: 'An operator has decided so.' });
    expect(taken.state.openStep).toBeUndefined();
    expect(taken.kind === 'moved' && taken.effect?.type).not.toBe('perform');
  });
});

it('nothing can be decided about a payment that is not under review', () => {
  expect(possibleDecisions(payment('authorized'))).toEqual([]);
});

it('while a step is open, the review is about it', () => {
  expect(reviewSubject(reviewed('capturing'))).toBe('step');
});

describe('a hold of another amount', () => {
  it('is voided when an operator decides so, and returns to review when that fails', () => {
    const taken = transition(heldInstead(120_00), decided('void'), now);
    expect(taken).toMatchObject({ state: { status: 'voiding' }, effect: { type: 'perform' } });
    expect(after(taken.state, [{ type: 'voidConfirmed' }]).status).toBe('voided');
    const failed = after(taken.state, [{ type: 'stepDeclined', reason: 'no' }]);
    expect(failed.status).toBe('needs_review');
    expect(possibleDecisions(failed)).toEqual(['void', 'keep']);
  });

  it('that is kept is captured up to what was ordered, and no further', () => {
    const kept = after(heldInstead(120_00), [decided('keep')]);
    expect(kept.status).toBe('authorized');
    expect(amountsOf(kept)).toMatchObject({ authorized: 120_00, capturable: 100_00 });
    expect(transition(kept, { type: 'captureRequested', commandId: 'cmd_1', minor: 100_01 }, now).kind).toBe(
      'refused',
    );
    const capturing = after(kept, [{ type: 'captureRequested', commandId: 'cmd_1' }]);
    expect(capturing.openStep?.step).toMatchObject({ minor: 100_00, final: true });
  });

  it('that is kept is captured at once when the order says so', () => {
    const held = heldInstead(80_00, { capturePolicy: { mode: 'automatic' } });
    expect(transition(held, decided('keep'), now)).toMatchObject({
      state: { status: 'capturing' },
      effect: { type: 'perform', step: { minor: 80_00 } },
    });
  });

  it('that is kept is not reviewed again, even when its capture has failed', () => {
    const kept = after(heldInstead(120_00), [decided('keep')]);
    const refused = after(
      kept,
      [{ type: 'captureRequested', commandId: 'cmd_1' }],
      [{ type: 'stepDeclined', reason: 'no' }],
    );
    expect(refused.status).toBe('authorized');
  });

  it('that is captured in part is kept without another capture by policy', () => {
    const held = heldInstead(120_00, { capturePolicy: { mode: 'automatic' } });
    const partly = transition({ ...held, captures: [capture(40_00)] }, decided('keep'), now);
    expect(partly).toMatchObject({ kind: 'moved', state: { status: 'partially_captured' } });
    expect(partly).not.toHaveProperty('effect');
  });

  it('is not decided like a step', () => {
    expect(transition(heldInstead(120_00), decided('happened'), now)).toMatchObject({
      kind: 'refused',
      refusal: { reason: 'What is under review can be decided by void or keep only.' },
    });
  });
});

describe('a hold that the provider calls captured without showing a capture', () => {
  const unseen: PaymentState = { ...payment('authorized'), status: 'needs_review', lapsed: true };

  it('ends captured by the capture that an operator has found', () => {
    const found = { ...capture(100_00, { captureId: 'CAP-9' }), final: true };
    expect(after(unseen, [{ type: 'captureAnswered', capture: found }]).status).toBe('captured');
  });

  it('ends expired when an operator has found none', () => {
    expect(after(unseen, [undone])).toMatchObject({ status: 'expired', released: true });
  });

  it('is read further when an operator has found none and a capture is pending, which decides the end', () => {
    const pending = { ...capture(60_00, { captureId: 'CAP-9' }), status: 'pending' } as const;
    const shown = { ...unseen, order: { ...unseen.order, holdsRest: true as const }, captures: [pending] };
    const waiting = after(shown, [undone]);
    expect(waiting).toMatchObject({ status: 'capturing', holdEnd: 'expired' });
    const completed = facts({ captures: [{ ...pending, status: 'completed' }] });
    expect(after(waiting, [{ type: 'providerObserved', facts: completed }])).toMatchObject({
      status: 'captured',
      released: true,
    });
  });
});

import { describe, expect, it } from 'vitest';
import { nextDeadline } from '#workflows/lifecycle/payment/deadlines.js';
import {
  type PaymentOrder,
  type PaymentState,
  type PaymentEvent,
  allowedActions,
  restartFrom,
  transition,
} from '#workflows/lifecycle/payment';
import {
  after,
  authorization,
  capture,
  day,
  inDoubt,
  now,
  patience,
  payment,
  second,
} from './sample-payments.js';

const undone: PaymentEvent = { type: 'stepProvedUndone' };
const due: PaymentEvent = { type: 'stepCameDue' };

const putOff = (at: number): PaymentEvent => ({ type: 'stepDeferred', retryAt: at + second });

describe('a step that the provider certainly did not do', () => {
  const deferred = after(payment('capturing'), [{ type: 'stepDeferred', retryAt: now + 5 * second }]);

  it('is sent again at the time the provider asked for, under a new number', () => {
    expect(nextDeadline(deferred)).toEqual({ at: now + 5 * second, event: due });
    expect(after(deferred, [due, now + 5 * second]).openStep).toMatchObject({
      attempts: 1,
      phase: 'running',
    });
  });

  it('is not sent earlier because of a webhook', () => {
    expect(transition(deferred, { type: 'providerNotified', eventType: 'X' }, now).kind).toBe('stale');
  });

  it.each([
    ['creating', 'declined'],
    ['capturing', 'partially_captured'],
    ['voiding', 'authorized'],
  ] as const)(
    'is given up while %s after as many attempts as the order’s wait policy allows',
    (status, to) => {
      const givenUp = exhaust(payment(status));
      expect(givenUp.status).toBe(to);
      expect(givenUp.openStep).toBeUndefined();
      expect(givenUp.reason).toMatch(
        /^The provider gave no usable answer; it is proved that the .* did not happen\.$/,
      );
    },
  );
});

it.each(['authorize', 'sale'] as const)(
  'an execution is tried for three days after the last moment for an approval, and ends the payment only then: %s',
  (intent) => {
    const begun = after(payment('awaiting_approval', { intent }), [
      { type: 'payerApproved', payerId: 'P-1' },
    ]);
    const over = begun.order.approvalBy + 3 * day;
    let state = begun;
    for (let tries = 0; tries < 5 * patience.maxAttempts; tries += 1)
      state = after(state, [putOff(over - 1), over - 1], [due, over - 1]);
    expect(state.openStep).toMatchObject({
      phase: 'running',
      step: { type: 'executePayment', payerId: 'P-1' },
    });
    expect(after(state, [putOff(over), over])).toMatchObject({ status: 'declined' });
  },
);

describe.each(['authorize', 'sale'] as const)('an execution that is put off: %s', (intent) => {
  const cancellations: readonly PaymentEvent[] = [
    { type: 'payerCancelled' },
    { type: 'cancelRequested', commandId: 'cmd_9' },
  ];
  const begun = (asked: Partial<PaymentOrder>) =>
    after(payment('awaiting_approval', { intent, ...asked }), [{ type: 'payerApproved', payerId: 'P-1' }]);

  it('can be cancelled by its payer and by request, because nothing was sent', () => {
    const deferred = after(begun({ endsUnsent: true }), [putOff(now)]);
    expect(allowedActions(deferred, now)).toContain('cancel');
    for (const event of cancellations) {
      const cancelled = after(deferred, [event]);
      expect(cancelled.status).toBe('cancelled');
      expect(cancelled.openStep).toBeUndefined();
    }
  });

  it('cannot be cancelled while it is under way, nor in an older order', () => {
    const under = [begun({ endsUnsent: true }), after(begun({}), [putOff(now)])];
    for (const state of under)
      for (const event of cancellations) expect(transition(state, event, now).kind).not.toBe('moved');
  });
});

describe('an execution that was under way when its run was lost', () => {
  const begun = after(payment('awaiting_approval', { endsUnsent: true }), [
    { type: 'payerApproved', payerId: 'P-1' },
  ]);
  const resumed = restartFrom({ state: begun, version: 7 }, now).position.state;
  const cancel: PaymentEvent = { type: 'cancelRequested', commandId: 'cmd_9' };

  it('cannot be cancelled before its attempt shows whether it was sent', () => {
    expect(transition(resumed, cancel, now).kind).toBe('refused');
    expect(transition(resumed, { type: 'payerCancelled' }, now).kind).toBe('stale');
    expect(allowedActions(resumed, now)).not.toContain('cancel');
  });

  it('can be cancelled once it is certain that it was not', () => {
    expect(after(resumed, [due], [putOff(now)], [cancel]).status).toBe('cancelled');
  });
});

it('a review of an execution ends when it is proved that the payer has not approved', () => {
  const { openStep } = inDoubt(payment('authorizing'));
  const reviewed = { ...payment('needs_review'), ...(openStep && { openStep }) };
  expect(after(reviewed, [{ type: 'approvalFoundMissing' }])).toMatchObject({ status: 'awaiting_approval' });
});

describe('a step of a policy', () => {
  const started: readonly (readonly [string, PaymentState])[] = [
    [
      'the automatic capture',
      after(payment('authorizing', { capturePolicy: { mode: 'automatic' } }), [
        { type: 'authorizationGranted', providerPaymentId: 'PAY-1', authorization },
      ]),
    ],
    [
      'the void at the end of the window',
      after(payment('authorized', { expiryPolicy: { action: 'void' } }), [{ type: 'settlementCameDue' }]),
    ],
  ];

  it.each(started)('is tried for as long as the hold lasts: %s', (_what, begun) => {
    let state = begun;
    for (let tries = 0; tries < 5 * patience.maxAttempts; tries += 1) {
      state = after(state, [putOff(now)], [due]);
    }
    expect(state.openStep).toMatchObject({ phase: 'running', step: begun.openStep?.step });
    expect(after(state, [undone]).openStep?.step).toEqual(begun.openStep?.step);
  });

  it.each(started)('is given up when the hold is over: %s', (_what, begun) => {
    let state = begun;
    for (let tries = 0; tries < patience.maxAttempts; tries += 1) state = after(state, [putOff(now)], [due]);
    const over = after(state, [putOff(authorization.validUntil), authorization.validUntil]);
    expect(over).toMatchObject({ status: 'authorized' });
    expect(over.openStep).toBeUndefined();
  });
});

function exhaust(start: PaymentState): PaymentState {
  let state = start;
  for (let tries = 1; state.openStep; tries += 1) {
    expect(state.openStep.attempts).toBe(tries - 1);
    state = after(state, [{ type: 'stepDeferred', retryAt: now }]);
    if (state.openStep) state = after(state, [due]);
  }
  return state;
}

describe('a capture by the order’s policy that the provider puts off', () => {
  const automatic = { capturePolicy: { mode: 'automatic' } } as const;
  const begun = (rules: { rules?: 2 }) =>
    after(payment('authorizing', { ...automatic, ...rules }), [
      { type: 'authorizationGranted', providerPaymentId: 'PAY-1', authorization },
    ]);
  const asked: PaymentEvent = { type: 'voidRequested', commandId: 'cmd_9' };

  it('gives way to a void, and is not tried again', () => {
    const deferred = after(begun({ rules: 2 }), [putOff(now)]);
    expect(deferred.status).toBe('capturing');
    expect(allowedActions(deferred, now)).toContain('void');
    const voiding = after(deferred, [asked]);
    expect(voiding).toMatchObject({
      status: 'voiding',
      openStep: { step: { type: 'voidAuthorization', commandId: 'cmd_9' }, phase: 'running' },
    });
    expect(after(voiding, [{ type: 'voidConfirmed' }])).toMatchObject({ status: 'voided', captures: [] });
  });

  it('goes on if what would come before it is refused', () => {
    const deferred = after(begun({ rules: 2 }), [putOff(now)]);
    const release: PaymentEvent = { type: 'releaseRequested', commandId: 'cmd_9' };
    expect(transition(deferred, release, now)).toMatchObject({ kind: 'refused', state: deferred });
  });

  it('gives way to a release of what it left beside a pending capture', () => {
    const pending = capture(60_00, { status: 'pending' });
    const held = after(
      payment('authorized', { rules: 2, holdsRest: true, capturePolicy: { mode: 'at', at: now } }),
      [{ type: 'captureRequested', commandId: 'cmd_1', minor: 60_00 }],
      [{ type: 'captureAnswered', capture: pending }],
    );
    const deferred = after(held, [{ type: 'captureCameDue' }], [putOff(now)]);
    expect(deferred.openStep).toMatchObject({ step: { type: 'captureAuthorization', minor: 40_00 } });
    expect(allowedActions(deferred, now)).toEqual(['void', 'release']);
    expect(after(deferred, [{ type: 'releaseRequested', commandId: 'cmd_9' }])).toMatchObject({
      status: 'voiding',
      captures: [pending],
      openStep: { step: { type: 'voidAuthorization', commandId: 'cmd_9', isRelease: true } },
    });
  });

  it('does not while it is under way, nor in an older order, nor if a caller asked for it', () => {
    const callers = after(payment('authorized', { rules: 2 }), [
      { type: 'captureRequested', commandId: 'cmd_1', final: false },
    ]);
    const others = [begun({ rules: 2 }), after(begun({}), [putOff(now)]), after(callers, [putOff(now)])];
    for (const state of others) expect(transition(state, asked, now).kind).toBe('refused');
  });
});

function doubted(rules: { rules?: 2 }): PaymentState {
  return inDoubt(after(payment('awaiting_approval', rules), [{ type: 'payerApproved', payerId: 'P-1' }]));
}

describe('a payer who cancels while the outcome of the execution is not known', () => {
  const cancelled: PaymentEvent = { type: 'payerCancelled' };

  it.each([
    ['did not happen', undone],
    ['is put off', putOff(now)],
    ['lacks an approval', { type: 'approvalFoundMissing' }],
  ] as const)('is cancelled if it %s, and else not', (_what, event) => {
    const waiting = after(doubted({ rules: 2 }), [cancelled]);
    expect(waiting.status).toBe('authorizing');
    expect(transition(waiting, cancelled, now).kind).toBe('stale');
    expect(after(waiting, [event])).toMatchObject({ status: 'cancelled', reason: 'The payer cancelled.' });
    const held = after(waiting, [
      { type: 'authorizationGranted', providerPaymentId: 'PAY-1', authorization },
    ]);
    expect(held.status).toBe('authorized');
    expect(held).not.toHaveProperty('isCancelWaiting');
  });

  it('has approved again if they come back, and is not heard in an older order', () => {
    const again = after(doubted({ rules: 2 }), [cancelled], [{ type: 'payerApproved', payerId: 'P-1' }]);
    expect(after(again, [undone]).status).toBe('authorizing');
    expect(transition(doubted({}), cancelled, now).kind).toBe('stale');
  });
});

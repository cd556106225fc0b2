import { describe, expect, it } from 'vitest';
import {
  amountsOf,
  type Capture,
  type PaymentState,
  type ProviderFacts,
  type PaymentEvent,
  transition,
} from '#workflows/lifecycle/payment';
import { after, authorization, capture, facts, inDoubt, now, payment } from './sample-payments.js';

const observed = (shown: Partial<ProviderFacts> = {}): PaymentEvent => ({
  type: 'providerObserved',
  facts: facts(shown),
});
const authorizationIn = (state: string) => ({ authorization: { ...authorization, state } });
const { authorization: _none, ...noHold } = facts();

describe('a read of a payment that waits for its payer', () => {
  const waiting = payment('awaiting_approval');
  const see = (shown: ProviderFacts) => transition(waiting, { type: 'providerObserved', facts: shown }, now);

  it.each(['authorized', 'partially_captured', 'captured'])('finds the hold that is %s already', (state) => {
    const result = see(facts(authorizationIn(state)));
    expect(result).toMatchObject({ kind: 'moved', state: { status: 'authorized' } });
    expect(result.state.authorization).toEqual(authorization);
  });

  it.each([
    ['denied', 'declined'],
    ['voided', 'voided'],
    ['expired', 'expired'],
  ])('that shows the authorization as %s ends it as %s, and holds nothing', (state, status) => {
    expect(see(facts(authorizationIn(state)))).toMatchObject({
      kind: 'moved',
      state: { status, released: true, authorization },
    });
  });

  it('keeps waiting while a hold is shown without its end, which is not an expiry', () => {
    const endless = { ...authorization, validUntil: authorization.createdAt, state: 'authorized' };
    expect(see(facts({ authorization: endless })).kind).toBe('stale');
  });

  it.each(['pending', 'a_state_of_next_year'])(
    'keeps waiting while the authorization is %s, even when time is up',
    (state) => {
      const shown = facts(authorizationIn(state));
      expect(see(shown).kind).toBe('stale');
      expect(
        transition({ ...waiting, lapsed: true }, { type: 'providerObserved', facts: shown }, now).kind,
      ).toBe('stale');
    },
  );

  it('executes what the payer approved without coming back', () => {
    expect(see({ ...noHold, paymentState: 'created', payerId: 'PAYER-1' })).toMatchObject({
      kind: 'moved',
      state: { status: 'authorizing' },
      effect: { type: 'perform', step: { type: 'executePayment', payerId: 'PAYER-1' } },
    });
  });

  it('ends it as declined when the provider has declined it', () => {
    expect(see({ ...noHold, paymentState: 'failed' })).toMatchObject({ state: { status: 'declined' } });
  });

  it('tells nothing new while nobody has approved', () => {
    expect(see({ ...noHold, paymentState: 'created' }).kind).toBe('stale');
  });
});

describe('a read of a hold', () => {
  const held = payment('authorized');

  it.each([
    ['voided', 'voided'],
    ['expired', 'expired'],
    ['denied', 'declined'],
  ])('that the provider calls %s ends the payment as %s', (state, status) => {
    expect(after(held, [observed(authorizationIn(state))])).toMatchObject({ status, released: true });
  });

  it('adopts a capture made elsewhere', () => {
    const elsewhere = capture(30_00, { captureId: 'CAP-7' });
    const partly = after(held, [observed({ captures: [elsewhere] })]);
    expect(partly.status).toBe('partially_captured');
    expect(amountsOf(partly)).toMatchObject({ captured: 30_00, capturable: 70_00 });
  });

  it('does not act while a step is open: what that step did is looked up, not guessed from a list', () => {
    const open = inDoubt(payment('capturing'));
    expect(
      transition(
        open,
        observed({ ...authorizationIn('captured'), captures: [capture(60_00, { captureId: 'CAP-2' })] }),
        now,
      ),
    ).toEqual({
      kind: 'stale',
      state: open,
    });
  });
});

/** Case 11 of the failure list. */
describe('a late or contradicting read', () => {
  const partly = payment('partially_captured');

  it('does not make a completed capture pending again', () => {
    expect(
      transition(partly, observed({ captures: [capture(40_00, { status: 'pending' })] }), now).kind,
    ).toBe('stale');
  });

  it('does not undo a capture that it does not show yet', () => {
    expect(transition(partly, observed(), now).kind).toBe('stale');
  });

  it.each([
    ['an amount', { captures: [capture(41_00)] }, 'Capture CAP-1 now shows another amount.'],
    [
      'a settled state',
      { captures: [capture(40_00, { status: 'denied' })] },
      'Capture CAP-1 was completed and is now shown as denied.',
    ],
    [
      'the amount held',
      { authorization: { ...authorization, minor: 99_00, state: 'authorized' } },
      'Authorization AUTH-1 now shows another amount.',
    ],
    [
      'the authorization',
      { authorization: { ...authorization, authorizationId: 'AUTH-2', state: 'voided' } },
      'The payment now shows authorization AUTH-2 instead of AUTH-1.',
    ],
  ] satisfies [string, Partial<ProviderFacts>, string][])(
    'that changes %s is recorded and not followed',
    (_what, shown, reason) => {
      const reported = { ...partly, contradiction: reason };
      expect(transition(partly, observed(shown), now)).toEqual({ kind: 'conflict', state: reported, reason });
      expect(transition(reported, observed(shown), now), 'once').toEqual({ kind: 'stale', state: reported });
    },
  );

  it.each([
    ['voided', 'captured'],
    ['expired', 'captured'],
  ])('that shows the hold %s ends it, whatever else it says', (state, status) => {
    const shown = { authorization: { ...authorization, state, changedAt: now }, captures: [capture(41_00)] };
    const ended = after(partly, [observed(shown)]);
    expect(ended).toMatchObject({ status, released: true });
    expect(amountsOf(ended).captured).toBe(40_00);
  });

  it('of a hold that is not ours ends nothing', () => {
    const other = { ...authorization, authorizationId: 'AUTH-2', state: 'expired', changedAt: now };
    expect(transition(partly, observed({ authorization: other }), now).kind).toBe('conflict');
  });

  it('cannot move a payment that has ended, and is a conflict when it shows other money', () => {
    const captured = payment('captured');
    expect(transition(captured, observed({ captures: [capture(100_00)] }), now).kind).toBe('stale');
    const reason = 'The provider shows 40.00 USD captured, the payment ended with 100.00 USD.';
    const reported = { ...captured, contradiction: reason };
    expect(transition(captured, observed({ captures: [capture(40_00)] }), now)).toEqual({
      kind: 'conflict',
      state: reported,
      reason,
    });
    expect(transition(reported, observed({ captures: [capture(40_00)] }), now).kind).toBe('stale');
    expect(transition(payment('voided'), observed({ captures: [capture(40_00)] }), now).kind).toBe(
      'conflict',
    );
  });
});

describe('the reason that an operator reads', () => {
  it('is removed when the payment has moved on from what it explained', () => {
    const refused = after(payment('capturing'), [
      { type: 'stepDeclined', reason: 'The provider refused it (X).' },
    ]);
    expect(refused.reason).toBe('The provider refused it (X).');
    expect(reasonAfterSuccess(refused)).toBeUndefined();
  });
});

function reasonAfterSuccess(state: PaymentState): string | undefined {
  return after(
    state,
    [{ type: 'captureRequested', commandId: 'cmd_3' }],
    [{ type: 'captureAnswered', capture: capture(60_00, { captureId: 'CAP-2', final: true }) }],
  ).reason;
}

describe('a capture that is recorded on an operator’s word alone', () => {
  const onWord = capture(40_00, { isOnWord: true });
  const reported = { ...payment('partially_captured'), captures: [onWord] };
  const seeing = (...captures: Capture[]) => {
    const shown = facts({ authorization: { ...authorization, state: 'partially_captured' }, captures });
    return transition(reported, { type: 'providerObserved', facts: shown }, now).state;
  };

  it.each(['completed', 'pending', 'denied'] as const)(
    'becomes what the provider shows once it is shown: %s',
    (status) => {
      expect(seeing(capture(40_00, { status })).captures).toEqual([capture(40_00, { status })]);
    },
  );

  it('is replaced by the one that its command has made, and by no other', () => {
    const made = capture(40_00, { captureId: 'CAP-7' });
    expect(seeing(made).captures).toEqual([made]);
    const elsewhere = capture(10_00, { captureId: 'CAP-8', commandId: 'cmd_8' });
    expect(seeing(elsewhere).captures).toEqual([onWord, elsewhere]);
  });
});

import { describe, expect, it } from 'vitest';
import { showsUnclaimedCapture, showsWhatIsKnown, type ProviderFacts } from '#workflows/lifecycle/payment';
import { authorization, capture, facts, payment, reauthorizedAuthorization } from './sample-payments.js';

const shown = (state: string, captures: ProviderFacts['captures'] = []) =>
  facts({ authorization: { ...authorization, state }, captures });

const heldWith = (details: Parameters<typeof capture>[1]) => ({
  ...payment('authorized'),
  captures: [capture(40_00, details)],
});

/** What a read does not show is absent only where it shows all of this; else a repeat would move money twice. */
describe('a read shows what is known', () => {
  const held = payment('authorized');
  const partly = payment('partially_captured');
  const { authorization: _hold, ...withoutHold } = shown('authorized');

  it('of a payment without a hold, whatever it shows', () => {
    expect(showsWhatIsKnown(payment('authorizing'), withoutHold)).toBe(true);
  });

  it('when it shows the hold, and only then', () => {
    expect(showsWhatIsKnown(held, shown('authorized'))).toBe(true);
    expect(showsWhatIsKnown(held, withoutHold)).toBe(false);
  });

  it('but not when it shows a hold that another has replaced', () => {
    const reauthorized = {
      ...held,
      authorization: reauthorizedAuthorization,
      reauthorizations: { earlier: [{ authorizationId: 'AUTH-1', minor: 100_00 }], tries: 0, failures: 0 },
    };
    expect(showsWhatIsKnown(reauthorized, shown('voided'))).toBe(false);
    const live = facts({ authorization: { ...reauthorizedAuthorization, state: 'authorized' } });
    expect(showsWhatIsKnown(reauthorized, live)).toBe(true);
  });

  it.each(['captured', 'partially_captured'])(
    'but not when the hold is %s and no capture is shown',
    (state) => {
      expect(showsWhatIsKnown(held, shown(state))).toBe(false);
      expect(showsWhatIsKnown(held, shown(state, [capture(40_00)]))).toBe(true);
    },
  );

  it('but not when it omits a known capture', () => {
    const another = capture(10_00, { captureId: 'CAP-2' });
    expect(showsWhatIsKnown(partly, shown('authorized'))).toBe(false);
    expect(showsWhatIsKnown(partly, shown('partially_captured', [another]))).toBe(false);
    expect(showsWhatIsKnown(partly, shown('partially_captured', [another, capture(40_00)]))).toBe(true);
  });

  it('without a capture that was denied, or that only a person has named', () => {
    expect(showsWhatIsKnown(heldWith({ status: 'denied' }), shown('authorized'))).toBe(true);
    expect(showsWhatIsKnown(heldWith({ isOnWord: true }), shown('authorized'))).toBe(true);
    expect(showsWhatIsKnown(heldWith({ status: 'pending' }), shown('authorized'))).toBe(false);
  });
});

describe('a capture that may be the one in doubt', () => {
  const partly = payment('partially_captured');
  const unclaimed = capture(60_00, { captureId: 'CAP-2' });

  it('has its amount, no reference, and is not known', () => {
    expect(showsUnclaimedCapture(partly, shown('authorized', [capture(40_00), unclaimed]), 60_00)).toBe(true);
  });

  it.each([
    ['of another amount', { ...unclaimed, minor: 59_99 }],
    ['with a reference, by which it would have been found', { ...unclaimed, reference: 'pay_1-12345678' }],
    ['that is known', { ...unclaimed, captureId: 'CAP-1' }],
  ])('is none %s', (_what, other) => {
    expect(showsUnclaimedCapture(partly, shown('authorized', [other]), 60_00)).toBe(false);
  });

  it('is none that is known beside others', () => {
    const both = { ...partly, captures: [capture(40_00), unclaimed] };
    expect(showsUnclaimedCapture(both, shown('authorized', [unclaimed]), 60_00)).toBe(false);
  });

  it('is none when none is shown', () => {
    expect(showsUnclaimedCapture(partly, shown('authorized'), 60_00)).toBe(false);
  });
});

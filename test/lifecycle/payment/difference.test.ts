import { describe, expect, it } from 'vitest';
import {
  differencesOf,
  type PaymentState,
  type PaymentStatus,
  type ProviderFacts,
} from '#workflows/lifecycle/payment';
import { authorization, capture, facts, payment, settled } from './sample-payments.js';

const hold = (state: string): Pick<ProviderFacts, 'authorization'> => ({
  authorization: { ...authorization, state },
});
const nothing: ProviderFacts = { paymentState: 'created', captures: [] };
const shownBy = (state: PaymentState, shown: string): ProviderFacts =>
  facts({ ...hold(shown), captures: state.captures });
const held = (status: PaymentStatus): PaymentState => ({ ...payment(status), authorization, released: true });

describe('a payment that agrees with what the provider shows', () => {
  it.each([
    ['that waits for its payer', payment('awaiting_approval'), nothing],
    ['that is authorized', payment('authorized'), facts()],
    [
      'that is captured in part',
      payment('partially_captured'),
      shownBy(payment('partially_captured'), 'partially_captured'),
    ],
    ['that is captured', payment('captured'), shownBy(payment('captured'), 'captured')],
    ['that is voided', payment('voided'), facts(hold('voided'))],
    ['that was declined', payment('declined'), nothing],
    ['that was cancelled', payment('cancelled'), nothing],
    ['whose approval came too late', payment('expired'), nothing],
    ['whose hold has expired', held('expired'), facts(hold('expired'))],
  ])('%s has no difference', (_, state, shown) => {
    expect(differencesOf(state, shown)).toEqual([]);
  });

  it.each(['captured', 'voided', 'expired'])('may have released its rest as %s', (shown) => {
    const state = { ...payment('captured'), captures: [capture(40_00, { final: true })], released: true };
    expect(differencesOf(state, shownBy(state, shown))).toEqual([]);
  });

  it.each(['creating', 'authorizing', 'voiding', 'capturing'] as const)(
    'is not compared by its hold while it is %s',
    (status) => {
      const state = settled(payment(status));
      expect(differencesOf(state, shownBy(state, 'authorized'))).toEqual([]);
    },
  );
});

describe('a payment that was reauthorized', () => {
  const renewal = { heldAt: authorization.createdAt + 1, dayLengthMs: 1 };
  const reauthorized = (status: PaymentStatus): PaymentState => ({
    ...payment(status),
    authorization: { ...authorization, renewal },
  });

  it('and captured in part before has no difference when its new hold is shown as untouched', () => {
    const state = reauthorized('partially_captured');
    expect(differencesOf(state, shownBy(state, 'authorized'))).toEqual([]);
  });

  it.each([
    ['partially_captured', reauthorized('partially_captured'), 'expired'],
    ['partially_captured', payment('partially_captured'), 'authorized'],
    ['voided', reauthorized('voided'), 'authorized'],
    ['voided', held('voided'), 'captured'],
    ['captured', payment('captured'), 'voided'],
  ] as const)('or not, and is %s, differs from another hold', (status, state, theirs) => {
    expect(differencesOf(state, shownBy(state, theirs))).toEqual([{ field: 'hold', ours: status, theirs }]);
  });
});

describe('a difference', () => {
  it('is a sale that only the provider shows', () => {
    const shown = { ...nothing, sale: { saleId: 'SALE-1', minor: 100_00, status: 'completed' } } as const;
    expect(differencesOf(payment('cancelled'), shown)).toEqual([
      { field: 'sale', ours: 'none', theirs: 'SALE-1 completed 100.00 USD' },
    ]);
  });

  it.each(['declined', 'cancelled', 'expired'] as const)(
    'is a hold without a run, of a payment that is %s',
    (status) => {
      expect(differencesOf(payment(status), facts())).toEqual([
        { field: 'hold', ours: status, theirs: 'authorized' },
      ]);
    },
  );

  it.each([
    ['authorized', 'voided'],
    ['voided', 'authorized'],
    ['captured', 'authorized'],
    ['partially_captured', 'expired'],
  ] as const)('is a hold that we call %s and the provider %s', (status, theirs) => {
    const state = payment(status);
    expect(differencesOf(state, shownBy(state, theirs))).toEqual([{ field: 'hold', ours: status, theirs }]);
  });

  it('is a hold left open after a final capture', () => {
    const state = { ...payment('captured'), captures: [capture(40_00, { final: true })], released: true };
    expect(differencesOf(state, shownBy(state, 'partially_captured'))).toEqual([
      { field: 'hold', ours: 'captured', theirs: 'partially_captured' },
    ]);
  });

  it('is another authorization, or another amount of the same', () => {
    const state = payment('authorized');
    const other = facts({
      authorization: { ...authorization, authorizationId: 'AUTH-2', state: 'authorized' },
    });
    expect(differencesOf(state, other)).toEqual([
      { field: 'authorization', ours: 'AUTH-1', theirs: 'AUTH-2' },
    ]);
    const less = facts({ authorization: { ...authorization, minor: 99_00, state: 'authorized' } });
    expect(differencesOf(state, less)).toEqual([
      { field: 'authorized', ours: '100.00 USD', theirs: '99.00 USD' },
    ]);
  });

  it('is a capture that only one side knows, or that the sides show differently', () => {
    const state = payment('partially_captured');
    const shown = [capture(41_00), capture(10_00, { captureId: 'CAP-9' })];
    expect(differencesOf(state, facts({ ...hold('partially_captured'), captures: shown }))).toEqual([
      { field: 'capture CAP-1', ours: 'completed 40.00 USD', theirs: 'completed 41.00 USD' },
      { field: 'capture CAP-9', ours: 'unknown', theirs: 'completed 10.00 USD' },
    ]);
    expect(differencesOf(state, facts(hold('partially_captured')))).toEqual([
      { field: 'capture CAP-1', ours: 'completed 40.00 USD', theirs: 'not shown' },
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import type { NotifiedResource } from '#workflows/lifecycle';
import { contradictedAmount, type PaymentState, isAlreadyKnown } from '#workflows/lifecycle/payment';
import { authorization, capture, day, now, payment, reauthorizedAuthorization } from './sample-payments.js';

const usd = (minor: number) => ({ minor, currency: 'USD' });
const reported = (
  kind: NotifiedResource['kind'],
  id: string,
  amount: NotifiedResource['amount'],
): NotifiedResource => ({ kind, id, state: 'completed', ...(amount && { amount }) });

const captures = [capture(40_00), capture(10_00, { captureId: 'CAP-2' })];
const held: PaymentState = { ...payment('partially_captured'), captures };
/** Reauthorized twice: first under another id, then under the same. */
const reauthorized: PaymentState = {
  ...held,
  authorization: { ...reauthorizedAuthorization, renewal: { heldAt: now, dayLengthMs: day } },
  reauthorizations: {
    earlier: [
      { authorizationId: 'AUTH-1', minor: 100_00 },
      { authorizationId: 'AUTH-2', minor: 80_00 },
    ],
    tries: 0,
    failures: 0,
  },
};

describe('an amount that a webhook event tells', () => {
  it.each([
    ['the hold', held, reported('authorization', 'AUTH-1', usd(100_00))],
    ['a hold that is not on record', held, reported('authorization', 'AUTH-9', usd(1))],
    ['a capture', held, reported('capture', 'CAP-2', usd(10_00))],
    ['a capture that is not on record', held, reported('capture', 'CAP-9', usd(1))],
    ['a sale', payment('completed'), reported('sale', 'SALE-1', usd(100_00))],
    ['a sale that is not on record', payment('completed'), reported('sale', 'SALE-9', usd(1))],
    ['a hold, which it does not name', held, reported('authorization', 'AUTH-1', undefined)],
    ['a refund, which is none of a capture', held, reported('refund', 'CAP-1', usd(1))],
    ['a hold that is being reauthorized', payment('reauthorizing'), reported('authorization', 'AUTH-1', usd(60_00))],
    ['the hold since it was reauthorized', reauthorized, reported('authorization', 'AUTH-2', usd(60_00))],
    ['the hold before it was reauthorized', reauthorized, reported('authorization', 'AUTH-2', usd(80_00))],
  ] as const)('of %s does not contradict the records', (_what, state, resource) => {
    expect(contradictedAmount(state, resource)).toBeUndefined();
  }); // prettier-ignore

  it.each([
    ['the hold', held, reported('authorization', 'AUTH-1', usd(80_00)), '80.00 USD', '100.00 USD'],
    ['the hold in another currency', held, reported('authorization', 'AUTH-1', { minor: 100_00, currency: 'EUR' }),
      '100.00 EUR', '100.00 USD'],
    ['the hold since it was reauthorized', reauthorized, reported('authorization', 'AUTH-2', usd(90_00)), '90.00 USD', '60.00 USD'],
    ['the hold, though another had it before', reauthorized, reported('authorization', 'AUTH-2', usd(100_00)), '100.00 USD', '60.00 USD'],
    ['the hold before, in another currency', reauthorized, reported('authorization', 'AUTH-2', { minor: 80_00, currency: 'EUR' }),
      '80.00 EUR', '60.00 USD'],
    ['a capture', held, reported('capture', 'CAP-2', usd(40_00)), '40.00 USD', '10.00 USD'],
    ['a capture during a reauthorization', payment('reauthorizing'), reported('capture', 'CAP-1', usd(41_00)), '41.00 USD', '40.00 USD'],
    ['a sale', payment('completed'), reported('sale', 'SALE-1', usd(80_00)), '80.00 USD', '100.00 USD'],
  ] as const)('of %s contradicts the records, and is news', (_what, state, resource, theirs, ours) => {
    const { kind, id } = resource;
    expect(contradictedAmount(state, resource)).toBe(`It says ${theirs} of ${kind} ${id}, on record are ${ours}.`);
    expect(isAlreadyKnown(state, resource)).toBe(false);
  }); // prettier-ignore

  it('is not looked at where there is no hold', () => {
    const { authorization: _none, ...without } = held;
    expect(contradictedAmount(without, reported('authorization', 'AUTH-1', usd(1)))).toBeUndefined();
  });
});

describe('a webhook event', () => {
  it('of a replaced hold tells nothing new', () => {
    const resource: NotifiedResource = { kind: 'authorization', id: 'AUTH-1', state: 'voided' };
    expect(isAlreadyKnown(reauthorized, resource)).toBe(true);
    expect(isAlreadyKnown({ ...reauthorized, authorization }, resource)).toBe(false);
  });

  it.each(['refund', 'plan', 'agreement', 'payout', 'payout_item', 'other'] as const)(
    'of a %s is always news of a payment',
    (kind) => {
      expect(isAlreadyKnown(payment('captured'), { kind, id: 'CAP-1', state: 'completed' })).toBe(false);
    },
  );
});

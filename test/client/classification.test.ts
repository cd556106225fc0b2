import { describe, expect, it } from 'vitest';
import { OPERATIONS, type OperationTraits } from '#sandbox/http/operations.js';
import * as notifications from '#payments-client/operations/notifications.js';
import * as payments from '#payments-client/operations/payments.js';
import * as payouts from '#payments-client/operations/payouts.js';
import * as subscriptions from '#payments-client/operations/subscriptions.js';

/**
 * What may be done when no answer comes, for every call that changes something (provider-facts, "Idempotency and
 * tokens": the key is declared for execute, refund, void and payouts, and ignored on create, capture, reauthorize).
 * A new call does not pass until it stands here.
 */
const classes = {
  token: 'safe',
  'payment.create': 'reconcile',
  'payment.execute': 'keyed',
  'authorization.capture': 'reconcile',
  'authorization.void': 'keyed',
  'authorization.reauthorize': 'reconcile',
  'capture.refund': 'keyed',
  'sale.refund': 'keyed',
  'plan.create': 'reconcile',
  'plan.update': 'reconcile',
  'agreement.create': 'reconcile',
  'agreement.execute': 'reconcile',
  'agreement.update': 'reconcile',
  'agreement.suspend': 'reconcile',
  'agreement.re-activate': 'reconcile',
  'agreement.cancel': 'reconcile',
  'agreement.set-balance': 'reconcile',
  'agreement.bill-balance': 'reconcile',
  'payout.create': 'keyed',
  'payout-item.cancel': 'reconcile',
  'webhook.create': 'reconcile',
  'webhook.delete': 'safe',
  'webhook.update': 'safe',
  'event.resend': 'safe',
  'signature.verify': 'safe',
} as const;

const changing = Object.values({ ...payments, ...subscriptions, ...payouts, ...notifications })
  // Where an event lies depends on the dialect: such an operation is made for a path.
  .map((exported) => (typeof exported === 'function' ? exported('/v1') : exported))
  .filter(({ method }) => method !== 'GET')
  .map(({ name, repeatability }) => [name, repeatability] as const);

describe('a call that changes something', () => {
  it('is classified as safe, keyed or to be reconciled', () => {
    expect(Object.fromEntries(changing)).toEqual(classes);
  });

  it.each(changing)(
    '%s (%s) relies on its key exactly where the provider declares it',
    (name, repeatability) => {
      const traits: OperationTraits = OPERATIONS[name];
      expect(repeatability === 'keyed').toBe(traits.requestId === 'declared');
    },
  );

  it.each(changing)('%s (%s) is never called safe where it moves money', (name, repeatability) => {
    const traits: OperationTraits = OPERATIONS[name];
    if (traits.movesMoney) expect(repeatability).not.toBe('safe');
  });
});

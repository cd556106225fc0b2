/**
 * Every operation of the service, by the name that faults, the call log and stored answers use.
 * `requestId` says whether the public API declares PayPal-Request-Id for the call: an undeclared one is ignored unless
 * the application's `idempotency` setting is 'all'.
 */
export const OPERATIONS = {
  token: {},
  'payment.create': { movesMoney: true, requestId: 'undeclared' },
  'payment.get': {},
  'payment.list': {},
  'payment.update': {},
  'payment.execute': { movesMoney: true, requestId: 'declared' },
  'authorization.get': {},
  'authorization.capture': { movesMoney: true, requestId: 'undeclared' },
  'authorization.void': { movesMoney: true, requestId: 'declared' },
  'authorization.reauthorize': { movesMoney: true, requestId: 'undeclared' },
  'capture.get': {},
  'capture.refund': { movesMoney: true, requestId: 'declared' },
  'sale.get': {},
  'sale.refund': { movesMoney: true, requestId: 'declared' },
  'refund.get': {},
  'plan.create': { requestId: 'undeclared' },
  'plan.get': {},
  'plan.list': {},
  'plan.update': {},
  'agreement.create': { requestId: 'undeclared' },
  'agreement.execute': { movesMoney: true, requestId: 'undeclared' },
  'agreement.get': {},
  'agreement.update': {},
  'agreement.suspend': { requestId: 'undeclared' },
  'agreement.re-activate': { requestId: 'undeclared' },
  'agreement.cancel': { requestId: 'undeclared' },
  'agreement.set-balance': { requestId: 'undeclared' },
  'agreement.bill-balance': { movesMoney: true, requestId: 'undeclared' },
  'agreement.transactions': {},
  'payout.create': { movesMoney: true, requestId: 'declared' },
  'payout.get': {},
  'payout-item.get': {},
  'payout-item.cancel': { movesMoney: true, requestId: 'undeclared' },
  'webhook.create': {},
  'webhook.get': {},
  'webhook.list': {},
  'webhook.update': {},
  'webhook.delete': {},
  'webhook.event-types': {},
  'event-type.list': {},
  'event.get': {},
  'event.list': {},
  'event.resend': {},
  'event.simulate': {},
  'signature.verify': {},
  'certificate.get': {},
} as const satisfies Record<string, OperationTraits>;

export type Operation = keyof typeof OPERATIONS;

export interface OperationTraits {
  readonly movesMoney?: true;
  readonly requestId?: 'declared' | 'undeclared';
}

export function traitsOf(operation: Operation): OperationTraits {
  return OPERATIONS[operation];
}

/** What happens by the clock alone and can be struck by a fault like a call. */
export const CLOCK_OPERATIONS = ['agreement.cycle', 'payout-item.pay'] as const;

export type ClockOperation = (typeof CLOCK_OPERATIONS)[number];

export const OPERATION_NAMES = Object.keys(OPERATIONS) as [Operation, ...Operation[]];

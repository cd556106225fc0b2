/**
 * Every operation of the service, by the name that faults, the call log and stored answers use.
 * `requestId` says whether the public API declares PayPal-Request-Id for the call: an undeclared one is ignored unless
 * the application's `idempotency` setting is 'all'.
 */
export const OPERATIONS = {
  token: {},
  'payment.create': {
    movesMoney: true,
    canDecline: true,
    canPend: 'where_approved',
    requestId: 'undeclared',
  },
  'payment.get': { reads: true },
  'payment.list': { reads: true },
  'payment.update': {},
  'payment.execute': { movesMoney: true, canDecline: true, canPend: true, requestId: 'declared' },
  'authorization.get': { reads: true },
  'authorization.capture': { movesMoney: true, canDecline: true, canPend: true, requestId: 'undeclared' },
  'authorization.void': { movesMoney: true, requestId: 'declared' },
  'authorization.reauthorize': { movesMoney: true, canDecline: true, requestId: 'undeclared' },
  'capture.get': { reads: true },
  'capture.refund': {
    movesMoney: true,
    canDecline: true,
    canPend: true,
    requestId: 'declared',
    repeatStatus: 200,
  },
  'sale.get': { reads: true },
  'sale.refund': {
    movesMoney: true,
    canDecline: true,
    canPend: true,
    requestId: 'declared',
    repeatStatus: 200,
  },
  'refund.get': { reads: true },
  'plan.create': { requestId: 'undeclared' },
  'plan.get': { reads: true },
  'plan.list': { reads: true },
  'plan.update': {},
  'agreement.create': { requestId: 'undeclared' },
  'agreement.execute': { movesMoney: true, canDecline: true, canPend: true, requestId: 'undeclared' },
  'agreement.get': { reads: true },
  'agreement.update': {},
  'agreement.suspend': { requestId: 'undeclared' },
  'agreement.re-activate': { requestId: 'undeclared' },
  'agreement.cancel': { requestId: 'undeclared' },
  'agreement.set-balance': { requestId: 'undeclared' },
  'agreement.bill-balance': { movesMoney: true, canDecline: true, canPend: true, requestId: 'undeclared' },
  'agreement.transactions': { reads: true },
  'payout.create': { movesMoney: true, canDecline: true, canPend: true, requestId: 'declared' },
  'payout.get': { reads: true },
  'payout-item.get': { reads: true },
  'payout-item.cancel': { movesMoney: true, requestId: 'undeclared' },
  'webhook.create': {},
  'webhook.get': { reads: true },
  'webhook.list': { reads: true },
  'webhook.update': {},
  'webhook.delete': {},
  'webhook.event-types': { reads: true },
  'event-type.list': {},
  'event.get': { reads: true },
  'event.list': { reads: true },
  'event.resend': {},
  'event.simulate': {},
  'signature.verify': {},
  'certificate.get': {},
} as const satisfies Record<string, OperationTraits>;

export type Operation = keyof typeof OPERATIONS;

export interface OperationTraits {
  readonly movesMoney?: true;
  /** Asks a funding source, or a balance, which may decline. */
  readonly canDecline?: true;
  /** Its movement may be pending for a while; `where_approved`: unless its payment waits for the payer first. */
  readonly canPend?: true | 'where_approved';
  /** Answers from the stored state, through `read`. */
  readonly reads?: true;
  readonly requestId?: 'declared' | 'undeclared';
  /** The public API's status for a repeat of a 201; the same status again when it documents none. */
  readonly repeatStatus?: 200;
}

/** Operations that know only inside their transaction whether they decide about an outcome. */
export type LateDecider = {
  [Name in Operation]: (typeof OPERATIONS)[Name] extends { canPend: 'where_approved' } ? Name : never;
}[Operation];

export function traitsOf(operation: Operation): OperationTraits {
  return OPERATIONS[operation];
}

/** What the clock does, and a fault can affect like a call. */
export const CLOCK_OPERATIONS = ['agreement.cycle', 'payout-item.pay'] as const;

export type ClockOperation = (typeof CLOCK_OPERATIONS)[number];

export function isClockOperation(operation: Operation | ClockOperation): operation is ClockOperation {
  return CLOCK_OPERATIONS.some((name) => name === operation);
}

export const OPERATION_NAMES = Object.keys(OPERATIONS) as [Operation, ...Operation[]];

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
  'payment.execute': { movesMoney: true, requestId: 'declared' },
  'authorization.get': {},
  'authorization.capture': { movesMoney: true, requestId: 'undeclared' },
  'authorization.void': { movesMoney: true, requestId: 'declared' },
  'capture.get': {},
  'sale.get': {},
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

export const OPERATION_NAMES = Object.keys(OPERATIONS) as [Operation, ...Operation[]];

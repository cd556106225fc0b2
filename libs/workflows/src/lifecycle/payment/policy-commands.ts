import type { PaymentOrder } from './payment.js';

const policies = ['capture', 'honour', 'reauthorization', 'expiry'] as const;
type Policy = (typeof policies)[number];

/** The id of a policy's command: it comes from the order's policy, not from a request. */
export function policyCommandId({ paymentId }: PaymentOrder, policy: Policy, time = 1): string {
  return `${paymentId}:${policy}-policy${time === 1 ? '' : `-${time}`}`;
}

export function isPolicyCommand(order: PaymentOrder, commandId: string): boolean {
  return policies.some((policy) => commandId.startsWith(policyCommandId(order, policy)));
}

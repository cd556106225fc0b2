import { isPutOff } from '../step/open-step.js';
import type { PaymentOrder, PaymentState } from './payment.js';

const policies = ['capture', 'honour', 'reauthorization', 'expiry'] as const;
type Policy = (typeof policies)[number];

/** The id of a policy's command: it comes from the order's policy, not from a request. */
export function policyCommandId({ paymentId }: PaymentOrder, policy: Policy, time = 1): string {
  return `${paymentId}:${policy}-policy${time === 1 ? '' : `-${time}`}`;
}

export function isPolicyCommand(order: PaymentOrder, commandId: string): boolean {
  return policies.some((policy) => commandId.startsWith(policyCommandId(order, policy)));
}

/** True while a policy's capture waits to be repeated: the hold is held as before it. */
export function isPolicyPutOff({ order, status, openStep }: PaymentState): boolean {
  if (order.rules !== 2 || status !== 'capturing' || openStep?.step.type !== 'captureAuthorization')
    return false;
  return isPutOff(openStep) && isPolicyCommand(order, openStep.step.commandId);
}

import type { HonourPolicy, PaymentState, PaymentEvent } from '#workflows/lifecycle/payment';
import { after, authorization, payment, dayOfHold } from './sample-payments.js';

export const asked = { type: 'reauthorizeRequested', commandId: 'cmd_2' } as const;

export function held(
  honourPolicy: Partial<HonourPolicy> = {},
  status: 'authorized' | 'partially_captured' = 'authorized',
) {
  return payment(status, { honourPolicy: { action: 'none', reauthorize: 'none', ...honourPolicy } });
}

/** The hold is reauthorized on a day, under another id that says nothing of how long a day is. */
export function reauthorizedOn(state: PaymentState, n: number, event: PaymentEvent = asked): PaymentState {
  const running = after(state, [event, dayOfHold(n)]);
  const { step } = running.openStep!;
  const minor = step.type === 'reauthorizeAuthorization' ? step.minor : 0;
  const successor = {
    authorizationId: `AUTH-${n}`,
    minor,
    createdAt: dayOfHold(n),
    validUntil: authorization.validUntil,
  };
  return after(running, [
    { type: 'authorizationRenewed', authorization: successor, heldAt: dayOfHold(n) },
    dayOfHold(n),
  ]);
}

import type { Instant } from '../lifecycle.js';
import type { PaymentEvent, PaymentEventType, TransitionResult } from './event.js';
import { steps, takeHintOfStep } from './open-step.js';
import type { PaymentState } from './payment.js';

export type EventOf<T extends PaymentEventType> = Extract<PaymentEvent, { type: T }>;
export type Rule<T extends PaymentEventType> = (
  state: PaymentState,
  event: EventOf<T>,
  now: Instant,
) => TransitionResult;
export type Row = { readonly [T in PaymentEventType]?: Rule<T> };

/** The rules of an open step, the same in every state that has one. */
export const openStepRow: Row = {
  ...steps.whileOpen,
  providerNotified: takeHintOfStep,
};

import type { Instant, Lifecycle } from '../lifecycle.js';
import { type Advance, type Position as PositionOf, advance as advanceAny } from '../progress.js';
import { describeDecision } from '../step/review.js';
import { nextDeadline } from './deadlines.js';
import { type PaymentState, isTerminal } from './payment.js';
import type { Effect, PaymentEvent } from './event.js';
import { transition } from './transition.js';

export type Position = PositionOf<PaymentState>;

export const paymentLifecycle: Lifecycle<PaymentState, PaymentEvent, Effect> = {
  transition,
  isTerminal,
  nextDeadline,
  quiet: new Set(['pollCameDue', 'stepCameDue', 'lookInconclusive', 'providerNotified', 'observationFailed']),
  detailOf: (event) => (event.type === 'reviewDecided' ? describeDecision(event) : undefined),
};

export function advance(position: Position, event: PaymentEvent, at: Instant): Advance<PaymentState, Effect> {
  return advanceAny(paymentLifecycle, position, event, at);
}

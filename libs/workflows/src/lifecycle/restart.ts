import type { Instant, PaymentState } from './payment.js';
import type { Position, TimelineEntry } from './timeline.js';

export interface RestartedPayment {
  readonly position: Position;
  readonly entry: TimelineEntry;
}

/**
 * Where a payment whose run is gone goes on in a new run. A call that was in flight is begun again under the name of the
 * same attempt: what is on record of that attempt decides whether it is sent, looked up, or known already. Whatever the
 * old run was told and took with it is made up for by a read.
 *
 * @param rows the payment as its rows have it; it has not ended.
 */
export function takeUpAgain({ state, version }: Position, now: Instant): RestartedPayment {
  const next = { state: awake(state, now), version: version + 1 };
  const entry: TimelineEntry = {
    version: next.version,
    event: 'runRestarted',
    kind: 'moved',
    from: state.status,
    to: state.status,
    at: now,
    detail: 'The run was gone; a new one goes on from the records.',
  };
  return { position: next, entry };
}

function awake(state: PaymentState, now: Instant): PaymentState {
  const { openStep, order } = state;
  if (!openStep) {
    return { ...state, readOwed: true, polls: 0, lastPollAt: now - order.patience.firstPollMs };
  }
  if (openStep.phase !== 'running') return state;
  return { ...state, openStep: { ...openStep, phase: 'retry', nextAt: now } };
}

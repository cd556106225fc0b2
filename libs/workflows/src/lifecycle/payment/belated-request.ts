import type { Instant } from '../lifecycle.js';
import { type Effect, type PaymentEvent, type PaymentState, isTerminal } from './payment.js';
import { decide } from './transition.js';

/** Who sends them has seen the rows. */
const asked: ReadonlySet<PaymentEvent['type']> = new Set([
  'captureRequested',
  'voidRequested',
  'releaseRequested',
  'reauthorizeRequested',
  'payerApproved',
  'payerCancelled',
]);

/**
 * What to look at before a request is turned away that has no place in the state which the run knows. The rows can be
 * ahead of the run: a worker that dies after it has written what a look showed takes the look's result with it, while
 * order service and payer go on from what the rows say. Made again, the look brings the run to where the rows are.
 *
 * @returns undefined where the request is taken, or nothing that a look could show would let it be.
 */
export function lookBeforeRefusal(
  state: PaymentState,
  event: PaymentEvent,
  now: Instant,
): Effect | undefined {
  if (!asked.has(event.type) || isTerminal(state.status)) return undefined;
  const { kind } = decide(state, event, now);
  // The payer comes back more than once, and only to a payment whose creation the rows know: elsewhere that is nothing new.
  const hasNoPlace = kind === 'refused' || (kind === 'stale' && state.status === 'creating');
  if (!hasNoPlace) return undefined;
  const { openStep } = state;
  if (!openStep) return { type: 'observe' };
  if (openStep.phase !== 'doubt') return undefined;
  return { type: 'lookUp', step: openStep.step, horizonAt: openStep.horizonAt };
}

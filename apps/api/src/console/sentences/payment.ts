import {
  type PaymentState,
  amountsOf,
  holdDeadlines,
  isSale,
  isTerminal,
} from '#workflows/lifecycle/payment';
import { doubtText, stepText } from './steps.js';
import { dayText, durationText, money, whenText } from './words.js';

/** The state of a payment in a sentence. */
export function paymentSentence(state: PaymentState, now: number): string {
  const sentence = `${standing(state, now)}.`;
  const { openStep, order } = state;
  if (!openStep) return sentence;
  return `${sentence} ${stepText(openStep.step, order.amount.currency)}: ${doubtText(openStep, now)}.`;
}

function standing(state: PaymentState, now: number): string {
  const { status, order } = state;
  const { currency, minor } = order.amount;
  const whole = money(minor, currency);
  switch (status) {
    case 'creating':
      return `${whole} is being created at the provider`;
    case 'awaiting_approval':
      return `${whole} waits for the payer’s approval until ${whenText(order.approvalBy, now)}`;
    case 'authorizing':
    case 'executing':
      return `The payer has approved; ${whole} is being ${isSale(order) ? 'taken' : 'held'}`;
    case 'pending':
      return `${whole} is taken and has not arrived yet`;
    case 'declined':
    case 'cancelled':
      return `${whole} was ${status}; no money moved`;
    case 'needs_review':
      return `A person must decide about ${whole}`;
    default:
      return amountsText(state, now);
  }
}

/** How much of the money was taken, and what becomes of the rest. */
function amountsText(state: PaymentState, now: number): string {
  const { status, order } = state;
  const { currency, minor } = order.amount;
  const { authorized, captured, pending, released } = amountsOf(state);
  const taken = `${money(captured, currency)} of ${money(authorized, currency)} captured`;
  switch (status) {
    case 'captured':
      return `${money(captured, currency)} captured${pendingText(pending, currency)}${releasedText(released, currency)}`;
    case 'voided':
    case 'expired':
      if (authorized === 0) return `${money(minor, currency)} was never held: ${status}`;
      return `${taken}; the rest is ${status}`;
    case 'completed':
      return `${money(captured, currency)} taken`;
    default:
      return `${taken}${restText(state, now)}`;
  }
}

function restText(state: PaymentState, now: number): string {
  const { authorization, order } = state;
  const { capturable, pending } = amountsOf(state);
  if (!authorization || isTerminal(state.status)) return '';
  const { captureUntil, honourUntil } = holdDeadlines(authorization);
  const arriving = pendingText(pending, order.amount.currency);
  if (capturable === 0) return arriving;
  if (captureUntil <= now)
    return `${arriving}; the hold has ended, and the engine asks the provider how it ended`;
  const guaranteed =
    honourUntil > now
      ? `guaranteed for ${durationText(honourUntil - now).replace(' ', ' more ')}`
      : 'no longer guaranteed';
  return `${arriving}; the rest can be captured until ${dayText(captureUntil, now)}, ${guaranteed}`;
}

function pendingText(pending: number, currency: string): string {
  return pending === 0 ? '' : `, ${money(pending, currency)} still on its way`;
}

function releasedText(released: number, currency: string): string {
  return released === 0 ? '' : `; ${money(released, currency)} was released to the payer`;
}

/** The colour in which a status is shown. */
export function toneOf(status: string): 'good' | 'caution' | 'bad' | 'plain' {
  if (['captured', 'completed', 'active', 'voided'].includes(status)) return 'good';
  if (['needs_review', 'declined', 'denied', 'failed', 'expired'].includes(status)) return 'bad';
  return status.endsWith('ing') || status === 'observed' ? 'caution' : 'plain';
}

import type { PayoutView, PlanView, SubscriptionView } from '#database/subjects';
import type { RefundState } from '#workflows/lifecycle/refund';
import { doubtText, stepText } from './steps.js';
import { counted, dayText, money, spaced, whenText } from './words.js';

/** The state of a refund in a sentence. */
export function refundSentence(state: RefundState, now: number): string {
  const { amount, claim, status, openStep } = state;
  const what = `${claim.kind === 'reversal' ? 'Chargeback' : 'Refund'} of ${amount ? money(amount.minor, amount.currency) : 'an unknown amount'}`;
  const maker = claim.kind === 'request' ? 'requested here' : 'made elsewhere';
  const sentence = `${what}, ${maker}: ${spaced(status)}.`;
  return openStep
    ? `${sentence} ${stepText(openStep.step, amount?.currency ?? '', amount?.minor)}: ${doubtText(openStep, now)}.`
    : sentence;
}

export function subscriptionSentence({ name, status, state }: SubscriptionView, now: number): string {
  const { billing, order, openStep } = state;
  const parts = [`${name}: ${spaced(status)}`];
  if (billing) parts.push(`${counted(billing.cyclesCompleted, 'cycle')} billed`);
  if (billing && billing.outstandingMinor > 0)
    parts.push(`${money(billing.outstandingMinor, order.currency)} outstanding`);
  if (billing?.nextBillingAt !== undefined && (status === 'active' || status === 'pending'))
    parts.push(`the next cycle is due on ${dayText(billing.nextBillingAt, now)}`);
  if (status === 'awaiting_approval')
    parts.push(`the payer’s approval is awaited until ${whenText(order.approvalBy, now)}`);
  return openStep
    ? `${parts.join('; ')}. ${stepText(openStep.step, order.currency)}: ${doubtText(openStep, now)}.`
    : `${parts.join('; ')}.`;
}

export function planSentence({ name, state }: PlanView, now: number): string {
  const { status, openStep } = state;
  const sentence = `${name}: ${spaced(status)}.`;
  return openStep ? `${sentence} ${stepText(openStep.step, '')}: ${doubtText(openStep, now)}.` : sentence;
}

export function payoutSentence({ status, state, totals }: PayoutView, now: number): string {
  const { order, openStep } = state;
  const shown = Object.entries(totals)
    .filter(([, { count }]) => count > 0)
    .map(([itemStatus, { count }]) => `${count} ${itemStatus}`);
  const items = shown.length > 0 ? ` (${shown.join(', ')})` : '';
  const { minor, currency } = order.total;
  const sentence = `${money(minor, currency)} to ${counted(order.items, 'receiver')}${items}: ${spaced(status)}.`;
  const whole = openStep?.step.type === 'createPayout' ? minor : undefined;
  return openStep
    ? `${sentence} ${stepText(openStep.step, currency, whole)}: ${doubtText(openStep, now)}.`
    : sentence;
}

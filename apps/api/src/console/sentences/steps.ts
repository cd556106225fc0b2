import type { PaymentState } from '#workflows/lifecycle/payment';
import type { PayoutState } from '#workflows/lifecycle/payout';
import type { PlanState } from '#workflows/lifecycle/plan';
import type { RefundState } from '#workflows/lifecycle/refund';
import { type OpenStep, type StepOf, stepNouns } from '#workflows/lifecycle/step';
import type { SubscriptionState } from '#workflows/lifecycle/subscription';
import { counted, money, whenText } from './words.js';

type AnyState = PaymentState | PayoutState | PlanState | RefundState | SubscriptionState;
type AnyStep = NonNullable<AnyState['openStep']>['step'];

const nouns = stepNouns satisfies Record<AnyStep['type'], string>;

/** A step as a sentence names it: "Capture of 70.00 USD". */
export function stepText(
  step: StepOf & { readonly minor?: number },
  currency: string,
  whole?: number,
): string {
  const noun = nameOf(step);
  const minor = step.minor ?? whole;
  return minor === undefined ? noun : `${noun} of ${money(minor, currency)}`;
}

function nameOf(step: StepOf): string {
  if ('isRelease' in step && step.isRelease === true) return 'Release of the rest';
  return (nouns as Readonly<Record<string, string>>)[step.type] ?? step.type;
}

/** What is known of a call without an outcome: "outcome unknown since 13:46; 10 lookups found no outcome". */
export function doubtText({ phase, since, looks, attempts }: OpenStep<unknown>, now: number): string {
  if (phase === 'running') return `under way since ${whenText(since, now)}`;
  if (phase === 'retry') return `not made; it is repeated (attempt ${attempts + 1})`;
  return `outcome unknown since ${whenText(since, now)}; ${lookupsText(looks)}`;
}

export function lookupsText(looks: number): string {
  return looks === 0 ? 'not looked up yet' : `${counted(looks, 'lookup')} found no outcome`;
}

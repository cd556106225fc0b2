import {
  type PlanRunInput,
  planSubject,
  planWorkflowType,
  type RunStart,
  type Subject,
  type Offer,
  type SubscriptionRunInput,
  subscriptionSubject,
  subscriptionWorkflowType,
} from '#workflows/contract';
import type { SubscriptionState } from '#workflows/lifecycle/subscription';
import { messagesPerRun } from './run-input.js';

export function planRunStart(input: PlanRunInput): RunStart {
  return {
    subject: planSubject(input.identity),
    type: planWorkflowType,
    input,
    summary: `Plan in ${input.order.terms.currency}`,
    intent: 'plan',
  };
}

export function subscriptionRunStart(input: SubscriptionRunInput): RunStart {
  return {
    subject: subscriptionSubject(input.identity),
    type: subscriptionWorkflowType,
    input,
    summary: `Subscription to plan ${input.order.planId}`,
    intent: 'subscription',
  };
}

/** The run that reads what comes after the end of an agreement that was executed. */
export function subscriptionRunAfterEnd(
  { environment, application, id: subscriptionId }: Subject,
  { order }: SubscriptionState,
): RunStart {
  const identity = { environment, application, subscriptionId };
  return subscriptionRunStart({ identity, order, hasEnded: true, messagesPerRun });
}

/**
 * Where a plan is found in our API. The provider is told it as the address of return, which each agreement replaces by
 * its own: it is what a plan whose creation was not answered is known by.
 *
 * @param publicUrl origin under which the API is reached.
 */
export function planReference(publicUrl: string, planId: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/v1/plans/${planId}`;
}

/** Where the provider sends a subscription's payer back to: the API's payer routes. */
export function subscriptionAddresses(
  publicUrl: string,
  subscriptionId: string,
): Pick<Offer, 'returnUrl' | 'cancelUrl'> {
  const self = `${publicUrl.replace(/\/+$/, '')}/v1/subscriptions/${subscriptionId}`;
  return { returnUrl: `${self}/return`, cancelUrl: `${self}/cancelled` };
}

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

/** The run that reads an executed agreement after its end. */
export function subscriptionRunAfterEnd(
  { environment, application, id: subscriptionId }: Subject,
  { order }: SubscriptionState,
): RunStart {
  const identity = { environment, application, subscriptionId };
  return subscriptionRunStart({ identity, order, hasEnded: true, messagesPerRun });
}

/**
 * The address of a plan in our API. It is sent to the provider as the return address, which each agreement replaces
 * with its own. It identifies the plan if its creation is not answered.
 *
 * @param publicUrl origin under which the API is reached.
 */
export function planReference(publicUrl: string, planId: string): string {
  return `${publicUrl.replace(/\/+$/, '')}/v1/plans/${planId}`;
}

/** The return addresses of a subscription's payer: routes of the API. */
export function subscriptionAddresses(
  publicUrl: string,
  subscriptionId: string,
): Pick<Offer, 'returnUrl' | 'cancelUrl'> {
  const self = `${publicUrl.replace(/\/+$/, '')}/v1/subscriptions/${subscriptionId}`;
  return { returnUrl: `${self}/return`, cancelUrl: `${self}/cancelled` };
}

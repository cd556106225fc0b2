import type { StepInput } from '#workflows/contract';
import type { MoneyStep, OpenStep, PaymentEvent } from '#workflows/lifecycle/payment';
import type { LookHint } from '#workflows/lifecycle/step';
import type { ActivityContext } from '../steps/activities/context.js';
import { type Lookup, type LookupResult, readable } from '../steps/lookups/look-up-step.js';
import { readNamedResource } from './read-named-resource.js';
import { lookUpMoneyStep } from './look-up-money-step.js';

/**
 * Looks up a step's outcome. If the payment shows nothing so far, reads the resource that an event has named by its own
 * id, because the read of the payment may lag. The event is a hint; what the provider shows under the id is the truth.
 */
export async function lookUpWithHint(
  context: ActivityContext,
  input: StepInput,
  asked: Parameters<Lookup<PaymentEvent, MoneyStep>>,
  { resourceId }: LookHint = {},
): Promise<LookupResult<PaymentEvent>> {
  const [openStep] = asked;
  const seen = await readable(lookUpMoneyStep(context, input, ...asked));
  const isOpen = seen === 'absent' || seen === 'unreadable';
  if (!isOpen || resourceId === undefined) return seen;
  return (await readHintedCapture(context, input, openStep, resourceId)) ?? seen;
}

/** Only for a capture. A voided hold does not show what somebody else has captured of it; the payment shows that. */
async function readHintedCapture(
  context: ActivityContext,
  input: StepInput,
  { step }: OpenStep,
  id: string,
): Promise<LookupResult<PaymentEvent> | undefined> {
  if (step.type !== 'captureAuthorization') return undefined;
  const named = await readNamedResource(context, input, step, id, [], { mustBearReference: true });
  // It may be there: the payment's read does not prove its absence then.
  if (named.kind === 'unreadable') return 'unreadable';
  return named.kind === 'found' ? named.event : undefined;
}

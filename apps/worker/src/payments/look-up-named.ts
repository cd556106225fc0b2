import type { AttemptRow } from '#database/schema';
import type { StepInput } from '#workflows/contract';
import type { OpenStep, PaymentEvent } from '#workflows/lifecycle/payment';
import type { LookHint } from '#workflows/lifecycle/step';
import type { ActivityContext } from '../context.js';
import { lookLimit } from '../provider/provider-clients.js';
import { type Look, readable } from '../steps/look-up-step.js';
import { findNamed } from './find-named-resource.js';
import { lookForStep } from './look-up-outcome.js';

/**
 * Looks for what a step made; where that shows nothing so far, reads what an event has named, by its own id: the
 * payment's read may lag behind it. The event is a hint, what the provider shows under the id is the truth.
 */
export async function lookUpon(
  context: ActivityContext,
  input: StepInput,
  openStep: OpenStep,
  attempts: readonly AttemptRow[],
  { resourceId }: LookHint = {},
): Promise<Look<PaymentEvent>> {
  const seen = await readable(lookForStep(context, input, openStep, attempts));
  const isOpen = seen === 'absent' || seen === 'unreadable';
  if (!isOpen || resourceId === undefined) return seen;
  return (await readNamed(context, input, openStep, resourceId)) ?? seen;
}

async function readNamed(
  context: ActivityContext,
  input: StepInput,
  { step }: OpenStep,
  id: string,
): Promise<PaymentEvent | undefined> {
  switch (step.type) {
    case 'captureAuthorization': {
      const named = await findNamed(context, input, step, id, [], { mustBearReference: true });
      return named.kind === 'found' ? named.event : undefined;
    }
    case 'voidAuthorization': {
      const { authorizations } = context.providers.for(input.identity);
      if (id !== input.state.authorization?.authorizationId) return undefined;
      const hold = await readable(authorizations.get(id, { signal: lookLimit() }));
      return typeof hold === 'object' && 'state' in hold && hold.state === 'voided'
        ? { type: 'voidConfirmed' }
        : undefined;
    }
    default:
      return undefined;
  }
}

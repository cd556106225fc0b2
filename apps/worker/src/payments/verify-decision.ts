import type { StepInput, StepOutcome } from '#workflows/contract';
import type { DecidedReview, MoneyStep, PaymentEvent } from '#workflows/lifecycle/payment';
import { verifyHappened } from '../steps/decision-result.js';
import { recordEvent } from '../steps/record-event.js';
import { refusalOf, refusalOnRecord, verifyStep } from '../steps/verify-step.js';
import { findNamed } from './find-named-resource.js';
import { lookForStep } from './look-up-outcome.js';
import type { PaymentWork } from './payment-books.js';

/** Holds an operator's decision against the provider, before it is believed. */
export async function verifyDecision(
  work: PaymentWork,
  input: StepInput,
  decided: DecidedReview,
): Promise<StepOutcome> {
  const { openStep } = input.state;
  if (!openStep) return await verifyUnseenCapture(work, input, decided);
  return await verifyStep(work, input, decided, {
    look: (step, attempts) => lookForStep(work.context, input, step, attempts),
    findNamed: (step, id, attempts) => findNamed(work.context, input, step, id, attempts),
    eventOnWord,
    // "Declined" over a hold that nobody minds would be worse than a payment that waits.
    isReadRequired: ({ type }) => type === 'createPayment' || type === 'executePayment',
  });
}

/** The provider calls a hold captured and shows no capture of it: an operator may have found one, or found none. */
async function verifyUnseenCapture(
  work: PaymentWork,
  input: StepInput,
  decided: DecidedReview,
): Promise<StepOutcome> {
  const told = await refusalOnRecord(work.context.db, decided);
  if (told) return await recordEvent(work, input, told);
  if (decided.decision === 'did_not_happen') {
    const event: PaymentEvent = decided.isUnverified
      ? { type: 'stepDecidedUndone', reason: 'An operator has decided that nothing was captured.' }
      : refusalOf(decided, { refused: 'cannot_be_verified', reason: 'The provider calls it captured.' });
    return await recordEvent(work, input, event);
  }
  const { result: named, calls } = await work.context.providers.recording(() =>
    findNamed(work.context, input, undefined, decided.resourceId, []),
  );
  const result = verifyHappened('unreadable', named, undefined, decided);
  const event = 'refused' in result ? refusalOf(decided, result) : result.event;
  return await recordEvent(work, input, event, calls);
}

/** What an operator's word alone can stand for: no ids are needed of a void, and of a capture just its own. */
function eventOnWord(
  step: MoneyStep,
  { resourceId }: Pick<DecidedReview, 'resourceId'>,
): PaymentEvent | undefined {
  if (step.type === 'voidAuthorization') return { type: 'voidConfirmed' };
  if (step.type !== 'captureAuthorization' || resourceId === undefined) return undefined;
  const { minor, final, commandId } = step;
  return {
    type: 'captureAnswered',
    capture: { captureId: resourceId, minor, final, commandId, status: 'completed', isOnWord: true },
  };
}

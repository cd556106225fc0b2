import type { StepInput, StepOutcome } from '#workflows/contract';
import type { DecidedReview, MoneyStep, PaymentEvent } from '#workflows/lifecycle/payment';
import { verifyHappened } from '../steps/reviews/decision-result.js';
import { recordEvent } from '../steps/activities/record-event.js';
import { refusalOf, refusalOnRecord, verifyStep } from '../steps/reviews/verify-step.js';
import { readNamedResource } from './read-named-resource.js';
import { lookUpMoneyStep } from './look-up-money-step.js';
import type { PaymentWork } from './payment-writer.js';

/** Checks an operator's decision against the provider before it takes effect. */
export async function verifyDecision(
  work: PaymentWork,
  input: StepInput,
  decided: DecidedReview,
): Promise<StepOutcome> {
  const { openStep } = input.state;
  if (!openStep) return await verifyUnseenCapture(work, input, decided);
  return await verifyStep(work, input, decided, {
    lookUp: (...asked) => lookUpMoneyStep(work.context, input, ...asked),
    readNamed: (step, id, attempts) => readNamedResource(work.context, input, step, id, attempts),
    eventOnWord,
    // "Declined" with an authorization that nobody watches would be worse than a payment that waits.
    isReadRequired: ({ type }) => type === 'createPayment' || type === 'executePayment',
  });
}

/** The provider calls an authorization captured and shows no capture. The operator may have found one, or none. */
async function verifyUnseenCapture(
  work: PaymentWork,
  input: StepInput,
  decided: DecidedReview,
): Promise<StepOutcome> {
  const refusal = await refusalOnRecord(work.context.db, decided);
  if (refusal) return await recordEvent(work, input, refusal);
  if (decided.decision === 'did_not_happen') {
    const event: PaymentEvent = decided.isUnverified
      ? { type: 'stepDecidedUndone', reason: 'An operator has decided that nothing was captured.' }
      : refusalOf(decided, { refused: 'cannot_be_verified', reason: 'The provider calls it captured.' });
    return await recordEvent(work, input, event);
  }
  const { result: named, calls } = await work.context.providers.recording(() =>
    readNamedResource(work.context, input, undefined, decided.resourceId, []),
  );
  const result = verifyHappened('unreadable', named, undefined, decided);
  const event = 'refused' in result ? refusalOf(decided, result) : result.event;
  return await recordEvent(work, input, event, { calls });
}

/** The event that the operator's word alone allows: a void needs no ids, a capture only its own. */
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

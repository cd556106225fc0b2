import { findCommand } from '#database/commands';
import { findPosition } from '#database/transitions';
import type { StepInput, StepOutcome } from '#workflows/contract';
import {
  type DecidedReview,
  type MoneyStep,
  type PaymentEvent,
  type ProviderFacts,
  isReadRequired,
} from '#workflows/lifecycle/payment';
import { isProviderTrouble } from '../provider/provider-facts.js';
import { readPaymentFacts } from '../provider/read-payment.js';
import { type DecisionResult, type NamedResource, verifyHappened } from '../steps/reviews/decision-result.js';
import { recordEvent } from '../steps/activities/record-event.js';
import { refusalOf, refusalOnRecord, verifyStep } from '../steps/reviews/verify-step.js';
import { readNamedResource } from './read-named-resource.js';
import { lookUpMoneyStep } from './look-up-money-step.js';
import type { PaymentWork } from './payment-writer.js';

const nothingWasCaptured: PaymentEvent = {
  type: 'stepDecidedUndone',
  reason: 'An operator has decided that nothing was captured.',
};

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
    isReadRequired,
  });
}

/**
 * The provider called an authorization captured and showed no capture. The operator may have found one, or none. It is
 * read again first: it may show the captures by now.
 */
async function verifyUnseenCapture(
  work: PaymentWork,
  input: StepInput,
  decided: DecidedReview,
): Promise<StepOutcome> {
  const { db, providers } = work.context;
  const refusal = await refusalOnRecord(db, decided);
  if (refusal) return await recordEvent(work, input, refusal);
  const carriedOut = await resultOnRecord(work, input, decided);
  if (carriedOut) return await recordEvent(work, input, carriedOut);
  const { result, calls } = await providers.recording(async () => {
    const shown = await capturesShown(work, input);
    if (decided.decision === 'did_not_happen') return nothingCaptured(shown, decided);
    const named = await readNamedResource(work.context, input, undefined, decided.resourceId, []);
    return verifyHappened('unreadable', withOthers(named, shown), undefined, decided);
  });
  const event = 'refused' in result ? refusalOf(decided, result) : result.event;
  return await recordEvent(work, input, event, { calls });
}

/**
 * The result of a decision that a worker carried out before it lost its task. The rows are ahead of the run then: what
 * the decision has recorded must not count against it.
 */
async function resultOnRecord(
  { context: { db }, writer }: PaymentWork,
  { identity, version }: StepInput,
  { commandId, decision, resourceId }: DecidedReview,
): Promise<PaymentEvent | undefined> {
  const command = await findCommand(db, commandId);
  if (command?.status !== 'succeeded') return undefined;
  const row = await findPosition(db, writer.records, writer.subjectOf(identity));
  if (!row || row.version <= version) return undefined;
  if (decision === 'did_not_happen') return nothingWasCaptured;
  const { captures: shown } = row.state;
  const capture = shown.find(({ captureId }) => captureId === resourceId);
  return capture && { type: 'captureAnswered', capture, shown };
}

type Shown = ProviderFacts['captures'];

/** Undefined if the provider cannot be read. */
async function capturesShown({ context }: PaymentWork, input: StepInput): Promise<Shown | undefined> {
  try {
    return (await readPaymentFacts(context.providers.for(input.identity), input.state)).captures;
  } catch (error) {
    if (isProviderTrouble(error)) return undefined;
    throw error;
  }
}

function nothingCaptured(
  shown: Shown | undefined,
  { isUnverified }: DecidedReview,
): DecisionResult<PaymentEvent> {
  if (shown?.some(({ status }) => status !== 'denied'))
    return { refused: 'contradicted_by_provider', reason: 'The provider shows a capture.' };
  if (!isUnverified) return { refused: 'cannot_be_verified', reason: 'The provider calls it captured.' };
  return { event: nothingWasCaptured };
}

/** The named capture ends the payment: what was captured besides counts, too. */
function withOthers(
  named: NamedResource<PaymentEvent>,
  shown: Shown | undefined,
): NamedResource<PaymentEvent> {
  if (named.kind !== 'found' || named.event.type !== 'captureAnswered') return named;
  return shown ? { kind: 'found', event: { ...named.event, shown } } : { kind: 'unreadable' };
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

import { findCommandsByReference } from '#database/commands';
import type { AttemptRow } from '#database/schema';
import { findSubjectsOfResources } from '#database/subjects';
import { type Capture, NotFoundError, type PaymentsClient } from '#payments-client';
import type { StepInput } from '#workflows/contract';
import { type MoneyStep, type PaymentEvent, type PaymentState } from '#workflows/lifecycle/payment';
import { type ProviderTime, isMadeBefore } from '../provider/clock-skew.js';
import { isDoubtful } from '../provider/doubtful-hold.js';
import { outcomeOfPayment } from '../provider/payment-answer.js';
import { captureOf, isProviderTrouble } from '../provider/provider-facts.js';
import { confirmedRead } from '../provider/read-again.js';
import { lookLimit } from '../provider/provider-clients.js';
import { isHoldOf } from './answered-capture.js';
import { isDenied } from './look-up-money-step.js';
import { readEndedHold, releasesRest } from './read-ended-hold.js';
import type { NamedResource } from '../steps/reviews/decision-result.js';
import type { ActivityContext } from '../steps/activities/context.js';

type CaptureStep = Extract<MoneyStep, { type: 'captureAuthorization' }>;

/** What a capture that is named is compared with. */
interface CaptureEvidence {
  readonly attempts: readonly AttemptRow[];
  readonly mustBearReference: boolean;
}

/**
 * Reads the payment or capture that an operator or an event names as the result of a step. It is accepted only if the
 * provider shows that it belongs to this payment and to no other command of it; a denial, only if it shows it twice.
 *
 * @param step undefined if there is none to name a result of: the provider calls an authorization captured, and shows no
 *   capture.
 * @param mustBearReference true if no operator confirms it: an equal capture without a reference may be somebody
 *   else's.
 */
export async function readNamedResource(
  context: ActivityContext,
  input: StepInput,
  step: MoneyStep | undefined,
  id: string | undefined,
  attempts: readonly AttemptRow[],
  { mustBearReference = false }: { readonly mustBearReference?: boolean } = {},
): Promise<NamedResource<PaymentEvent>> {
  if (id === undefined) return { kind: 'unreadable' };
  try {
    if (step?.type === 'createPayment') return await readNamedPayment(context, input, id, attempts);
    if (step && step.type !== 'captureAuthorization') return { kind: 'unreadable' };
    return await readNamedCapture(context, input, step, id, { attempts, mustBearReference });
  } catch (error) {
    if (error instanceof NotFoundError) return another('The provider does not know it.');
    if (isProviderTrouble(error)) return { kind: 'unreadable' };
    throw error;
  }
}

async function readNamedPayment(
  context: ActivityContext,
  { identity, state }: StepInput,
  id: string,
  attempts: readonly AttemptRow[],
): Promise<NamedResource<PaymentEvent>> {
  const client = context.providers.for(identity);
  const since = attempts[0]?.begun_at ?? new Date();
  const read = async (): Promise<PaymentEvent | 'of another'> => {
    const payment = await client.payments.get(id, { signal: lookLimit() });
    const isOurs = payment.transactions.some(
      ({ custom, invoiceNumber }) =>
        custom === identity.paymentId || attempts.some(({ reference }) => reference === invoiceNumber),
    );
    return isOurs ? outcomeOfPayment(payment, state.order) : 'of another';
  };
  const event = await confirmedRead(
    read,
    (seen) => seen !== 'of another' && (isDoubtful(client, { since }, seen) || isDenied(seen)),
  );
  return event === 'of another'
    ? another('That payment does not have our reference.')
    : { kind: 'found', event };
}

async function readNamedCapture(
  { db, providers }: ActivityContext,
  { identity, state }: StepInput,
  step: CaptureStep | undefined,
  id: string,
  evidence: CaptureEvidence,
): Promise<NamedResource<PaymentEvent>> {
  // Checked before the read: if the read fails, the operator's word would overwrite the recorded capture.
  const recorded = await whyRecorded(db, { identity, state }, id);
  if (recorded !== undefined) return another(recorded);
  const client = providers.for(identity);
  const read = async () => await client.captures.get(id, { signal: lookLimit() });
  const capture = await confirmedRead(read, (seen) => stateOf(seen) === 'denied', stateOf);
  const { authorizationId, invoiceNumber } = capture;
  if (authorizationId === undefined || !isHoldOf(state, authorizationId)) {
    return another('The provider does not show that capture for this authorization.');
  }
  const { currency } = state.order.amount;
  const isOfCurrency = capture.amount.currency === currency;
  const shown = isOfCurrency ? captureOf(capture, currency) : undefined;
  if (!shown || (step && shown.minor !== step.minor)) return another('That capture has another amount.');
  const senders = await findCommandsByReference(db, identity.paymentId, invoiceNumber ? [invoiceNumber] : []);
  const sender = senders.get(invoiceNumber ?? '');
  if (sender !== undefined && sender !== step?.commandId)
    return another('Another request made that capture.');
  const reason = step && sender === undefined ? whyOfOthers(capture, evidence, client) : undefined;
  if (reason !== undefined) return another(reason);
  return { kind: 'found', event: await eventOf(client, state, step, shown) };
}

function stateOf({ state }: Capture): string {
  return state;
}

async function whyRecorded(
  db: ActivityContext['db'],
  { identity, state }: Pick<StepInput, 'identity' | 'state'>,
  id: string,
): Promise<string | undefined> {
  if (state.captures.some(({ captureId }) => captureId === id))
    return 'That capture is already recorded, as another one.';
  const isRecorded = (await findSubjectsOfResources(db, identity, [id])).has(id);
  return isRecorded ? 'That id is already recorded, of something else.' : undefined;
}

/** Why a capture that no attempt on record has made cannot be the one in question; undefined if it can. */
function whyOfOthers(
  capture: Capture,
  { attempts: [first], mustBearReference }: CaptureEvidence,
  time: ProviderTime,
): string | undefined {
  if (capture.invoiceNumber !== undefined || mustBearReference)
    return 'That capture does not have a reference of ours.';
  // Without a reference, only its age tells it from an equal one that somebody has made before.
  return isMadeBefore(time, first?.begun_at, capture)
    ? 'That capture was made before the request.'
    : undefined;
}

/** The capture itself does not show what another user of the account has captured of the hold that it ended. */
async function eventOf(
  client: PaymentsClient,
  state: PaymentState,
  step: CaptureStep | undefined,
  shown: ReturnType<typeof captureOf>,
): Promise<PaymentEvent> {
  const made = step ? { final: step.final, commandId: step.commandId } : { final: true };
  const event = { type: 'captureAnswered', capture: { ...shown, ...made } } as const;
  if (!step || !releasesRest(state, event.capture)) return event;
  const isShown = ({ captureId }: { readonly captureId: string }) => captureId === shown.captureId;
  const captures = await readEndedHold(client, state, (facts) => facts.captures.some(isShown));
  return { ...event, shown: captures };
}

function another(reason: string): NamedResource<never> {
  return { kind: 'another', reason };
}

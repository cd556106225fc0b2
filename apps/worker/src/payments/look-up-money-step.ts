import type { AttemptRow } from '#database/schema';
import type { Instant } from '#workflows/lifecycle';
import {
  type ReauthorizeStep,
  lacksCapture,
  showsUnclaimedCapture,
  showsWhatIsKnown,
  type MoneyStep,
  type OpenStep,
  type PaymentState,
  type ProviderFacts,
  type PaymentEvent,
  reauthorizationIn,
} from '#workflows/lifecycle/payment';
import type { PaymentsClient } from '#payments-client';
import type { StepInput } from '#workflows/contract';
import { isDoubtful } from '../provider/doubtful-hold.js';
import { findPaymentByReference } from '../provider/find-payment.js';
import { lookLimit } from '../provider/provider-clients.js';
import { outcomeOfPayment } from '../provider/payment-answer.js';
import { UnreadableAnswerError, capturesChangedAt, factsOf, isClosed } from '../provider/provider-facts.js';
import { readPaymentFacts } from '../provider/read-payment.js';
import { releasesRest } from './read-ended-hold.js';
import { firstSentStep } from '../steps/attempts/first-sent-step.js';
import { type LookupResult, confirmed } from '../steps/lookups/look-up-step.js';
import type { ActivityContext } from '../steps/activities/context.js';

interface Looking {
  readonly attempts: readonly AttemptRow[];
  readonly isPastHorizon: boolean;
}

type CaptureStep = Extract<MoneyStep, { type: 'captureAuthorization' }>;

/** Looks up the outcome of a payment's step by our own references. */
export async function lookUpMoneyStep(
  context: ActivityContext,
  input: StepInput,
  { step }: OpenStep,
  attempts: readonly AttemptRow[],
  isPastHorizon: boolean,
): Promise<LookupResult<PaymentEvent>> {
  const client = context.providers.for(input.identity);
  const { authorization } = input.state;
  const known = { since: attempts[0]?.begun_at ?? new Date(), authorization };
  const lookUp = () => lookUpOnce(client, input, step, { attempts, isPastHorizon });
  return await confirmed(lookUp, (seen) => isDoubtful(client, known, seen) || isDenied(seen));
}

/** Its caller asks again, or the payment ends: as of a refusal, one answer may be wrong. */
export function isDenied(seen: LookupResult<PaymentEvent>): boolean {
  if (typeof seen === 'string') return false;
  const part = seen.type === 'captureAnswered' ? seen.capture : seen.type === 'saleAnswered' && seen.sale;
  return part && part.status === 'denied';
}

async function lookUpOnce(
  client: PaymentsClient,
  input: StepInput,
  step: MoneyStep,
  looking: Looking,
): Promise<LookupResult<PaymentEvent>> {
  switch (step.type) {
    case 'createPayment':
      return await lookUpCreation(client, input, looking);
    case 'executePayment':
      return await lookUpExecution(client, input);
    case 'captureAuthorization':
      return await lookUpCapture(client, input, step, looking);
    case 'voidAuthorization':
      return await lookUpVoid(client, input);
    case 'reauthorizeAuthorization':
      return await lookUpReauthorization(client, input, looking);
  }
}

async function lookUpCreation(
  client: PaymentsClient,
  input: StepInput,
  { attempts }: Looking,
): Promise<LookupResult<PaymentEvent>> {
  const { amount, paymentId, patience } = input.state.order;
  const [first, last] = [attempts[0], attempts.at(-1)];
  if (!first || !last) throw new Error('a creation of unknown outcome has no attempt');
  const until = new Date(last.send_by.getTime() + patience.outcomeHorizonMs);
  const found = await findPaymentByReference(
    client,
    { custom: paymentId, references: attempts.map(({ reference }) => reference), amount },
    { since: first.begun_at, until },
  );
  if (found === 'absent' || found === 'unreadable') return found;
  return outcomeOfPayment(found, input.state.order);
}

async function lookUpExecution(
  client: PaymentsClient,
  { state }: StepInput,
): Promise<LookupResult<PaymentEvent>> {
  const payment = await client.payments.get(state.providerPaymentId ?? '', { signal: lookLimit() });
  // What is shown as made was executed, whatever the payment's own state says.
  const [made] = payment.transactions;
  const isMade = made !== undefined && made.authorizations.length + made.sales.length > 0;
  if (payment.state === 'created' && !isMade) return 'absent';
  const outcome = outcomeOfPayment(payment, state.order);
  // Still waiting for its execution, whatever its state is called: nothing has been done.
  return outcome.type === 'paymentCreated' ? 'absent' : outcome;
}

async function lookUpCapture(
  client: PaymentsClient,
  { state }: StepInput,
  step: CaptureStep,
  { attempts, isPastHorizon }: Looking,
): Promise<LookupResult<PaymentEvent>> {
  const facts = await readWholeFacts(client, state);
  const { captures } = facts;
  const found = captures.find(({ reference }) => attempts.some((attempt) => attempt.reference === reference));
  if (found) {
    const { captureId, minor, status } = found;
    const { final, commandId } = step;
    const capture = { captureId, minor, status, final, commandId };
    return { type: 'captureAnswered', capture, ...(releasesRest(state, capture) && { shown: captures }) };
  }
  if (showsUnclaimedCapture(state, facts, step.minor)) return 'unreadable';
  if (lacksCapture(state, facts)) return 'unreadable';
  return excludedBy(facts, isPastHorizon);
}

async function lookUpVoid(client: PaymentsClient, { state }: StepInput): Promise<LookupResult<PaymentEvent>> {
  const facts = await readWholeFacts(client, state);
  const { authorization } = facts;
  if (authorization?.state === 'voided') return { type: 'voidConfirmed', shown: facts.captures };
  // A void would be shown as such: any other end excludes it at once.
  return excludedBy(facts, true);
}

async function lookUpReauthorization(
  client: PaymentsClient,
  { state }: StepInput,
  { attempts, isPastHorizon }: Looking,
): Promise<LookupResult<PaymentEvent>> {
  const { providerPaymentId = '', order, authorization } = state;
  const payment = await client.payments.get(providerPaymentId, { signal: lookLimit() });
  const facts = wholeFacts(state, factsOf(payment, order.amount.currency, authorization));
  const changedAt = capturesChangedAt(payment, state.captures);
  return reauthorizationShown(state, facts, { attempts, isPastHorizon }, changedAt);
}

/**
 * Whether the facts show the reauthorization. They are compared with what was seen before the first attempt that may have
 * been sent: one whose row was lost has nothing, and then only another id, amount or window shows it, but not its absence.
 * The same holds if a capture and the hold have changed since: the capture may be why the hold has.
 */
export function reauthorizationShown(
  state: PaymentState,
  facts: ProviderFacts,
  {
    attempts,
    isPastHorizon,
  }: {
    readonly attempts: readonly Pick<AttemptRow, 'outcome' | 'step'>[];
    readonly isPastHorizon: boolean;
  },
  capturesChangedAt?: Instant,
): LookupResult<PaymentEvent> {
  const first = firstSentStep<ReauthorizeStep>(attempts);
  const seen = first?.seenUpdatedAt;
  const { authorization } = facts;
  const changedAt = Math.min(capturesChangedAt ?? -Infinity, authorization?.changedAt ?? Infinity);
  const isComparable = seen !== undefined && changedAt <= seen;
  const reauthorized = reauthorizationIn(state, facts, isComparable ? seen : undefined);
  if (reauthorized) return reauthorized;
  if ((first && !isComparable) || isChangedAlive(authorization, seen)) return 'unreadable';
  // A replaced authorization is also shown as voided, if the answer leaves out the new one.
  if (authorization?.state === 'voided') return 'absent';
  return excludedBy(facts, isPastHorizon);
}

/** Something has changed the hold since, and not by ending it. */
function isChangedAlive(hold: ProviderFacts['authorization'], seen = Infinity): boolean {
  return !isClosed(hold?.state) && (hold?.changedAt ?? -Infinity) > seen;
}

/** @throws {UnreadableAnswerError} for an answer that lacks known resources: it may lack others, too. */
export async function readWholeFacts(client: PaymentsClient, state: PaymentState): Promise<ProviderFacts> {
  return wholeFacts(state, await readPaymentFacts(client, state));
}

function wholeFacts(state: PaymentState, facts: ProviderFacts): ProviderFacts {
  if (!showsWhatIsKnown(state, facts)) throw new UnreadableAnswerError();
  return facts;
}

/**
 * What the state of the hold excludes. Before the horizon nothing: what has closed it may be the step itself, which a
 * lagging read does not show yet.
 */
function excludedBy({ authorization }: ProviderFacts, isPastHorizon: boolean): PaymentEvent | 'absent' {
  return isPastHorizon && isClosed(authorization?.state) ? excluded(authorization?.state) : 'absent';
}

function excluded(state: string | undefined): PaymentEvent {
  return {
    type: 'stepDeclined',
    reason: `The authorization is ${state} at the provider, which excludes it.`,
  };
}

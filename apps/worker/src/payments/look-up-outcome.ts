import type { AttemptRow } from '#database/schema';
import {
  type ReauthorizeStep,
  showsOnlyKnownCaptures,
  showsUnclaimedCapture,
  showsWhatIsKnown,
  type MoneyStep,
  type OpenStep,
  type PaymentState,
  type ProviderFacts,
  type PaymentEvent,
  renewalIn,
} from '#workflows/lifecycle/payment';
import type { PaymentsClient } from '#payments-client';
import type { StepInput } from '#workflows/contract';
import { findPaymentByReference } from '../provider/find-payment.js';
import { lookLimit } from '../provider/provider-clients.js';
import { outcomeOfPayment } from '../provider/payment-outcome.js';
import { UnreadableAnswerError, isClosed } from '../provider/provider-facts.js';
import { readPaymentFacts } from '../provider/read-payment.js';
import type { Look } from '../steps/look-up-step.js';
import type { ActivityContext } from '../context.js';

type CaptureStep = Extract<MoneyStep, { type: 'captureAuthorization' }>;

/** What the provider shows of a payment's step, looked up by our own references. */
export async function lookForStep(
  context: ActivityContext,
  input: StepInput,
  { step }: OpenStep,
  attempts: readonly AttemptRow[],
): Promise<Look<PaymentEvent>> {
  const client = context.providers.for(input.identity);
  switch (step.type) {
    case 'createPayment':
      return await lookForPayment(client, input, attempts);
    case 'executePayment':
      return await lookForExecution(client, input);
    case 'captureAuthorization':
      return await lookForCapture(client, input, step, attempts);
    case 'voidAuthorization':
      return await lookForVoid(client, input);
    case 'reauthorizeAuthorization':
      return await lookForRenewal(client, input, attempts);
  }
}

async function lookForPayment(
  client: PaymentsClient,
  input: StepInput,
  attempts: readonly AttemptRow[],
): Promise<Look<PaymentEvent>> {
  const { amount, paymentId, patience } = input.state.order;
  const [first, last] = [attempts[0], attempts.at(-1)];
  if (!first || !last) throw new Error('a creation in doubt has no attempt');
  const until = new Date(last.send_by.getTime() + patience.outcomeHorizonMs);
  const found = await findPaymentByReference(
    client,
    { custom: paymentId, references: attempts.map(({ reference }) => reference), amount },
    { since: first.begun_at, until },
  );
  if (found === 'absent' || found === 'unreadable') return found;
  return outcomeOfPayment(found, input.state.order);
}

async function lookForExecution(client: PaymentsClient, { state }: StepInput): Promise<Look<PaymentEvent>> {
  const payment = await client.payments.get(state.providerPaymentId ?? '', { signal: lookLimit() });
  if (payment.state === 'created') return 'absent';
  const outcome = outcomeOfPayment(payment, state.order);
  // Still waiting for its execution, whatever its state is called: nothing was done so far.
  return outcome.type === 'paymentCreated' ? 'absent' : outcome;
}

async function lookForCapture(
  client: PaymentsClient,
  { state }: StepInput,
  step: CaptureStep,
  attempts: readonly AttemptRow[],
): Promise<Look<PaymentEvent>> {
  const facts = await readWholeFacts(client, state);
  const { authorization, captures } = facts;
  const found = captures.find(({ reference }) => attempts.some((attempt) => attempt.reference === reference));
  if (found) {
    const { captureId, minor, status } = found;
    const { final, commandId } = step;
    return { type: 'captureAnswered', capture: { captureId, minor, status, final, commandId } };
  }
  if (showsUnclaimedCapture(state, facts, step.minor)) return 'unreadable';
  return isClosed(authorization?.state) ? excluded(authorization?.state) : 'absent';
}

async function lookForVoid(client: PaymentsClient, { state }: StepInput): Promise<Look<PaymentEvent>> {
  const facts = await readWholeFacts(client, state);
  const { authorization } = facts;
  // Somebody has captured and voided elsewhere: then the read that follows a refusal tells the end, with what was captured.
  if (authorization?.state === 'voided' && showsOnlyKnownCaptures(state, facts))
    return { type: 'voidConfirmed' };
  return isClosed(authorization?.state) ? excluded(authorization?.state) : 'absent';
}

async function lookForRenewal(
  client: PaymentsClient,
  { state }: StepInput,
  attempts: readonly AttemptRow[],
): Promise<Look<PaymentEvent>> {
  const facts = await readWholeFacts(client, state);
  // Of the first that was sent: one that the hold could not be read for was not.
  const [seenUpdatedAt] = attempts.flatMap(
    ({ step }) => (step as Partial<ReauthorizeStep>).seenUpdatedAt ?? [],
  );
  const renewed = renewalIn(state, facts, seenUpdatedAt);
  if (renewed) return renewed;
  const { authorization } = facts;
  // Voided is also how the former one is shown where the one that was asked for is left out.
  if (authorization?.state === 'voided') return 'absent';
  return isClosed(authorization?.state) ? excluded(authorization?.state) : 'absent';
}

/** @throws {UnreadableAnswerError} for an answer that leaves out what is known: what else it leaves out may be there. */
async function readWholeFacts(client: PaymentsClient, state: PaymentState): Promise<ProviderFacts> {
  const facts = await readPaymentFacts(client, state);
  if (!showsWhatIsKnown(state, facts)) throw new UnreadableAnswerError();
  return facts;
}

function excluded(state: string | undefined): PaymentEvent {
  return {
    type: 'stepDeclined',
    reason: `The authorization is ${state} at the provider, which excludes it.`,
  };
}

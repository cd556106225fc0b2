import { readClock } from '../../../../libs/database/src/attempts.js';
import { type AttemptRow } from '../../../../libs/database/src/schema.js';
import { type Settlement, findAttempts } from '../../../../libs/database/src/transitions.js';
import type { PaymentsClient } from '../../../../libs/payments-client/src/index.js';
import type { StepInput, StepOutcome } from '../../../../libs/workflows/src/contract.js';
import type {
  OpenStep,
  PaymentEvent,
  PaymentState,
  ProviderFacts,
} from '../../../../libs/workflows/src/lifecycle/payment.js';
import { nameOfStep } from '../../../../libs/workflows/src/lifecycle/open-step.js';
import { findPaymentByReference } from '../provider/find-payment.js';
import { eventOfPayment, factsOf, isProviderTrouble } from '../provider/provider-facts.js';
import { lookLimit } from '../provider/provider-clients.js';
import type { ActivityContext } from './activity-context.js';
import { inDoubt, requireOpenStep, resumeAttempt, settle } from './attempt-step.js';

/**
 * Looks up whether a POST in doubt was carried out. Found: that settles it. Excluded by the resource's state: so does
 * that. Not found: proof only when the look began after the outcome horizon, because the provider may execute late and
 * its reads may lag.
 */
export async function lookUpOutcome(context: ActivityContext, input: StepInput): Promise<StepOutcome> {
  const openStep = requireOpenStep(input);
  const attempts = await findAttempts(context.db, input.identity.paymentId, nameOfStep(openStep));
  // Not simply the latest: a worker that died may have begun another one since, which has a horizon of its own.
  const attempt = attempts.find(({ attempt_number }) => attempt_number === openStep.attempts);
  if (!attempt) throw new Error('a step in doubt has no attempt');
  // Settled since by whoever made it: there is nothing to look for.
  if (!isOpen(attempt)) return await resumeAttempt(context, input, openStep);
  // Before the look, and by the clock that the horizon was set by.
  const lookedAt = (await readClock(context.db)).getTime();
  const { result, calls } = await context.providers.recording(() => look(context, input, openStep, attempts));
  if (result === 'unreadable' || (result === 'absent' && lookedAt < openStep.horizonAt)) {
    return await lookedInVain(context, input, openStep, attempt, calls);
  }
  const found = result === 'absent' ? provedUndone(attempt) : { outcome: 'answered' as const, event: result };
  return await settle(context, input, openStep, { attemptId: attempt.id, ...found, at: new Date() }, calls);
}

/** Nothing was done: the step is repeated, unless its repeat was refused. Then the refusal was meant as it was said. */
function provedUndone({ event }: AttemptRow): Pick<Settlement, 'outcome' | 'event'> {
  const refusal = event?.type === 'outcomeUnknown' ? event.refusal : undefined;
  if (refusal === undefined) return { outcome: 'undone', event: { type: 'stepProvedUndone' } };
  return { outcome: 'declined', event: { type: 'stepDeclined', reason: refusal } };
}

/** What a look shows: what came of the step, nothing of it so far, or nothing that can be read. */
export type Look = PaymentEvent | 'absent' | 'unreadable';

export async function look(
  context: ActivityContext,
  input: StepInput,
  { step }: OpenStep,
  attempts: readonly AttemptRow[],
): Promise<Look> {
  const client = context.providers.for(input.identity);
  try {
    switch (step.type) {
      case 'createPayment':
        return await lookForPayment(client, input, attempts);
      case 'executePayment':
        return await lookForHold(client, input);
      case 'captureAuthorization':
        return await lookForCapture(client, input, step.commandId, step.final, attempts);
      case 'voidAuthorization':
        return await lookForVoid(client, input);
    }
  } catch (error) {
    if (isProviderTrouble(error)) return 'unreadable';
    throw error;
  }
}

async function lookForPayment(
  client: PaymentsClient,
  input: StepInput,
  attempts: readonly AttemptRow[],
): Promise<Look> {
  const { paymentId, patience } = input.state.order;
  const [first, last] = [attempts[0], attempts.at(-1)];
  if (!first || !last) throw new Error('a creation in doubt has no attempt');
  const until = new Date(last.send_by.getTime() + patience.outcomeHorizonMs);
  const references = attempts.map(({ reference }) => reference);
  const found = await findPaymentByReference(client, paymentId, references, { since: first.begun_at, until });
  if (found === 'absent' || found === 'unreadable') return found;
  return eventOfPayment(found, input.state.order.amount.currency);
}

async function lookForHold(client: PaymentsClient, { state }: StepInput): Promise<Look> {
  const payment = await client.payments.get(state.providerPaymentId ?? '', { signal: lookLimit() });
  // Still waiting for its execution: nothing was done so far.
  return payment.state === 'created' ? 'absent' : eventOfPayment(payment, state.order.amount.currency);
}

async function lookForCapture(
  client: PaymentsClient,
  { state }: StepInput,
  commandId: string,
  final: boolean,
  attempts: readonly AttemptRow[],
): Promise<Look> {
  const { authorization, captures } = await readFacts(client, state);
  const found = captures.find(({ reference }) => attempts.some((attempt) => attempt.reference === reference));
  if (found) {
    const { captureId, minor, status } = found;
    return { type: 'captureAnswered', capture: { captureId, minor, status, final, commandId } };
  }
  return isClosed(authorization?.state) ? excluded(authorization?.state) : 'absent';
}

async function lookForVoid(client: PaymentsClient, { state }: StepInput): Promise<Look> {
  const { authorization } = await readFacts(client, state);
  if (authorization?.state === 'voided') return { type: 'voidConfirmed' };
  return isClosed(authorization?.state) ? excluded(authorization?.state) : 'absent';
}

async function readFacts(client: PaymentsClient, state: PaymentState): Promise<ProviderFacts> {
  const payment = await client.payments.get(state.providerPaymentId ?? '', { signal: lookLimit() });
  return factsOf(payment, state.order.amount.currency);
}

/** States that an authorization never leaves, and in which nothing can be captured or voided any more. */
function isClosed(state: string | undefined): boolean {
  return state === 'voided' || state === 'expired' || state === 'denied' || state === 'captured';
}

function excluded(state: string | undefined): PaymentEvent {
  return {
    type: 'stepDeclined',
    reason: `The authorization is ${state} at the provider, which excludes it.`,
  };
}

/** It stays in doubt, unless its answer has come in meanwhile: that is not overwritten. */
async function lookedInVain(
  context: ActivityContext,
  input: StepInput,
  openStep: OpenStep,
  attempt: AttemptRow,
  calls: Parameters<typeof settle>[4],
): Promise<StepOutcome> {
  const at = attempt.settled_at ?? new Date();
  const { outcome, event } = inDoubt(attempt, input);
  const unchanged = { attemptId: attempt.id, outcome, event: attempt.event ?? event, at };
  return await settle(context, input, openStep, unchanged, calls, {
    event: { type: 'lookInconclusive' },
    at: Date.now(),
  });
}

export function isOpen({ outcome }: AttemptRow): boolean {
  return outcome === null || outcome === 'unknown';
}

import { findCommandsByReference } from '#database/commands';
import { findAttempts } from '#database/transitions';
import type { StepInput, StepOutcome } from '#workflows/contract';
import {
  type MoneyStep,
  type PaymentState,
  type ProviderFacts,
  nameOfStep,
  type PaymentEvent,
  transition,
} from '#workflows/lifecycle/payment';
import { isProviderTrouble } from '../provider/provider-facts.js';
import { confirmedRead } from '../provider/read-again.js';
import { readPaymentFacts } from '../provider/read-payment.js';
import type { ActivityContext } from '../steps/activities/context.js';
import { makeRead } from '../steps/activities/make-read.js';
import { recordEvent } from '../steps/activities/record-event.js';
import { isAnswered } from '../steps/attempts/recorded-outcome.js';
import { adoptedCaptures } from './payment-command-outcomes.js';
import type { PaymentWork } from './payment-writer.js';

/** Reads the payment with its authorization and captures, or its sale. A webhook is only a hint; this read decides. */
export async function observePayment(work: PaymentWork, input: StepInput): Promise<StepOutcome> {
  const { context } = work;
  const { shown: read, made } = await makeRead(context, (lookedAt) => readEvent(context, input, lookedAt));
  const event = showsNoApproval(input, read) ? await approvedOnRecord(context, input, read) : read;
  return await recordEvent(work, input, event, made, (after) => adoptedCaptures(input.state, after));
}

type Result = ReturnType<typeof transition>;
type Reading = Extract<PaymentEvent, { type: 'providerObserved' | 'observationFailed' }>;

async function readEvent(
  context: ActivityContext,
  { identity, state }: StepInput,
  lookedAt: number,
): Promise<Reading> {
  if (state.providerPaymentId === undefined) return { type: 'observationFailed' };
  try {
    const client = context.providers.for(identity);
    const now = Date.now();
    const resultOf = (shown: ProviderFacts) =>
      transition(state, { type: 'providerObserved', facts: shown }, now);
    const read = () => readPaymentFacts(client, state);
    // What one of two reads changes must be shown by the other one: if it is not, the run reads again later.
    let isChanging = false;
    const needsTwoReads = (shown: ProviderFacts) => (isChanging ||= isChange(resultOf(shown)));
    const facts = await confirmedRead(read, needsTwoReads, resultOf);
    if (endsUnexecuted(resultOf(facts)) && (await mayStillBeExecuted(context, identity, state, lookedAt)))
      return { type: 'observationFailed' };
    return { type: 'providerObserved', facts: await withCommands(context, identity.paymentId, state, facts) };
  } catch (error) {
    // The run reads again later. A bug of ours must not be treated as a provider that is away.
    if (isProviderTrouble(error)) return { type: 'observationFailed' };
    throw error;
  }
}

/**
 * What a read changes is told, policies act on it, and an end or a final part is never left again: an incomplete or wrong answer
 * must not do that. An approval only begins an execution, which the provider refuses without one.
 */
function isChange(result: Result): boolean {
  if (result.kind !== 'moved') return result.kind !== 'stale';
  return result.effect?.type !== 'perform' || result.effect.step.type !== 'executePayment';
}

/** It ends because nothing shows that it was executed, and it will not be executed any more. */
function endsUnexecuted({ kind, state: { status, authorization } }: Result): boolean {
  return kind === 'moved' && !authorization && (status === 'expired' || status === 'cancelled');
}

/**
 * An execution may have been answered as neither carried out nor refused. Until its horizon nothing that is missing in an
 * answer proves that it is not carried out.
 */
async function mayStillBeExecuted(
  { db }: ActivityContext,
  { paymentId }: StepInput['identity'],
  { order, stepsBegun: number }: PaymentState,
  lookedAt: number,
): Promise<boolean> {
  const attempts = await findAttempts(db, paymentId, executionNamed(number));
  const answered = attempts.filter(isAnswered);
  const horizons = answered.map(({ send_by }) => send_by.getTime() + order.patience.outcomeHorizonMs);
  return horizons.some((horizonAt) => lookedAt < horizonAt);
}

function executionNamed(number: number): string {
  return nameOfStep({ number, step: { type: 'executePayment', payerId: '' } });
}

function showsNoApproval({ state }: StepInput, read: Reading): boolean {
  if (state.status !== 'awaiting_approval') return false;
  if (read.type === 'observationFailed') return true;
  const { authorization, sale, payerId } = read.facts;
  return authorization === undefined && sale === undefined && payerId === undefined;
}

/**
 * A run whose workflow task was lost may not know that it executed the payment. The recorded attempt proves the
 * approval even if the read lags: the run begins the step again and finds the attempt.
 */
async function approvedOnRecord(
  { db }: ActivityContext,
  { identity, state }: StepInput,
  read: Reading,
): Promise<Reading> {
  const [attempt] = await findAttempts(db, identity.paymentId, executionNamed(state.stepsBegun + 1));
  if (attempt?.step.type !== 'executePayment') return read;
  const { payerId } = attempt.step as Extract<MoneyStep, { type: 'executePayment' }>;
  const shown = read.type === 'providerObserved' ? read.facts : { paymentState: 'created', captures: [] };
  return { type: 'providerObserved', facts: { ...shown, payerId } };
}

/** An unrecorded capture may be one that we sent and gave up. Then it belongs to its command. */
async function withCommands(
  { db }: ActivityContext,
  paymentId: string,
  state: PaymentState,
  facts: ProviderFacts,
): Promise<ProviderFacts> {
  const unknown = facts.captures.filter(
    ({ captureId }) => !state.captures.some((known) => known.captureId === captureId),
  );
  const references = unknown.flatMap(({ reference }) => (reference === undefined ? [] : [reference]));
  const commands = await findCommandsByReference(db, paymentId, references);
  if (commands.size === 0) return facts;
  return {
    ...facts,
    captures: facts.captures.map((capture) => {
      const commandId = commands.get(capture.reference ?? '');
      return commandId === undefined ? capture : { ...capture, commandId };
    }),
  };
}

import { isDeepStrictEqual } from 'node:util';
import { findCommandsByReference } from '#database/commands';
import { findAttempts } from '#database/transitions';
import type { StepInput, StepOutcome } from '#workflows/contract';
import {
  type MoneyStep,
  type PaymentState,
  type ProviderFacts,
  isTerminal,
  nameOfStep,
  type PaymentEvent,
} from '#workflows/lifecycle/payment';
import { isClosed, isProviderTrouble } from '../provider/provider-facts.js';
import { readAgain } from '../provider/read-again.js';
import { readPaymentFacts } from '../provider/read-payment.js';
import type { ActivityContext } from '../steps/activities/context.js';
import { makeRead } from '../steps/activities/make-read.js';
import { recordEvent } from '../steps/activities/record-event.js';
import { adoptedCaptures } from './payment-command-outcomes.js';
import type { PaymentWork } from './payment-writer.js';

/** Reads the payment with its authorization and captures, or its sale. A webhook is only a hint; this read decides. */
export async function observePayment(work: PaymentWork, input: StepInput): Promise<StepOutcome> {
  const { context } = work;
  const { shown: read, made } = await makeRead(context, () => readEvent(context, input));
  const event = showsNoApproval(input, read) ? await approvedOnRecord(context, input, read) : read;
  return await recordEvent(work, input, event, made, (after) => adoptedCaptures(input.state, after));
}

type Reading = Extract<PaymentEvent, { type: 'providerObserved' | 'observationFailed' }>;

async function readEvent(context: ActivityContext, { identity, state }: StepInput): Promise<Reading> {
  if (state.providerPaymentId === undefined) return { type: 'observationFailed' };
  try {
    const client = context.providers.for(identity);
    const facts = await readPaymentFacts(client, state);
    if (showsNewEnd(state, facts)) {
      const again = await readAgain(() => readPaymentFacts(client, state));
      if (!isDeepStrictEqual(endIn(facts), endIn(again))) return { type: 'observationFailed' };
    }
    return { type: 'providerObserved', facts: await withCommands(context, identity.paymentId, state, facts) };
  } catch (error) {
    // The run reads again later. A bug of ours must not be treated as a provider that is away.
    if (isProviderTrouble(error)) return { type: 'observationFailed' };
    throw error;
  }
}

/** The run ends after this read and reads no more. An incomplete answer must not end it without the captures. */
function showsNewEnd({ status }: PaymentState, { authorization }: ProviderFacts): boolean {
  return !isTerminal(status) && authorization !== undefined && isClosed(authorization.state);
}

/** Not all facts: instants missing in an answer are filled in per read and differ. */
function endIn({ authorization, captures }: ProviderFacts): unknown {
  return { authorizationId: authorization?.authorizationId, state: authorization?.state, captures };
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
  const number = state.stepsBegun + 1;
  const stepName = nameOfStep({ number, step: { type: 'executePayment', payerId: '' } });
  const [attempt] = await findAttempts(db, identity.paymentId, stepName);
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

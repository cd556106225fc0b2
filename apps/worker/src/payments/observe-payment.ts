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
import { isAnswered } from '../steps/attempts/recorded-outcome.js';
import { adoptedCaptures } from './payment-command-outcomes.js';
import type { PaymentWork } from './payment-writer.js';

/** Reads the payment with its authorization and captures, or its sale. A webhook is only a hint; this read decides. */
export async function observePayment(work: PaymentWork, input: StepInput): Promise<StepOutcome> {
  const { context } = work;
  const { shown: read, made } = await makeRead(context, (beganAt) => readEvent(context, input, beganAt));
  const event = showsNoApproval(input, read) ? await approvedOnRecord(context, input, read) : read;
  return await recordEvent(work, input, event, made, (after) => adoptedCaptures(input.state, after));
}

type Reading = Extract<PaymentEvent, { type: 'providerObserved' | 'observationFailed' }>;

async function readEvent(
  context: ActivityContext,
  { identity, state }: StepInput,
  beganAt: Date,
): Promise<Reading> {
  if (state.providerPaymentId === undefined) return { type: 'observationFailed' };
  try {
    const client = context.providers.for(identity);
    const facts = await readPaymentFacts(client, state);
    if (showsNewEnd(state, facts)) {
      const again = await readAgain(() => readPaymentFacts(client, state));
      if (!isDeepStrictEqual(endIn(facts), endIn(again))) return { type: 'observationFailed' };
      if (endsUnexecuted(state, facts) && (await mayStillBeExecuted(context, identity, state, beganAt)))
        return { type: 'observationFailed' };
    }
    return { type: 'providerObserved', facts: await withCommands(context, identity.paymentId, state, facts) };
  } catch (error) {
    // The run reads again later. A bug of ours must not be treated as a provider that is away.
    if (isProviderTrouble(error)) return { type: 'observationFailed' };
    throw error;
  }
}

/**
 * The run ends after this read and reads no more, or its policies act on a hold by the dates that are read here. An incomplete
 * or wrong answer must not do that.
 */
function showsNewEnd(state: PaymentState, facts: ProviderFacts): boolean {
  const { authorization, paymentState } = facts;
  if (isTerminal(state.status)) return false;
  const isAwaited = state.status === 'awaiting_approval';
  if (authorization) return isAwaited || isClosed(authorization.state);
  return isAwaited && (paymentState === 'failed' || endsUnexecuted(state, facts));
}

/** It ends because nothing shows that it was executed, and it will not be executed any more. */
function endsUnexecuted(
  { status, lapsed, isCancelWaiting }: PaymentState,
  { authorization, sale, payerId, paymentState }: ProviderFacts,
): boolean {
  if (status !== 'awaiting_approval' || authorization || sale || paymentState === 'failed') return false;
  return payerId === undefined ? lapsed : isCancelWaiting === true;
}

/**
 * An execution may have been answered as neither carried out nor refused. Until its horizon nothing that is missing in an
 * answer proves that it is not carried out.
 */
async function mayStillBeExecuted(
  { db }: ActivityContext,
  { paymentId }: StepInput['identity'],
  { order, stepsBegun: number }: PaymentState,
  beganAt: Date,
): Promise<boolean> {
  const attempts = await findAttempts(db, paymentId, executionNamed(number));
  const answered = attempts.filter(isAnswered);
  const horizons = answered.map(({ send_by }) => send_by.getTime() + order.patience.outcomeHorizonMs);
  return horizons.some((horizonAt) => beganAt.getTime() < horizonAt);
}

function executionNamed(number: number): string {
  return nameOfStep({ number, step: { type: 'executePayment', payerId: '' } });
}

/** Not all facts: instants missing in an answer about an ended hold are filled in per read and differ. */
function endIn({ authorization, captures, sale, payerId, paymentState }: ProviderFacts): unknown {
  if (!authorization) return { sale, payerId, paymentState };
  const { authorizationId, state, createdAt, validUntil } = authorization;
  const isOver = isClosed(state) && state !== 'captured';
  return { authorizationId, state, captures, ...(!isOver && { createdAt, validUntil }) };
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

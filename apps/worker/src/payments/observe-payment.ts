import { isDeepStrictEqual } from 'node:util';
import { findCommandsByReference } from '#database/commands';
import type { StepInput, StepOutcome } from '#workflows/contract';
import {
  type PaymentState,
  type ProviderFacts,
  isTerminal,
  type PaymentEvent,
} from '#workflows/lifecycle/payment';
import { isClosed, isProviderTrouble } from '../provider/provider-facts.js';
import { readAgain } from '../provider/read-again.js';
import { readPaymentFacts } from '../provider/read-payment.js';
import type { ActivityContext } from '../context.js';
import { recordEvent } from '../steps/record-event.js';
import { adoptedCaptures } from './payment-outcomes.js';
import type { PaymentWork } from './payment-books.js';

/** Reads the payment with its authorization and captures, or its sale: a webhook is a hint, this is the truth. */
export async function observePayment(work: PaymentWork, input: StepInput): Promise<StepOutcome> {
  const { context } = work;
  const { result: event, calls } = await context.providers.recording(() => read(context, input));
  return await recordEvent(work, input, event, calls, (after) => adoptedCaptures(input.state, after));
}

async function read(context: ActivityContext, { identity, state }: StepInput): Promise<PaymentEvent> {
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
    // The run looks again later; a bug of ours must not pass for a silent provider.
    if (isProviderTrouble(error)) return { type: 'observationFailed' };
    throw error;
  }
}

/** The run ends by it, and reads no more: one answer that is cut short must not make it end without what was captured. */
function showsNewEnd({ status }: PaymentState, { authorization }: ProviderFacts): boolean {
  return !isTerminal(status) && authorization !== undefined && isClosed(authorization.state);
}

/** Not the whole: instants that an answer leaves out are made up again for each. */
function endIn({ authorization, captures }: ProviderFacts): unknown {
  return { authorizationId: authorization?.authorizationId, state: authorization?.state, captures };
}

/** A capture that is not on record may be one that we sent ourselves and had given up: then it is its command's. */
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

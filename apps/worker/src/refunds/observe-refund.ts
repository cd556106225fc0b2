import { findPaymentIdOf, insertObservedRefund } from '#database/subjects';
import { NotFoundError, type PaymentsClient, RejectedError, UnauthorizedError } from '#payments-client';
import { isReversal, newEventOf } from '#webhook-inbox';
import type { RefundStepInput, RefundStepOutcome } from '#workflows/contract';
import {
  type RefundClaim,
  type RefundEvent,
  type RefundState,
  providerRefundIdOf,
} from '#workflows/lifecycle/refund';
import { lookLimit } from '../provider/provider-clients.js';
import { isProviderTrouble } from '../provider/provider-facts.js';
import { readAgain } from '../provider/read-again.js';
import { type ShownRefund, readRefund, readReversal } from '../provider/refund-facts.js';
import { makeRead } from '../steps/activities/make-read.js';
import { recordEvent } from '../steps/activities/record-event.js';
import type { ActivityContext } from '../steps/activities/context.js';
import { withOwnAmount } from './charged-back-amount.js';
import { findMaker } from './find-maker.js';
import type { RefundWork } from './refund-writer.js';

/** Reads a refund and its capture or sale. An event is only a hint; this read decides. */
export async function observeRefund(work: RefundWork, input: RefundStepInput): Promise<RefundStepOutcome> {
  const { context } = work;
  const { identity, state } = input;
  // The sender of the hint has written its row, except for runs that an older release started.
  if (state.status === 'observed') await insertObservedRefund(context.db, identity, state);
  // By both clocks: where one is fast, an absence would be taken for proof, and `unfounded` is final.
  const { shown, made, lookedAt } = await makeRead(context, (began) => read(context, input, began));
  return await recordEvent(work, input, await eventOf(context, input, shown, lookedAt), made);
}

type Shown = ShownRefund | 'missing' | 'unreadable';

async function read(
  context: ActivityContext,
  { identity, state }: RefundStepInput,
  lookedAt: number,
): Promise<Shown> {
  const client = context.providers.for(identity);
  const { claim } = state;
  try {
    if (claim.kind === 'reversal') {
      const shown = await readReversal(client, claim.collected);
      if (shown === 'missing' || isFromBefore(state, shown, lookedAt)) return 'missing';
      return state.status !== 'observed' || (await isReported(client, claim)) ? shown : 'missing';
    }
    return await readRefund(client, providerRefundIdOf(state) ?? '');
  } catch (error) {
    // The run reads again later. A bug of ours must not be treated as a provider that is away.
    if (isProviderTrouble(error)) return 'unreadable';
    throw error;
  }
}

/**
 * Whether the provider has the event that reported a chargeback. The capture or sale shows that it was charged back, and
 * not how often: each event that somebody makes up would be told as one more.
 */
async function isReported(
  { events }: PaymentsClient,
  { eventId, collected }: Extract<RefundClaim, { kind: 'reversal' }>,
): Promise<boolean> {
  if (eventId === undefined) return true;
  const find = async (): Promise<boolean> => {
    try {
      const { event, body } = await events.get(eventId, { signal: lookLimit() });
      const { eventType, resource } = newEventOf(event, body);
      return isReversal(eventType, resource.kind) && resource.id === collected.id;
    } catch (error) {
      if (error instanceof NotFoundError) return false;
      // An account that may not read events has nothing but what the capture shows: the chargeback must not be lost.
      if (error instanceof RejectedError || error instanceof UnauthorizedError) return true;
      throw error;
    }
  };
  return (await find()) || (await readAgain(find));
}

/**
 * True if a lagging read shows the previous chargeback. After the horizon the read is accepted: a chargeback certainly
 * happened, and only the dates differ.
 */
function isFromBefore({ claim, startedAt, patience }: RefundState, shown: Shown, lookedAt: number): boolean {
  if (claim.kind !== 'reversal' || typeof shown === 'string') return false;
  const { settledAt } = shown.facts;
  const isOlder = claim.changedAt !== undefined && settledAt !== undefined && settledAt < claim.changedAt;
  return isOlder && lookedAt < startedAt + patience.outcomeHorizonMs;
}

async function eventOf(
  context: ActivityContext,
  input: RefundStepInput,
  shown: Shown,
  lookedAt: number,
): Promise<RefundEvent> {
  const { identity, state } = input;
  if (shown === 'unreadable') return { type: 'observationFailed' };
  if (shown === 'missing') return { type: 'refundFoundMissing', lookedAt };
  const { db } = context;
  // The provider's answer names the payment, not the event.
  const paymentId = await findPaymentIdOf(db, identity, shown.belongsTo);
  // An incomplete answer does not prove that it is another's, and `unfounded` is final.
  const isOwnerUnknown = state.claim.kind !== 'request' && paymentId === undefined;
  if (isOwnerUnknown && !shown.isOwnerNamed) return { type: 'observationFailed' };
  return {
    type: 'refundObserved',
    facts: {
      ...(await withOwnAmount(db, input, paymentId, shown)),
      ...(paymentId !== undefined && { paymentId }),
      ...(state.claim.kind === 'refund' && (await findMaker(context, input, paymentId, shown))),
    },
  };
}

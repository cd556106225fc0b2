import { readClock } from '#database/commands';
import { findPaymentIdOf, isRefundUnshown, insertObservedRefund } from '#database/subjects';
import type { Database } from '#database/connection';
import type { RefundIdentity, RefundStepInput, RefundStepOutcome } from '#workflows/contract';
import { type RefundEvent, type RefundState, providerRefundIdOf } from '#workflows/lifecycle/refund';
import { isProviderTrouble } from '../provider/provider-facts.js';
import { type ShownRefund, amountInDoubt, readRefund, readReversal } from '../provider/refund-facts.js';
import { recordEvent } from '../steps/record-event.js';
import type { ActivityContext } from '../context.js';
import { findMaker } from './find-maker.js';
import type { RefundWork } from './refund-books.js';

/** Reads a refund, and what it gives back from: what was said of it is a hint, this is the truth. */
export async function observeRefund(work: RefundWork, input: RefundStepInput): Promise<RefundStepOutcome> {
  const { context } = work;
  const { identity, state } = input;
  // Whoever told the run has written its row; of a run that an older release has started, nobody has.
  if (state.status === 'observed') await insertObservedRefund(context.db, identity, state);
  // A worker whose clock is fast would take an absence for proof, and what is unfounded stays so.
  const lookedAt = (await readClock(context.db)).getTime();
  const { result: shown, calls } = await context.providers.recording(() => read(context, input, lookedAt));
  return await recordEvent(work, input, await eventOf(context, input, shown, lookedAt), calls);
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
      return isFromBefore(state, shown, lookedAt) ? 'missing' : shown;
    }
    return await readRefund(client, providerRefundIdOf(state) ?? '');
  } catch (error) {
    // The run looks again later; a bug of ours must not pass for a silent provider.
    if (isProviderTrouble(error)) return 'unreadable';
    throw error;
  }
}

/**
 * A read that lags shows the chargeback before this one. After the horizon it is taken as it is: that there was one is
 * certain, and only the dates differ.
 */
function isFromBefore({ claim, startedAt, patience }: RefundState, shown: Shown, lookedAt: number): boolean {
  if (claim.kind !== 'reversal' || typeof shown === 'string') return false;
  const { settledAt } = shown.facts;
  const isOlder = claim.changedAt !== undefined && settledAt !== undefined && settledAt < claim.changedAt;
  return isOlder && lookedAt < startedAt + patience.outcomeHorizonMs;
}

async function eventOf(
  context: ActivityContext,
  { identity, state }: RefundStepInput,
  shown: Shown,
  lookedAt: number,
): Promise<RefundEvent> {
  if (shown === 'unreadable') return { type: 'observationFailed' };
  if (shown === 'missing') return { type: 'refundFoundMissing', lookedAt };
  const { db } = context;
  // Whose money it is, the provider says, not whoever told us of it.
  const paymentId = await findPaymentIdOf(db, identity, shown.belongsTo);
  return {
    type: 'refundObserved',
    facts: {
      ...(await asOurRowsTell(db, identity, paymentId, shown)),
      ...(paymentId !== undefined && { paymentId }),
      ...(state.claim.kind === 'refund' && (await findMaker(context, identity, paymentId, shown))),
    },
  };
}

/** Of what was charged back the provider shows only what refunds have left: one that it did not count makes it less. */
async function asOurRowsTell(
  db: Database,
  identity: RefundIdentity,
  paymentId: string | undefined,
  { facts, refundIds }: ShownRefund,
): Promise<ShownRefund['facts']> {
  if (!refundIds || paymentId === undefined) return facts;
  const of = { collectedId: facts.collected.id, paymentId };
  return (await isRefundUnshown(db, identity, of, refundIds)) ? amountInDoubt(facts) : facts;
}

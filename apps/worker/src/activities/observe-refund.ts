import { readClock } from '../../../../libs/database/src/attempts.js';
import { findPaymentIdOf, saveRefund } from '../../../../libs/database/src/refunds.js';
import type { RefundStepInput, RefundStepOutcome } from '../../../../libs/workflows/src/contract/refund.js';
import { advanceRefund } from '../../../../libs/workflows/src/lifecycle/refund/progress.js';
import type { RefundEvent } from '../../../../libs/workflows/src/lifecycle/refund/refund.js';
import { isProviderTrouble } from '../provider/provider-facts.js';
import { type ShownRefund, readRefund, readReversal } from '../provider/refund-facts.js';
import type { ActivityContext } from './activity-context.js';

/** Reads a refund made elsewhere, and what it gives back from: what was said of it is a hint, this is the truth. */
export async function observeRefund(
  context: ActivityContext,
  input: RefundStepInput,
): Promise<RefundStepOutcome> {
  // A worker whose clock is fast would take an absence for proof, and what is unfounded stays so.
  const lookedAt = (await readClock(context.db)).getTime();
  const { result: shown, calls } = await context.providers.recording(() => read(context, input));
  const event = await eventOf(context, input, shown, lookedAt);
  const at = Date.now();
  const { position, entry } = advanceRefund(input, event, at);
  await saveRefund(context.db, { identity: input.identity, ...position, ...(entry && { entry }), calls });
  if (entry) context.changes.announce(position.state.paymentId);
  return { event, at };
}

type Shown = ShownRefund | 'missing' | 'unreadable';

async function read(context: ActivityContext, { identity, state }: RefundStepInput): Promise<Shown> {
  const client = context.providers.for(identity);
  const { claim } = state;
  try {
    return claim.kind === 'refund'
      ? await readRefund(client, claim.providerRefundId)
      : await readReversal(client, claim.collected);
  } catch (error) {
    // The run looks again later; a bug of ours must not pass for a silent provider.
    if (isProviderTrouble(error)) return 'unreadable';
    throw error;
  }
}

async function eventOf(
  context: ActivityContext,
  { identity }: RefundStepInput,
  shown: Shown,
  lookedAt: number,
): Promise<RefundEvent> {
  if (shown === 'unreadable') return { type: 'observationFailed' };
  if (shown === 'missing') return { type: 'refundFoundMissing', lookedAt };
  // Whose money it is, the provider says, not whoever told us of it.
  const paymentId = await findPaymentIdOf(context.db, identity, shown.belongsTo);
  return {
    type: 'refundObserved',
    facts: { ...shown.facts, ...(paymentId !== undefined && { paymentId }) },
  };
}

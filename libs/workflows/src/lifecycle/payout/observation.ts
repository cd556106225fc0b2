import type { Instant } from '../lifecycle.js';
import { soon } from './deadlines.js';
import type { TransitionResult, PayoutFacts, PayoutState, PayoutStatus } from './payout.js';
import { enter, moved } from './rules.js';
import { countOpen, isSameTotals } from './totals.js';

/** Takes a read of a batch. The items are already in their rows; the read has their totals. */
export function takeFacts(state: PayoutState, facts: PayoutFacts, now: Instant): TransitionResult {
  if (facts.nextPage !== undefined) {
    return withContradiction({ ...state, nextPage: facts.nextPage }, facts, {
      type: 'observe',
      items: 'all',
    });
  }
  if (!facts.totals) return takeBatchStatus(state, facts, now);
  const { nextPage: _read, ...read } = state;
  const known = { ...read, totals: facts.totals };
  const next = enter(known, statusAfterItems(known, facts.batchStatus), now);
  const isNews =
    next.status !== state.status ||
    state.nextPage !== undefined ||
    !isSameTotals(state.totals, facts.totals) ||
    isNewContradiction(state, facts);
  return isNews ? withContradiction(next, facts) : { kind: 'stale', state };
}

/** An ended payout keeps its status. Money that receivers return later shows in its totals. */
export function takeLateFacts(state: PayoutState, facts: PayoutFacts): TransitionResult {
  if (facts.nextPage !== undefined) {
    return withContradiction({ ...state, nextPage: facts.nextPage }, facts, {
      type: 'observe',
      items: 'all',
    });
  }
  const { nextPage: _read, ...read } = state;
  const isNews = facts.totals !== undefined && !isSameTotals(state.totals, facts.totals);
  if (!isNews && state.nextPage === undefined && !isNewContradiction(state, facts)) {
    return { kind: 'stale', state };
  }
  return withContradiction({ ...read, totals: facts.totals ?? state.totals }, facts);
}

/** When every item has ended, the batch ends with the provider's status, unless a cancellation is open. */
export function statusAfterItems(
  { status, totals, openStep }: Pick<PayoutState, 'status' | 'totals' | 'openStep'>,
  batchStatus: string,
): PayoutStatus {
  if (openStep) return status;
  if (countOpen(totals) > 0) return 'settling';
  switch (batchStatus) {
    case 'DENIED':
      return 'denied';
    case 'CANCELED':
      return 'cancelled';
    default:
      return 'completed';
  }
}

/**
 * When the provider has processed the batch, its items are read, and once more after their events had time to arrive.
 * While that read is due, the events need no reads.
 */
function takeBatchStatus(state: PayoutState, facts: PayoutFacts, now: Instant): TransitionResult {
  if (state.status === 'processing' && isProcessed(facts)) {
    const settling = { ...enter(state, 'settling', now), readAt: soon(state, now) };
    return withContradiction(settling, facts, { type: 'observe', items: 'all' });
  }
  return isNewContradiction(state, facts) ? withContradiction(state, facts) : { kind: 'stale', state };
}

/** False for an unknown status: the batch is read again. */
export function isProcessed({ batchStatus }: Pick<PayoutFacts, 'batchStatus'>): boolean {
  return batchStatus === 'SUCCESS' || batchStatus === 'DENIED' || batchStatus === 'CANCELED';
}

function isNewContradiction(state: PayoutState, { contradiction }: PayoutFacts): boolean {
  return contradiction !== undefined && contradiction !== state.contradiction;
}

/** Records a contradiction once, in addition to the facts. */
function withContradiction(
  next: PayoutState,
  facts: PayoutFacts,
  effect?: Extract<TransitionResult, { kind: 'moved' }>['effect'],
): TransitionResult {
  const { contradiction } = facts;
  if (contradiction === undefined || contradiction === next.contradiction) return moved(next, effect);
  const state = { ...next, contradiction };
  // If more pages follow, the contradiction is recorded with the last page.
  return effect ? moved(state, effect) : { kind: 'conflict', state, reason: contradiction };
}

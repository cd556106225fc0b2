import type { Instant } from '../lifecycle.js';
import { soon } from './deadlines.js';
import type { TransitionResult, PayoutFacts, PayoutState, PayoutStatus } from './payout.js';
import { enter, moved } from './rules.js';
import { countOpen, isSameTotals } from './totals.js';

/** What a read tells of a batch; what it shows of the items is in their rows, and their totals here. */
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

/** A payout that has ended stays as it ended; what receivers give back of it afterwards shows in its totals. */
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

/** Every item at its end ends the batch, as what the provider calls it; while a cancellation is open nothing ends. */
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
 * Once the batch has been gone through its items are read, and once more after all of them have had the time to tell of
 * themselves: as long as that read is due, none of their events has to.
 */
function takeBatchStatus(state: PayoutState, facts: PayoutFacts, now: Instant): TransitionResult {
  if (state.status === 'processing' && hasBeenGoneThrough(facts)) {
    const settling = { ...enter(state, 'settling', now), readAt: soon(state, now) };
    return withContradiction(settling, facts, { type: 'observe', items: 'all' });
  }
  return isNewContradiction(state, facts) ? withContradiction(state, facts) : { kind: 'stale', state };
}

/** A word that we do not know says nothing: the batch is read again. */
export function hasBeenGoneThrough({ batchStatus }: Pick<PayoutFacts, 'batchStatus'>): boolean {
  return batchStatus === 'SUCCESS' || batchStatus === 'DENIED' || batchStatus === 'CANCELED';
}

function isNewContradiction(state: PayoutState, { contradiction }: PayoutFacts): boolean {
  return contradiction !== undefined && contradiction !== state.contradiction;
}

/** What contradicts the records is recorded once, beside what was taken. */
function withContradiction(
  next: PayoutState,
  facts: PayoutFacts,
  effect?: Extract<TransitionResult, { kind: 'moved' }>['effect'],
): TransitionResult {
  const { contradiction } = facts;
  if (contradiction === undefined || contradiction === next.contradiction) return moved(next, effect);
  const state = { ...next, contradiction };
  // A reading that goes on must go on: then the words wait for its last page.
  return effect ? moved(state, effect) : { kind: 'conflict', state, reason: contradiction };
}

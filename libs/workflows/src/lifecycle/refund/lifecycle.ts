import { type Deadline, type Instant, type Lifecycle, earliest } from '../lifecycle.js';
import { type Advance, type Position, advance } from '../progress.js';
import { type Restarted, restartFrom } from '../restart.js';
import { stepDeadlines } from '../step/open-step.js';
import { describeDecision } from '../step/review.js';
import { pollWait } from '../widening-wait.js';
import { type RefundEffect, type RefundEvent, type RefundState, isRefundTerminal } from './refund.js';
import { transitionRefund } from './transition.js';

export type RefundPosition = Position<RefundState>;

export const refundLifecycle: Lifecycle<RefundState, RefundEvent, RefundEffect> = {
  transition: transitionRefund,
  isTerminal: isRefundTerminal,
  nextDeadline,
  // A read without a change is quiet, too.
  quiet: new Set([
    'pollCameDue',
    'refundNotified',
    'refundObserved',
    'stepCameDue',
    'lookInconclusive',
    'observationFailed',
  ]),
  // Callers see an amount or a source that a later read shows.
  showsMore: (before, after) =>
    before.amount?.minor !== after.amount?.minor ||
    before.chargedBack?.minor !== after.chargedBack?.minor ||
    before.collected?.id !== after.collected?.id,
  detailOf: (event) => (event.type === 'reviewDecided' ? describeDecision(event) : undefined),
};

export function advanceRefund(
  position: RefundPosition,
  event: RefundEvent,
  at: Instant,
): Advance<RefundState, RefundEffect> {
  return advance(refundLifecycle, position, event, at);
}

/** @param rows the state in the refund's row; the refund has not ended. */
export function restartRefundFrom(rows: RefundPosition, now: Instant): Restarted<RefundState> {
  return restartFrom(rows, now, ({ lastLookAt: _past, ...state }) => ({ ...state, polls: 0 }));
}

function nextDeadline(state: RefundState): Deadline<RefundEvent> | undefined {
  return earliest([...stepDeadlines(state.openStep), ...pollDeadlines(state)]);
}

/** A refund made elsewhere is read at once, then with growing waits; never after its end. */
function pollDeadlines(state: RefundState): Deadline<RefundEvent>[] {
  const { status, openStep, startedAt, lastLookAt, polls, patience } = state;
  // An open step has its own lookups.
  if (openStep || isRefundTerminal(status)) return [];
  const event = { type: 'pollCameDue' } as const;
  if (lastLookAt === undefined) return [{ at: startedAt, event }];
  return [{ at: lastLookAt + pollWait(patience, polls), event }];
}

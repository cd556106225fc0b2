import type { Instant } from '../lifecycle.js';
import { contradictionIn, takeFacts } from './read-back.js';
import type { RefundDecision, RefundEvent, RefundEventType, RefundState, RefundStatus } from './refund.js';

type EventOf<T extends RefundEventType> = Extract<RefundEvent, { type: T }>;
type Rule<T extends RefundEventType> = (
  state: RefundState,
  event: EventOf<T>,
  now: Instant,
) => RefundDecision;
type Row = { readonly [T in RefundEventType]?: Rule<T> };

const notShown = 'The provider does not show it.';

/** Until it has settled, every hint and every poll is a reason to read it. */
const openRow: Row = {
  refundNotified: (state, _event, now) => look(state, now),
  pollCameDue: (state, _event, now) => look({ ...state, polls: state.polls + 1 }, now),
  refundObserved: (state, { facts }, now) => takeFacts(state, facts, now),
};

const settledRow: Row = {
  refundObserved: (state, { facts }) => contradictionIn(state, facts),
};

/** The life of a refund that was made elsewhere: which event is taken in which state. */
const table: Readonly<Record<RefundStatus, Row>> = {
  observed: { ...openRow, refundFoundMissing: takeAbsence },
  // It has been shown before: a read that does not show it now lags.
  pending: openRow,
  completed: settledRow,
  failed: settledRow,
  cancelled: settledRow,
  unfounded: settledRow,
};

/**
 * The whole lifecycle as one pure function; what the table does not list told nothing new.
 *
 * @param now wall-clock milliseconds; the workflow's own clock where a run asks, so that a replay decides alike.
 */
export function decideRefund(state: RefundState, event: RefundEvent, now: Instant): RefundDecision {
  const rule = table[state.status][event.type] as Rule<typeof event.type> | undefined;
  return rule ? rule(state, event, now) : { kind: 'stale', state };
}

function look(state: RefundState, now: Instant): RefundDecision {
  return { kind: 'moved', state: { ...state, lastLookAt: now }, effect: { type: 'observe' } };
}

/** One look that shows nothing proves nothing: only one that began after reads can lag no more does. */
function takeAbsence(state: RefundState, { lookedAt }: EventOf<'refundFoundMissing'>): RefundDecision {
  if (lookedAt < state.startedAt + state.patience.outcomeHorizonMs) return { kind: 'stale', state };
  return { kind: 'moved', state: { ...state, status: 'unfounded', reason: notShown } };
}

import type { Instant } from '../lifecycle.js';
import {
  type RefundEffect,
  type RefundEvent,
  type RefundEventType,
  type RefundState,
  type RefundStatus,
  isSettled,
} from './refund.js';
import { decideRefund } from './transition.js';

/** One line of a refund's story: where an event brought it, or what contradicts what is known. */
export interface RefundEntry {
  readonly version: number;
  readonly event: RefundEventType;
  readonly kind: 'moved' | 'conflict';
  readonly from: RefundStatus;
  readonly to: RefundStatus;
  readonly at: Instant;
  readonly detail?: string;
}

export interface RefundPosition {
  readonly state: RefundState;
  /** Grows with each event that was taken; rows never go back to an older one. */
  readonly version: number;
}

export interface RefundAdvance {
  readonly position: RefundPosition;
  readonly entry?: RefundEntry;
  readonly effect?: RefundEffect;
}

/**
 * Takes one event. Run and activity both call this with the same arguments, so that the row which the activity writes
 * and the state which the run goes on from are the same.
 */
export function advanceRefund(
  { state, version }: RefundPosition,
  event: RefundEvent,
  at: Instant,
): RefundAdvance {
  const decision = decideRefund(state, event, at);
  if (decision.kind === 'stale') return { position: { state, version } };
  const position = { state: decision.state, version: version + 1 };
  const effect = decision.kind === 'moved' ? decision.effect : undefined;
  const isNews = decision.kind === 'conflict' || decision.state.status !== state.status;
  const detail = decision.kind === 'conflict' ? decision.reason : decision.state.reason;
  return {
    position,
    ...(effect && { effect }),
    ...(isNews && {
      entry: {
        version: position.version,
        event: event.type,
        kind: decision.kind,
        from: state.status,
        to: decision.state.status,
        at,
        ...(detail !== undefined && { detail }),
      },
    }),
  };
}

/** When the refund is read next without being asked to: at once, then with widening waits; never once it has settled. */
export function nextLookAt({
  status,
  startedAt,
  lastLookAt,
  polls,
  patience,
}: RefundState): Instant | undefined {
  if (isSettled(status)) return undefined;
  if (lastLookAt === undefined) return startedAt;
  const { firstPollMs, longestPollMs } = patience;
  return lastLookAt + Math.min(longestPollMs, firstPollMs * 2 ** Math.min(polls, 30));
}

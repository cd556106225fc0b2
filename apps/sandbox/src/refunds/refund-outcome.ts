import type { RefundRow } from '../database/tables.js';
import type { OutcomeFault } from '../faults/fault-kinds.js';
import type { ApplicationSettings } from '../settings/application-settings.js';
import { COMPLETED_AT_ONCE, pendingUntil } from '../completion/completion.js';

/** How a refund starts, and when and how a pending one ends. */
export type RefundOutcome = Pick<RefundRow, 'settles_at' | 'settles_as'> & { state: 'completed' | 'pending' };

const ENDS = {
  pending_then_completed: 'completed',
  pending_then_failed: 'failed',
  pending_then_cancelled: 'cancelled',
} as const;

/** A fault decides about this refund (its 'denied' is a failed refund); otherwise the application's settings do. */
export function decideRefundOutcome(
  { refundOutcome, refundSettleMs }: Pick<ApplicationSettings, 'refundOutcome' | 'refundSettleMs'>,
  fault: OutcomeFault | null,
  now: Date,
): RefundOutcome {
  if (fault?.kind === 'pending') {
    return pendingUntil(now, fault.afterMs, fault.settlesAs === 'denied' ? 'failed' : fault.settlesAs);
  }
  if (refundOutcome === 'completed') return COMPLETED_AT_ONCE;
  return pendingUntil(now, refundSettleMs, ENDS[refundOutcome]);
}

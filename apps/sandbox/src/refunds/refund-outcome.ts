import type { ApplicationSettings } from '../applications/application-settings.js';
import { COMPLETED_AT_ONCE, pendingUntil } from '../clock/settlement.js';
import type { RefundRow } from '../database/tables.js';
import type { OutcomeFault } from '../faults/fault-kinds.js';

/** How a refund starts, and for a pending one when and as what it ends. */
export type RefundOutcome = Pick<RefundRow, 'settles_at' | 'settles_as'> & { state: 'completed' | 'pending' };

const ENDS = {
  pending_then_completed: 'completed',
  pending_then_failed: 'failed',
  pending_then_cancelled: 'cancelled',
} as const;

/** A fault decides about this refund (its 'denied' is a failed refund), the application's settings about the others. */
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

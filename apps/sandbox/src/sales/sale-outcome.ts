import type { ApplicationSettings } from '../applications/application-settings.js';
import type { SaleRow } from '../database/tables.js';
import type { OutcomeFault } from '../faults/fault-kinds.js';

/** How a sale starts, and for a pending one when and as what it ends. */
export type SaleOutcome = Pick<SaleRow, 'settles_at' | 'settles_as'> & { state: 'completed' | 'pending' };

const COMPLETED_AT_ONCE: SaleOutcome = { state: 'completed', settles_at: null, settles_as: null };

/** A fault decides about this sale, the application's settings about the others. */
export function decideSaleOutcome(
  { saleOutcome, saleSettleMs }: Pick<ApplicationSettings, 'saleOutcome' | 'saleSettleMs'>,
  fault: OutcomeFault | null,
  now: Date,
): SaleOutcome {
  if (fault?.kind === 'pending') return pendingUntil(now, fault.afterMs, fault.settlesAs);
  if (saleOutcome === 'completed') return COMPLETED_AT_ONCE;
  return pendingUntil(now, saleSettleMs, saleOutcome === 'pending_then_completed' ? 'completed' : 'denied');
}

function pendingUntil(now: Date, ms: number, settles_as: 'completed' | 'denied'): SaleOutcome {
  return { state: 'pending', settles_at: new Date(now.getTime() + ms), settles_as };
}

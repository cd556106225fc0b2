import type { OutcomeFault } from '../faults/fault-kinds.js';

/** An outcome that is known later: when, and which. */
interface Pending<End> {
  readonly state: 'pending';
  readonly settles_at: Date;
  readonly settles_as: End;
}

/** How a sale or capture starts, and when and how a pending one ends. */
export type Completion = typeof COMPLETED_AT_ONCE | Pending<'completed' | 'denied'>;

export const COMPLETED_AT_ONCE = { state: 'completed', settles_at: null, settles_as: null } as const;

/** A fault decides about this sale or capture; otherwise the application's setting does. */
export function decideCompletion(
  setting: 'completed' | 'pending_then_completed' | 'pending_then_denied',
  settleMs: number,
  fault: OutcomeFault | null,
  now: Date,
): Completion {
  if (fault?.kind === 'pending') return pendingUntil(now, fault.afterMs, fault.settlesAs);
  if (setting === 'completed') return COMPLETED_AT_ONCE;
  return pendingUntil(now, settleMs, setting === 'pending_then_completed' ? 'completed' : 'denied');
}

export function pendingUntil<End>(now: Date, afterMs: number, settles_as: End): Pending<End> {
  return { state: 'pending', settles_at: new Date(now.getTime() + afterMs), settles_as };
}
